import { join } from 'node:path';
import type { Page } from 'playwright-core';

import type { Demo } from '../start/demo';

const images = join(__dirname, '..', '..', 'docs', 'images');
const file = (name: string): string => join(images, `${name}.png`);

/** Lets animations and images come to rest. */
const settle = (page: Page): Promise<void> => page.waitForTimeout(1_500);

/** The panel from which users drag our nodes, with all actions and triggers. */
async function nodePanel(page: Page, demo: Demo): Promise<void> {
	await page.goto(`${demo.n8n.url}/workflow/new`);
	await page
		.getByTestId('canvas-plus-button')
		.or(page.getByTestId('node-creator-plus-button'))
		.first()
		.click();
	await page.getByTestId('node-creator-search-bar').fill('enmeshed');
	await page.getByTestId('item-iterator-item').filter({ hasText: 'Enmeshed' }).first().click();
	await page.getByText(/^Actions \(/).click();
	await settle(page);
	await page.getByTestId('node-creator').screenshot({ path: file('node-panel') });
}

/** The form of Relationship Template > Create. */
async function templateForm(page: Page, demo: Demo): Promise<void> {
	await openWorkflow(page, demo, '1. Show a QR code');
	await openNode(page, 'Create QR code');
	await settle(page);
	await page.screenshot({ path: file('template-form') });
}

/** The workflow after 'Execute workflow', the QR code in the output panel. */
async function executedOnboarding(page: Page, demo: Demo): Promise<void> {
	await openWorkflow(page, demo, '1. Show a QR code');
	await page.getByTestId('execute-workflow-button').first().click();
	await page.getByTestId('canvas-node-status-success').nth(1).waitFor();
	await settle(page);
	await page.screenshot({ path: file('onboarding-workflow') });
	await openNode(page, 'Create QR code');
	await page.getByText('Binary', { exact: true }).last().click();
	await page.getByTestId('ndv-view-binary-data').click();
	await settle(page);
	await page.screenshot({ path: file('onboarding-qr-code') });
}

/** The credential with a passed test. */
async function credential(page: Page, demo: Demo): Promise<void> {
	await page.goto(new URL(`home/credentials/${demo.credentialId}`, demo.n8n.url).href);
	const dialog = page.getByRole('dialog').filter({ hasText: 'Enmeshed Backbone API' });
	await dialog.getByText('Connection tested successfully').waitFor();
	await settle(page);
	await dialog.screenshot({ path: file('credential') });
}

/** What the person with the wallet sees after pasting the reference. */
async function walletRequest(page: Page, demo: Demo): Promise<void> {
	const workflowId = demo.workflows.get('1. Show a QR code') ?? '';
	const [execution] = await demo.n8n.executions(workflowId);
	const run = execution?.data.resultData.runData['Create QR code']?.[0];
	const reference = String(run?.data?.main[0]?.[0]?.json['truncatedReference']);
	await page.goto(demo.wallet.url);
	await page.locator('input[name=reference]').fill(reference);
	await page.locator('#load button').click();
	await page.locator('section.request').waitFor();
	await page.locator('section.request input').first().fill('Ada');
	await page.locator('body').screenshot({ path: file('demo-wallet') });
}

/** The rest of the story: the person connects, is welcomed, writes and gets an answer. */
async function walletMails(page: Page): Promise<void> {
	await page.getByRole('button', { name: 'Share and connect' }).click();
	await page.getByText('Welcome, Ada').waitFor({ timeout: 90_000 });
	await page.locator('#write input').fill('When do you open?');
	await page.locator('#write textarea').fill('I would like to come by tomorrow.');
	await page.getByRole('button', { name: 'Send' }).click();
	await page.getByText('Re: When do you open?').waitFor({ timeout: 90_000 });
	await page.locator('body').screenshot({ path: file('demo-wallet-mails') });
}

type Shot = (page: Page, demo: Demo) => Promise<void>;

/** In an order in which each finds what it shows. */
export const shots: Readonly<Record<string, Shot>> = {
	nodePanel,
	templateForm,
	executedOnboarding,
	credential,
	walletRequest,
	walletMails,
};

async function openWorkflow(page: Page, demo: Demo, name: string): Promise<void> {
	await page.goto(`${demo.n8n.url}/workflow/${demo.workflows.get(name)}`);
	await page.getByTestId('canvas-node').first().waitFor();
	await settle(page);
}

async function openNode(page: Page, name: string): Promise<void> {
	await page.getByTestId('canvas-node').filter({ hasText: name }).first().dblclick();
	await page.getByTestId('ndv').waitFor();
}
