import { launchVisitorBrowser } from '../screenshots/browser';
import { openTabs } from './newcomer';
async function main() {
	const browser = await launchVisitorBrowser();
	const addresses = { n8n: 'http://127.0.0.1:5678', wallet: 'http://127.0.0.1:5691', email: 'owner@example.com', password: 'Owner-1234' };
	const nc = await openTabs(browser, addresses, { take: async () => undefined } as any);
	const p = nc.editor.page; p.setDefaultTimeout(20000);
	await nc.editor.enterLogin(addresses.n8n, addresses.email, addresses.password);
	await nc.editor.signIn();
	const ids = async (t: string) => console.log(t, (await p.evaluate<string[]>(`[...document.querySelectorAll('[data-test-id],a[href]')].filter(e=>e.getBoundingClientRect().width>0).map(e=>(e.getAttribute('data-test-id')||'')+(e.getAttribute('href')?'@'+e.getAttribute('href'):'')+':'+(e.innerText||'').trim().slice(0,24).replaceAll('\\n',' '))`)).join(' | '));
	await p.waitForTimeout(1500);
	await ids('home');
	await p.getByTestId('workflow-card-name').filter({ hasText: '2. Welcome' }).click();
	await p.getByTestId('canvas-node').first().waitFor();
	await p.waitForTimeout(1500);
	await ids('workflow');
	await p.screenshot({ path: '/tmp/look1.png' });
	for (const id of ['workflow-menu', 'workflow-open-publish-modal-button']) {
		await p.getByTestId(id).first().click({ timeout: 3000 }).catch((e) => console.log(id, String(e).slice(0, 100)));
		await p.waitForTimeout(1000);
		await ids(id);
		await p.screenshot({ path: `/tmp/look-${id}.png` });
		await p.keyboard.press('Escape');
	}
	await browser.close();
}
main().then(() => process.exit(), (e) => { console.error(e); process.exit(1); });
