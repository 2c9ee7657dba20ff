import { launchVisitorBrowser } from '../screenshots/browser';
import { customersTable } from './customers-table';
import { firstRelationship } from './first-relationship';
import { openTabs } from './newcomer';
import { RunningStart } from './running-start';
import { Screens } from './screens';
import { twoPeople } from './two-people';

/**
 * `npm run newcomer`: does what the README says, by mouse and keyboard in a real browser, from
 * `npm start -- --reset` to the table of customers, and then its story with two people in one wallet.
 * The pictures of all screens are in docs/images/newcomer. Fails if a step is a dead end, or a
 * screen shows a label that is cut off, or an id where a name could stand.
 */
async function main(): Promise<void> {
	const start = await RunningStart.open();
	const browser = await launchVisitorBrowser();
	const screens = new Screens();
	try {
		const newcomer = await openTabs(browser, start.addresses, screens);
		for (const part of [firstRelationship, customersTable, twoPeople]) {
			await part(newcomer).catch(async (error: unknown) => {
				await screens.take(newcomer.editor.page, 'failed-n8n');
				await screens.take(newcomer.wallet.page, 'failed-wallet');
				throw error;
			});
		}
	} finally {
		await browser.close();
		await start.close();
	}
	for (const { screen, what } of screens.findings) console.error(`${screen}: ${what}`);
	if (screens.findings.length > 0) process.exitCode = 1;
}

main().then(
	() => process.exit(),
	(error: unknown) => {
		console.error(error);
		process.exit(1);
	},
);
