import { launchVisitorBrowser } from '../screenshots/browser';
import { customersTable } from './customers-table';
import { firstRelationship } from './first-relationship';
import { openTabs } from './newcomer';
import { Screens } from './screens';
import { twoPeople } from './two-people';
const parts: any = { firstRelationship, customersTable, twoPeople };
async function main() {
	const browser = await launchVisitorBrowser();
	const screens = new Screens();
	const addresses = { n8n: 'http://127.0.0.1:5678', wallet: 'http://127.0.0.1:5691', email: 'owner@example.com', password: 'Owner-1234' };
	const nc = await openTabs(browser, addresses, screens);
	nc.editor.page.setDefaultTimeout(30000);
	nc.wallet.page.setDefaultTimeout(30000);
	const names = process.argv.slice(2);
	try {
		if (names[0] !== 'firstRelationship') {
			await nc.editor.enterLogin(addresses.n8n, addresses.email, addresses.password);
			await nc.editor.signIn();
			await nc.wallet.open(addresses.wallet);
		}
		for (const n of names) { console.log(n); await parts[n](nc); }
	} catch (e) {
		console.error(e);
		await screens.take(nc.editor.page, 'failed-n8n');
		await screens.take(nc.wallet.page, 'failed-wallet');
	}
	for (const { screen, what } of screens.findings) console.log(`${screen}: ${what}`);
	await browser.close();
}
main().then(() => process.exit(), (e) => { console.error(e); process.exit(1); });
