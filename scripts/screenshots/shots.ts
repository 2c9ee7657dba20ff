import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Locator, Page } from 'playwright-core';

import { DemoWallet } from '../../sandbox/wallet/demo-wallet';
import { freePort } from '../n8n/free-port';
import type { Workflow } from '../n8n/n8n-api';
import type { Demo } from '../start/demo';
import { shownReference } from '../start/shown-reference';
import { size } from './browser';
import {
	boxOf,
	execute,
	file,
	openNode,
	openWorkflow,
	settle,
	shootAround,
} from './editor-pictures';
import { consentExample, formExample, loginExample, waitingPage } from './waiting-shots';

const icons = join(__dirname, '..', '..', 'icons');

/** Panel from which users drag the nodes, with all actions and triggers. */
async function nodePanel(page: Page, demo: Demo): Promise<void> {
	// The panel shows the actions first only beside an existing node.
	await openWorkflow(page, demo, '1. Show a QR code');
	await page.setViewportSize({ width: size.width, height: 4_000 });
	await page.getByTestId('node-creator-plus-button').first().click();
	await page.getByTestId('node-creator-search-bar').fill('enmeshed');
	await page.getByTestId('item-iterator-item').filter({ hasText: 'Enmeshed' }).first().click();
	await page.getByText(/^Triggers \(/).click();
	await settle(page);
	const panel = page.getByTestId('node-creator');
	await panel.getByText('On any event').waitFor();
	const last = panel.getByText(/^On /).last();
	await shootAround(page, 'node-panel', [panel.getByText('Node details'), last], {
		...(await boxOf(panel)),
		margin: 28,
	});
	await page.setViewportSize(size);
}

/** Form of Relationship Template > Create. */
async function templateForm(page: Page, demo: Demo): Promise<void> {
	await openWorkflow(page, demo, '1. Show a QR code');
	// Height at which the form ends between two fields.
	await page.setViewportSize({ width: size.width, height: 1_345 });
	await openNode(page, 'Create QR code');
	// Moves the pointer away from the fields, whose buttons appear on hover.
	await page.mouse.move(size.width - 1, 1);
	await settle(page);
	await page.screenshot({ path: file('template-form') });
	await page.setViewportSize(size);
}

/** Workflow after 'Execute workflow', with the QR code in the output panel. */
async function executedOnboarding(page: Page, demo: Demo): Promise<void> {
	await openWorkflow(page, demo, '1. Show a QR code');
	await execute(page, 2);
	await page.screenshot({ path: file('onboarding-workflow') });
	// Width at which the output's name is visible, height at which the form ends between two fields.
	await page.setViewportSize({ width: 1_720, height: 905 });
	await openNode(page, 'Create QR code');
	await page.getByText('Binary', { exact: true }).last().click();
	await page.getByTestId('ndv-view-binary-data').click();
	await settle(page);
	await page.screenshot({ path: file('onboarding-qr-code') });
	await page.setViewportSize(size);
}

/** Credential with a passed test. */
async function credential(page: Page, demo: Demo): Promise<void> {
	await page.goto(new URL(`home/credentials/${demo.credentialId}`, demo.n8n.url).href);
	const dialog = page.getByRole('dialog').filter({ hasText: 'Enmeshed Backbone API' });
	await dialog.getByText('Connection tested successfully').waitFor();
	await settle(page);
	const title = dialog.getByText('Sandbox Backbone').first();
	const retry = await boxOf(dialog.getByText('Retry', { exact: true }));
	const menu = await boxOf(dialog.getByText('Connection', { exact: true }).first());
	const left = menu.x - 30;
	// The form continues below; the picture ends between two fields.
	await shootAround(page, 'credential', [title, dialog.getByPlaceholder('e.g. customer-service')], {
		x: left,
		width: retry.x + retry.width + 60 - left,
		margin: 22,
	});
}

/** Icons in the sizes that n8n shows, on both of its backgrounds. */
async function iconSizes(page: Page): Promise<void> {
	const svg = (name: string): string =>
		`data:image/svg+xml;base64,${readFileSync(join(icons, name)).toString('base64')}`;
	const row = (name: string, ground: string): string =>
		`<div style="background:${ground};padding:24px;display:flex;gap:24px;align-items:center">` +
		[20, 24, 40, 60].map((px) => `<img src="${svg(name)}" width="${px}" height="${px}">`).join('') +
		'</div>';
	await page.setContent(
		`<body style="margin:0;display:inline-block">${row('enmeshed.svg', '#fff')}${row('enmeshed.dark.svg', '#171717')}</body>`,
	);
	await page.locator('body').screenshot({ path: file('icons') });
}

/** Wallet after the person has pasted the reference. */
async function walletRequest(page: Page, demo: Demo): Promise<void> {
	await page.goto(demo.wallet.url);
	await openCode(page, await shownReference(demo, '1. Show a QR code'));
	await page.getByLabel('Given name', { exact: true }).fill('Ada');
	await page.locator('body').screenshot({ path: file('demo-wallet') });
}

/** Rest of the story: the person connects, is welcomed, writes and gets an answer. */
async function walletMails(page: Page): Promise<void> {
	await page.getByRole('button', { name: 'Share and connect' }).click();
	await page.getByRole('button', { name: /^Mails/ }).click();
	await page.getByText('Welcome, Ada').waitFor({ timeout: 90_000 });
	await page.getByRole('button', { name: 'Write a mail' }).click();
	await page.getByLabel('Subject').fill('When do you open?');
	await page.getByLabel('Text', { exact: true }).fill('I would like to come by tomorrow.');
	await page.getByRole('button', { name: 'Send', exact: true }).click();
	await page.getByText('Re: When do you open?').waitFor({ timeout: 90_000 });
	await page.locator('body').screenshot({ path: file('demo-wallet-mails') });
}

/** Story of the analyst, with a new person, because the demo wallet is connected already. */
async function analystStory(page: Page, demo: Demo): Promise<void> {
	const folder = mkdtempSync(join(tmpdir(), 'enmeshed-person-'));
	const { backbone, n8n, workflows } = demo;
	const person = await DemoWallet.open({ backbone, folder, port: await freePort() });
	// Two workflows that accept everyone would conflict.
	const welcome = workflows.get('2. Welcome the person') ?? '';
	await n8n.deactivate(welcome);
	try {
		await openWorkflow(page, demo, '6. Enter your name');
		await execute(page, 2);
		await analystForm(page, demo);
		await analystPerson(page, demo, person.url);
		await analystAnswers(page, demo);
		await page.goto(person.url);
		await page.getByRole('button', { name: /^Mails/ }).click();
		await page.getByText('Welcome, Ada').waitFor({ timeout: 90_000 });
		await analystNewName(page, demo);
	} finally {
		await n8n.publish(welcome);
		await person.close();
		rmSync(folder, { recursive: true, force: true });
	}
}

/** Form with types and entries, and the own name picked from the list. */
async function analystForm(page: Page, demo: Demo): Promise<void> {
	await openWorkflow(page, demo, '7. Ask new customers');
	await page.setViewportSize({ width: size.width, height: 3_000 });
	await openNode(page, 'Create QR code');
	await pickOwnName(page);
	await shootParameters(page, 'analyst-form', ['Define Content', 'Add Entry']);
	await page.setViewportSize(size);
	await page.keyboard.press('Escape');
	await execute(page, 2);
}

const entered = {
	'Given name': 'Ada',
	'Email address': 'ada@example.com',
	'Phone number': '+49 6221 123456',
};

async function openCode(page: Page, reference: string): Promise<void> {
	await page.getByLabel('Link or reference').fill(reference);
	await page.getByRole('button', { name: 'Open', exact: true }).click();
	await page.getByRole('button', { name: 'Share and connect' }).waitFor();
}

/** Request as the person sees it. */
async function analystPerson(page: Page, demo: Demo, walletUrl: string): Promise<void> {
	await page.goto(walletUrl);
	await openCode(page, await shownReference(demo, '7. Ask new customers'));
	for (const [label, text] of Object.entries(entered)) {
		await page.getByLabel(label, { exact: true }).fill(text);
	}
	await page.getByLabel('I agree').check();
	await page.locator('main').screenshot({ path: file('analyst-wallet') });
	await page.getByRole('button', { name: 'Share and connect' }).click();
	await page.getByText('has to accept the connection now').waitFor();
}

/** Answers by name, and the workflow that reads them. */
async function analystAnswers(page: Page, demo: Demo): Promise<void> {
	await openWorkflow(page, demo, '8. Greet new customers');
	await execute(page, 5);
	await page.screenshot({ path: file('analyst-workflow') });
	// Height at which the buttons in the vertical middle of the sides are outside the picture.
	await page.setViewportSize({ width: size.width, height: 1_700 });
	await openNode(page, /Customer/);
	await page.mouse.move(size.width - 1, 1);
	await settle(page);
	const { x } = await parametersBox(page);
	const clip = { x, y: 66, width: size.width - 26 - x, height: 684 };
	await page.screenshot({ path: file('analyst-answers'), clip });
	await page.setViewportSize(size);
}

/** Change of the name, of which every holder of the old name is notified. */
async function analystNewName(page: Page, demo: Demo): Promise<void> {
	await openWorkflow(page, demo, '5. Tell about a new name');
	await openNode(page, 'New name');
	await pickOwnName(page);
	await shootParameters(page, 'analyst-new-name', ['Resource', 'Add Option']);
	await page.keyboard.press('Escape');
	await execute(page, 4);
}

/** Agent whose payments a person approves, after a person has entered what its note asks for. */
async function agent(page: Page, { n8n, workflows, wallet }: Demo): Promise<void> {
	const name = '12. An agent that asks before it pays';
	const id = workflows.get(name) ?? '';
	const { id: model } = (await n8n.api('POST', '/credentials', {
		name: 'Model',
		type: 'openAiApi',
		data: { apiKey: 'none', url: wallet.url, header: false, allowedHttpRequestDomains: 'all' },
	})) as { id: string };
	const { nodes, connections } = (await n8n.api('GET', `/workflows/${id}`)) as Workflow;
	const to = { __rl: true, mode: 'address', value: 'did:e:localhost:dids:0123456789abcdef012345' };
	const entered: Readonly<Record<string, object>> = {
		Model: { credentials: { openAiApi: { id: model, name: 'Model' } } },
		'Ask the person': { parameters: { to } },
	};
	await n8n.updateWorkflow(id, {
		name,
		nodes: (nodes as Array<{ name: string }>).map((node) => ({ ...node, ...entered[node.name] })),
		connections,
	});
	await page.setViewportSize({ width: size.width, height: 1_000 });
	await page.goto(`${n8n.url}/workflow/${id}`);
	await page.getByTestId('canvas-node').first().waitFor();
	await settle(page);
	await page.screenshot({ path: file('agent') });
	await page.setViewportSize(size);
}

/** Column of parameters in an open node. */
async function parametersBox(page: Page): Promise<{ x: number; width: number }> {
	const ndv = page.getByTestId('ndv');
	const tab = await boxOf(ndv.getByText('Parameters', { exact: true }).first());
	const button = await boxOf(ndv.getByTestId('node-execute-button'));
	const x = tab.x - 20;
	return { x, width: button.x + button.width + 12 - x };
}

/** Takes a picture of the parameters from one label to another. */
async function shootParameters(
	page: Page,
	name: string,
	[first, last]: readonly [string, string],
): Promise<void> {
	const label = (text: string): Locator =>
		page.getByTestId('ndv').getByText(text, { exact: true }).first();
	const column = { ...(await parametersBox(page)), margin: 10 };
	await shootAround(page, name, [label(first), label(last)], column);
}

/** Picks the first entry, which is the newest. */
async function pickOwnName(page: Page): Promise<void> {
	await page.getByTestId('resource-locator-attribute').getByTestId('rlc-input').click();
	const name = page.getByTestId('rlc-item').filter({ hasText: /^\s*Display Name: [^(]*$/ });
	await name.first().click();
	await page.mouse.move(size.width - 1, 1);
	await settle(page);
}

type Shot = (page: Page, demo: Demo) => Promise<void>;

/** Pictures in an order in which each finds the data that it shows. */
export const shots: Readonly<Record<string, Shot>> = {
	nodePanel,
	templateForm,
	executedOnboarding,
	credential,
	iconSizes,
	walletRequest,
	walletMails,
	analystStory,
	loginExample,
	formExample,
	consentExample,
	waitingPage,
	agent,
};
