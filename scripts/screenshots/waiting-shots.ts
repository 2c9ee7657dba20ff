import { copyFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';

import { until } from '../../test/support/until';
import { WalletPageCalls } from '../../test/support/peer/wallet-page-calls';
import type { Demo } from '../start/demo';
import { shownReference } from '../start/shown-reference';
import { launchVisitorBrowser, size } from './browser';
import { execute, file, openNode, openWorkflow, settle } from './editor-pictures';
import { submitForm, visit } from './visitor';

/** All sizes and colours of the page, to look through; some of them are in the documentation. */
const pagePictures = join(__dirname, '..', '..', '.tmp', 'waiting-page');

/** Log-in: a visitor answers while the editor shows the execution. */
export async function loginExample(page: Page, demo: Demo): Promise<void> {
	await withVisitors(demo, async (browser) => {
		await openTall(page, demo, '9. Log in with the wallet', 1_000);
		await listen(page, 'Visitor');
		const visitor = await visit(browser, `${demo.n8n.url}/webhook-test/log-in`);
		await answerByWallet(visitor, demo);
		await untilDone(page, 3);
	});
	await shoot(page, 'example-log-in');
}

/** Onboarding form: the first half leads the visitor of the form to the page. */
export async function formExample(page: Page, demo: Demo): Promise<void> {
	const { n8n } = demo;
	await whilePublished(demo, '10. Onboarding form', () =>
		withVisitors(demo, async (browser) => {
			await openTall(page, demo, '10. Onboarding form', 900);
			await listen(page, 'Form');
			const visitor = await visit(browser, `${n8n.url}/form-test/onboarding`);
			await submitForm(visitor, 'Offers');
			await answerByWallet(visitor, demo);
			await visitor.getByText('Thank you, Ada').waitFor();
			await untilDone(page, 3);
		}),
	);
	await shoot(page, 'example-form');
}

/** Consent: the execution waits, the person approves, and the editor shows the branch. */
export async function consentExample(page: Page, demo: Demo): Promise<void> {
	await connectPerson(page, demo);
	await openTall(page, demo, '11. Ask for consent and go on', 820);
	await openNode(page, 'Ask for consent');
	await page.getByTestId('resource-locator-to').getByTestId('rlc-input').click();
	await page.getByTestId('rlc-item').first().click();
	await settle(page);
	await page.keyboard.press('Escape');
	await page.getByTestId('execute-workflow-button').first().click();
	await approve(await WalletPageCalls.open(demo.wallet.url));
	await untilDone(page, 4);
	await shoot(page, 'example-consent');
}

/** Page for the visitor, on a phone and on a screen, light and dark, before and after the answer. */
export async function waitingPage(_page: Page, demo: Demo): Promise<void> {
	mkdirSync(pagePictures, { recursive: true });
	await whilePublished(demo, '10. Onboarding form', () =>
		withVisitors(demo, async (browser) => {
			const first = await visit(browser, `${demo.n8n.url}/form/onboarding`);
			await submitForm(first, 'Offers');
			const pages = await openEverywhere(browser, first.url());
			await shootAll(pages, 'before');
			await answerByWallet(first, demo);
			for (const page of pages.values()) await page.getByText('Thank you, Ada').waitFor();
			await shootAll(pages, 'after');
		}),
	);
	for (const [picture, name] of documented) {
		copyFileSync(join(pagePictures, `${picture}.png`), file(name));
	}
}

const entered = { GivenName: 'Ada', EMailAddress: 'ada@example.com' };

const documented = [
	['390-light-before', 'waiting-page'],
	['390-light-after', 'waiting-page-answered'],
	['1440-dark-before', 'waiting-page-dark'],
] as const;

async function openEverywhere(browser: Browser, url: string): Promise<Map<string, Page>> {
	const pages = new Map<string, Page>();
	for (const [width, height] of [
		[390, 844],
		[1440, 900],
	] as const) {
		for (const colorScheme of ['light', 'dark'] as const) {
			const isPhone = width < 600;
			const page = await visit(browser, url, {
				viewport: { width, height },
				colorScheme,
				isMobile: isPhone,
				hasTouch: isPhone,
				deviceScaleFactor: isPhone ? 2 : 1,
			});
			await page.getByText('Waiting for your answer').waitFor();
			pages.set(`${width}-${colorScheme}`, page);
		}
	}
	return pages;
}

async function shootAll(pages: ReadonlyMap<string, Page>, when: string): Promise<void> {
	for (const [name, page] of pages) {
		await page.screenshot({ path: join(pagePictures, `${name}-${when}.png`), fullPage: true });
	}
}

/** Runs with a browser for visitors, while no other workflow accepts new people. */
async function withVisitors(
	{ n8n, workflows }: Demo,
	work: (browser: Browser) => Promise<void>,
): Promise<void> {
	const welcome = workflows.get('2. Welcome the person') ?? '';
	await n8n.deactivate(welcome);
	const browser = await launchVisitorBrowser();
	try {
		await work(browser);
	} finally {
		await browser.close();
		await n8n.publish(welcome);
	}
}

async function whilePublished(
	{ n8n, workflows }: Demo,
	name: string,
	work: () => Promise<void>,
): Promise<void> {
	const id = workflows.get(name) ?? '';
	await n8n.publish(id);
	try {
		await work();
	} finally {
		await n8n.deactivate(id);
	}
}

async function openTall(page: Page, demo: Demo, name: string, height: number): Promise<void> {
	await page.setViewportSize({ width: size.width, height });
	await openWorkflow(page, demo, name);
	// Closes the advice that n8n shows beside published workflows.
	await page.keyboard.press('Escape');
}

/** Starts a run that listens at the test address of the trigger. */
async function listen(page: Page, trigger: string): Promise<void> {
	await page.getByTestId('canvas-node').filter({ hasText: trigger }).first().hover();
	await page.getByTestId(`execute-workflow-button-${trigger}`).click();
	await settle(page);
}

/** Waits until the given number of nodes is done. */
async function untilDone(page: Page, nodes: number): Promise<void> {
	await page
		.getByTestId('canvas-node-status-success')
		.nth(nodes - 1)
		.waitFor();
}

/** Takes a picture of the workflow, without the buttons that appear on hover. */
async function shoot(page: Page, name: string): Promise<void> {
	await page.mouse.move(size.width - 1, 1);
	await settle(page);
	// The editor draws slowly after a run.
	await page.screenshot({ path: file(name), animations: 'disabled', timeout: 180_000 });
	await page.setViewportSize(size);
}

async function approve(wallet: WalletPageCalls): Promise<void> {
	await until(async () => {
		const [open] = (await wallet.state()).requests;
		if (open === undefined) return false;
		await wallet.answerRequest(open.id, {});
		return true;
	});
}

/** Connects the first person of the demo wallet, unless a picture before has done it. */
async function connectPerson(page: Page, demo: Demo): Promise<void> {
	const wallet = await WalletPageCalls.open(demo.wallet.url);
	const isConnected = async () => (await wallet.state()).contacts.some(({ isActive }) => isActive);
	if (await isConnected()) return;
	await openWorkflow(page, demo, '1. Show a QR code');
	await execute(page, 2);
	await wallet.answer(await shownReference(demo, '1. Show a QR code'), entered);
	await until(isConnected);
}

/** The first person of the demo wallet opens the link of the page, and shares what it asks for. */
async function answerByWallet(page: Page, demo: Demo): Promise<void> {
	const link = await page.getByRole('link', { name: 'Open in the app' }).getAttribute('href');
	const wallet = await WalletPageCalls.open(demo.wallet.url);
	await wallet.answer(String(link), entered);
}
