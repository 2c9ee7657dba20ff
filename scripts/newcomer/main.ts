import { launchVisitorBrowser, useTestIds } from '../screenshots/browser';
import { Editor } from '../screenshots/editor';
import { Wallet } from '../screenshots/wallet';
import { withRunningDemo, type PrintedAddresses } from './running-demo';
import { Screens } from './screens';
import { stories } from './stories';

const viewport = { width: 1440, height: 900 };

/**
 * `npm run newcomer`: does what the README says, by mouse and keyboard in a real browser, from `npm
 * start -- --reset` to the table of customers, and then its story with two people in one wallet.
 * The pictures of all screens are in docs/images/newcomer. Fails if a step is a dead end, or a
 * screen shows a label that is cut off, or an id where a name could stand.
 */
async function main(): Promise<void> {
	const screens = new Screens();
	await withRunningDemo((addresses) => play(addresses, screens));
	for (const { screen, what } of screens.findings) console.error(`${screen}: ${what}`);
	if (screens.findings.length > 0) process.exitCode = 1;
}

async function play(addresses: PrintedAddresses, screens: Screens): Promise<void> {
	const browser = await launchVisitorBrowser();
	try {
		useTestIds();
		const context = await browser.newContext({ viewport, locale: 'en-GB' });
		await context.grantPermissions(['clipboard-read', 'clipboard-write']);
		const editor = new Editor(await context.newPage());
		const wallet = new Wallet(await context.newPage());
		for (const story of stories) {
			await story({ addresses, editor, wallet, screens }).catch(async (error: unknown) => {
				await screens.take(editor, 'failed-n8n');
				await screens.take(wallet, 'failed-wallet');
				throw error;
			});
		}
	} finally {
		await browser.close();
	}
}

main().then(
	() => process.exit(),
	(error: unknown) => {
		console.error(error);
		process.exit(1);
	},
);
