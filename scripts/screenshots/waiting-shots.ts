import type { Browser, Page } from 'playwright-core';
import { WalletPageCalls } from '../../test/support/peer/wallet-page-calls';
import { until } from '../../test/support/until';
import type { Demo } from '../start/demo';
import { shownReference } from '../start/shown-reference';
import { launchVisitorBrowser, size } from './browser';
import { file, type Editor } from './editor';
import type { Tour } from './tour';
import { submitForm, visit } from './visitor';

const form = '10. Onboarding form';
const entered = { GivenName: 'Ada', EMailAddress: 'ada@example.com' };

/** Log-in: a visitor answers while the editor shows the execution. */
export async function loginExample({ demo, editor }: Tour): Promise<void> {
	const wallet = await connectedWallet({ demo, editor });
	await withVisitors(demo, async (browser) => {
		await openTall(editor, '9. Log in with the wallet', 1_000);
		await editor.listen('Visitor');
		const visitor = await visit(browser, `${demo.n8n.url}/webhook-test/log-in`);
		await answerByWallet(visitor, wallet);
		await editor.untilDone(2);
	});
	await editor.shoot('example-log-in');
}

/** Onboarding form: the first half leads the visitor of the form to the page. */
export async function formExample({ demo, editor }: Tour): Promise<void> {
	const wallet = await connectedWallet({ demo, editor });
	await withVisitors(
		demo,
		async (browser) => {
			await openTall(editor, form, 900);
			await editor.listen('Form');
			const visitor = await visit(browser, `${demo.n8n.url}/form-test/onboarding`);
			await submitForm(visitor, 'Offers');
			await answerByWallet(visitor, wallet);
			await visitor.getByText('Thank you, Ada').waitFor();
			await editor.untilDone(3);
		},
		form,
	);
	await editor.shoot('example-form');
}

/** Consent: the execution waits, the person approves, and the editor shows the branch. */
export async function consentExample({ demo, editor }: Tour): Promise<void> {
	const wallet = await connectedWallet({ demo, editor });
	await openTall(editor, '11. Ask for consent and go on', 820);
	await editor.openNode('Ask for consent');
	await editor.page.getByTestId('resource-locator-to').getByTestId('rlc-input').click();
	await editor.page.getByTestId('rlc-item').first().click();
	await editor.settle();
	await editor.closeNode();
	await editor.page.getByTestId('execute-workflow-button').first().click();
	await until(async () => {
		const [open] = (await wallet.state()).requests;
		if (open === undefined) return false;
		await wallet.answerRequest(open.id, {});
		return true;
	});
	await editor.untilDone(4);
	await editor.shoot('example-consent');
}

/** Page for the visitor before and after the answer, on a phone and on a dark screen. */
export async function waitingPage({ demo, editor }: Tour): Promise<void> {
	const wallet = await connectedWallet({ demo, editor });
	const phone = { width: 390, height: 844 };
	const light = { viewport: phone, isMobile: true, hasTouch: true, deviceScaleFactor: 2 };
	const dark = { viewport: { width: 1440, height: 900 }, colorScheme: 'dark' as const };
	await withVisitors(
		demo,
		async (browser) => {
			const first = await visit(browser, `${demo.n8n.url}/form/onboarding`);
			await submitForm(first, 'Offers');
			const shoot = (page: Page, name: string) =>
				page.screenshot({ path: file(name), fullPage: true });
			const page = await visit(browser, first.url(), light);
			const darkPage = await visit(browser, first.url(), dark);
			for (const one of [page, darkPage]) await one.getByText('Waiting for your answer').waitFor();
			await shoot(page, 'waiting-page');
			await shoot(darkPage, 'waiting-page-dark');
			await answerByWallet(first, wallet);
			await page.getByText('Thank you, Ada').waitFor();
			await shoot(page, 'waiting-page-answered');
		},
		form,
	);
}

/** The first person of the demo wallet, connected by now. */
async function connectedWallet({ demo, editor }: Pick<Tour, 'demo' | 'editor'>) {
	const wallet = await WalletPageCalls.open(demo.wallet.url);
	const isConnected = async () => (await wallet.state()).contacts.some(({ isActive }) => isActive);
	if (await isConnected()) return wallet;
	await editor.openWorkflow('1. Show a QR code');
	await editor.execute(2);
	await wallet.answer(await shownReference(demo, '1. Show a QR code'), entered);
	await until(isConnected);
	return wallet;
}

/** Runs with a browser for visitors, while the given workflow is published. */
async function withVisitors(
	{ n8n, workflows }: Demo,
	work: (browser: Browser) => Promise<void>,
	published?: string,
): Promise<void> {
	const idOf = (name: string): string => workflows.get(name) ?? '';
	if (published !== undefined) await n8n.publish(idOf(published));
	const browser = await launchVisitorBrowser();
	try {
		await work(browser);
	} finally {
		await browser.close();
		if (published !== undefined) await n8n.deactivate(idOf(published));
	}
}

async function openTall(editor: Editor, name: string, height: number): Promise<void> {
	await editor.page.setViewportSize({ width: size.width, height });
	await editor.openWorkflow(name);
	await editor.settle();
	// Closes the advice that n8n shows beside published workflows.
	await editor.page.keyboard.press('Escape');
}

/** The first person of the demo wallet opens the link of the page, and shares what it asks for. */
async function answerByWallet(page: Page, wallet: WalletPageCalls): Promise<void> {
	const link = await page.getByRole('link', { name: 'Open in the app' }).getAttribute('href');
	await wallet.answer(String(link), entered);
}
