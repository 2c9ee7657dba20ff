import { join } from 'node:path';
import jsQR from 'jsqr';
import type { BrowserContext, Page } from 'playwright-core';
import { PNG } from 'pngjs';

import { Enmeshed } from '../../nodes/Enmeshed/Enmeshed.node';
import { triggerFields } from '../../nodes/Enmeshed/trigger/trigger-fields';
import { openBrowser } from '../../scripts/screenshots/browser';
import type { Workflow } from '../support/n8n/n8n-host';
import { testsIn } from './support/n8n-test';
import { credentialFor, OnboardedHost } from './support/onboarded-host';
import { enmeshedNode, manualStart, workflowOf } from './support/workflow-builder';
import { onMail } from './support/workflows';

jest.setTimeout(300_000);

const projectRoot = join(__dirname, '..', '..');

describe('the editor of a real n8n', () => {
	const searchedFor = [
		...['QR code', 'wallet', 'identity', 'consent', 'onboarding', 'connect', 'template'],
		...['relationship', 'attribute', 'message', 'mail', 'form', 'verify'],
	];
	let place: OnboardedHost;
	let context: BrowserContext;
	let page: Page;
	const it = testsIn(() => place?.host);

	beforeAll(async () => {
		place = await OnboardedHost.open();
		context = await openBrowser(place.host.url);
		page = await context.newPage();
		page.setDefaultTimeout(90_000);
	});

	/** What the last moment of a test looked like: a browser whose wait has ended says little else. */
	afterEach(async () => {
		const name = (expect.getState().currentTestName ?? '').replaceAll(/\W+/g, '-');
		const path = join(projectRoot, '.tmp', 'editor', `${name}.png`);
		// Only helps to understand a failure: a machine that is too busy to draw is not a failure.
		await page?.screenshot({ path }).catch(() => undefined);
	});

	afterAll(async () => {
		await context?.browser()?.close();
		await place?.close();
	});

	it('lists our actions and triggers in its node panel', async () => {
		await page.goto(`${place.host.url}/workflow/new`);
		await page.getByTestId('canvas-plus-button').click();
		await page.getByTestId('node-creator-search-bar').fill('wallet');
		await page.getByTestId('item-iterator-item').filter({ hasText: 'Enmeshed' }).first().click();
		const panel = page.getByTestId('node-creator');
		const events = triggerFields.find(({ name }) => name === 'events');
		const operationCount = new Enmeshed().description.properties
			.filter(({ name }) => name === 'operation')
			.flatMap(({ options }) => options ?? []).length;
		await panel.getByText(`Triggers (${events?.options?.length})`).waitFor();
		for (const trigger of [
			'On message received',
			'On request answered',
			'On relationship requested',
			'On template used up',
		]) {
			await panel.getByText(trigger).waitFor();
		}
		await panel.getByText(`Actions (${operationCount})`).click();
		await panel.getByText('Get or retry account problems').waitFor();
		// The words of the node, not of the trigger, which n8n shows for both.
		await panel.getByText("Connect with people's enmeshed wallets").waitFor();
		const texts = await panel.getByTestId('item-iterator-item').allInnerTexts();
		// Beside an empty canvas the triggers come first; groups have headings.
		const shown = texts.map((text) => text.trim()).filter((text) => !/^On | ACTIONS$/.test(text));
		const usual = [
			'Create QR code to connect',
			'Show page with QR code and wait',
			'Accept person',
			'Send mail',
			'Ask connected person and wait',
			'Find contact',
		];
		expect(shown.slice(0, 2)).toEqual(usual.slice(0, 2));
		expect(shown.filter((action) => usual.includes(action))).toEqual(usual);
	});

	it('is among the first five nodes that a search for what it does finds', async () => {
		await page.goto(`${place.host.url}/workflow/new`);
		await page.getByTestId('canvas-plus-button').click();
		const found = page.getByTestId('item-iterator-item');
		const missing: string[] = [];
		for (const words of searchedFor) {
			await page.getByTestId('node-creator-search-bar').fill(words);
			const ours = found.filter({ hasText: 'Enmeshed' }).first();
			await ours.waitFor({ timeout: 10_000 }).catch(() => undefined);
			const first = (await found.allInnerTexts()).slice(0, 5);
			if (!first.some((text) => text.includes('Enmeshed')))
				missing.push(`${words}: ${first.join(', ')}`);
		}
		expect(missing).toEqual([]);
	});

	it('offers people by their names, found by typing', async () => {
		const fields = { resource: 'contact', operation: 'get' };
		const get = { ...fields, contact: { __rl: true, mode: 'list', value: '' } };
		const nodes = [manualStart(), enmeshedNode('Get', place.credentialId, get)];
		await openWorkflow(workflowOf('list', nodes));
		await openNode('Get');
		const locator = page.getByTestId('resource-locator-contact');
		await locator.getByTestId('rlc-input').click();
		const found = page.getByTestId('rlc-item').filter({ hasText: 'Ada' });
		await found.waitFor();
		await page.getByTestId('rlc-search').fill('no person is called this');
		await found.waitFor({ state: 'detached' });
		await page.getByTestId('rlc-search').fill('ada');
		await found.click();
		await page.getByTestId('node-execute-button').click();
		await page.getByTestId('ndv').getByText(place.wallet.address).first().waitFor();
	});

	it('shows of each entry of a request what its kind needs', async () => {
		const create = {
			resource: 'relationshipTemplate',
			operation: 'create',
			title: 'Form',
			requestItems: { items: [{ kind: 'create', valueType: 'StreetAddress', consent: 'other' }] },
		};
		const nodes = [manualStart(), enmeshedNode('Form', place.credentialId, create)];
		await openWorkflow(workflowOf('form', nodes));
		await openNode('Form');
		const form = page.getByTestId('ndv');
		for (const label of ['Recipient', 'House Number', 'ZIP Code', 'Group']) {
			await form.getByText(label, { exact: true }).first().waitFor();
		}
		expect(await form.getByText('Consent', { exact: true }).count()).toBe(0);
		expect(await form.getByText('Given Name', { exact: true }).count()).toBe(0);
	});

	it('makes a form of the entries that a peer asks for', async () => {
		const item = { '@type': 'FreeTextRequestItem', mustBeAccepted: true };
		const query = { '@type': 'IdentityAttributeQuery', valueType: 'DisplayName' };
		const request = await place.wallet.call('consumption.outgoingRequests', 'create', {
			peer: place.gateway,
			content: {
				'@type': 'Request',
				title: 'Two questions',
				items: [
					{ ...item, title: 'Your opinion', freeText: 'How do you do?' },
					{ '@type': 'ReadAttributeRequestItem', mustBeAccepted: false, query },
				],
			},
		});
		await place.wallet.send(place.gateway, request['content'] as object);
		const sync = { resource: 'account', operation: 'sync' };
		const accept = {
			resource: 'incomingRequest',
			operation: 'accept',
			request: { __rl: true, mode: 'list', value: '' },
		};
		const nodes = [
			manualStart(),
			enmeshedNode('Sync', place.credentialId, sync),
			enmeshedNode('Accept', place.credentialId, accept),
		];
		await openWorkflow(workflowOf('answer', nodes));
		await openNode('Sync');
		await page.getByTestId('node-execute-button').click();
		await page.getByTestId('ndv').getByText('pendingFailures').first().waitFor();
		await page.keyboard.press('Escape');
		await openNode('Accept');
		await page.getByTestId('resource-locator-request').getByTestId('rlc-input').click();
		await page.getByTestId('rlc-item').filter({ hasText: 'Two questions, Ada' }).click();
		const form = page.getByTestId('ndv');
		await form.getByText('Your opinion (required)').first().waitFor();
		await form.getByText('Display Name', { exact: true }).first().waitFor();
	});

	it('shows the QR code of a new template so that a camera can read it', async () => {
		const create = {
			resource: 'relationshipTemplate',
			operation: 'create',
			contentMode: 'fields',
			title: 'Editor',
			requestItems: { items: [{ kind: 'askFor', valueType: 'GivenName', mustBeAccepted: true }] },
		};
		const nodes = [manualStart(), enmeshedNode('Template', place.credentialId, create)];
		await openWorkflow(workflowOf('qr', nodes));
		await page.getByTestId('execute-workflow-button').first().click();
		await page.getByTestId('canvas-node-status-success').nth(1).waitFor();
		await openNode('Template');
		await page.getByText('Binary', { exact: true }).last().click();
		await page.getByTestId('ndv-view-binary-data').click();
		const image = page.locator('img[src*="binary-data"]');
		await image.waitFor();
		await page.waitForFunction("document.querySelector('img[src*=binary-data]').naturalWidth > 0");
		const photo = PNG.sync.read(await image.screenshot());
		const code = jsQR(new Uint8ClampedArray(photo.data), photo.width, photo.height);
		expect(code?.data).toMatch(/^http:\/\/localhost:\d+\/r\/RLT\w+#/);
	});

	it('lets an agent fill in recipient, subject and text of a mail, by a click for each', async () => {
		const agent = {
			name: 'Agent',
			type: '@n8n/n8n-nodes-langchain.agent',
			typeVersion: 3.1,
			parameters: { promptType: 'define', text: 'Write a mail', options: {} },
		};
		const sendMail = { resource: 'message', operation: 'sendMail' };
		const write = {
			...enmeshedNode('Write', place.credentialId, sendMail),
			type: 'n8n-nodes-enmeshed.enmeshedTool',
		};
		const toAgent = [[{ node: 'Agent', type: 'ai_tool', index: 0 }]];
		await openWorkflow({
			...workflowOf('tool', [manualStart(), agent, write]),
			connections: {
				Start: { main: [[{ node: 'Agent', type: 'main', index: 0 }]] },
				Write: { ai_tool: toAgent },
			},
		});
		await openNode('Write');
		const form = page.getByTestId('ndv');
		for (const label of ['To', 'Subject', 'Body']) {
			const field = form
				.getByTestId('parameter-item')
				.filter({ has: page.getByText(label, { exact: true }) })
				.last();
			await field.hover();
			await field.getByTestId('from-ai-override-button').first().click();
			await field.getByTestId('fromAI-override-field').first().waitFor();
		}
	});

	it('shows what an event gives before any execution, in the trigger and in the next node', async () => {
		const trigger = {
			...enmeshedNode('Asked', place.credentialId, { events: ['relationship.requested'] }),
			type: 'n8n-nodes-enmeshed.enmeshedTrigger',
		};
		const accept = { resource: 'relationship', operation: 'accept' };
		await openWorkflow(
			workflowOf('preview', [trigger, enmeshedNode('Accept', place.credentialId, accept)]),
		);
		for (const [node, panel] of [
			['Asked', 'output-panel'],
			['Accept', 'ndv-input-panel'],
		] as const) {
			await openNode(node);
			const hint = page.getByTestId(panel).getByTestId('node-hint');
			await hint.getByText('peerName: Ada Lovelace').waitFor();
			await hint.getByText('answers: {"GivenName":"Ada"').waitFor();
			await page.keyboard.press('Escape');
		}
	});

	it('shows the addresses of a page in its trigger, and listens for a test', async () => {
		const trigger = {
			...enmeshedNode('Visitors', place.credentialId, {
				title: 'Log in',
				askForTypes: ['GivenName'],
			}),
			type: 'n8n-nodes-enmeshed.enmeshedPageTrigger',
			webhookId: 'panel',
		};
		await openWorkflow(workflowOf('panel', [trigger]));
		await openNode('Visitors');
		const panel = page.getByTestId('ndv');
		await panel.getByText('Webhook URLs').click();
		await panel.getByText('/webhook-test/panel').first().waitFor();
		await panel.getByText('Production URL', { exact: true }).first().click();
		await panel.getByText('/webhook/panel').first().waitFor();
		await page.getByTestId('node-execute-button').click();
		await place.host.until(async () => {
			const { status } = await fetch(`${place.host.url}/webhook-test/panel`);
			return status === 200;
		}, 'listening');
	});

	it('shows a stored mail as the sample of the trigger', async () => {
		await place.wallet.sendMail(place.gateway, 'A sample', 'text');
		await openWorkflow(onMail(place.credentialId));
		await openNode('Mail');
		await page.getByTestId('node-execute-button').click();
		await page.getByTestId('ndv').getByText('A sample').first().waitFor();
	});

	it('names the wrong field in the form of the credential', async () => {
		const wrong = { ...credentialFor(place.backbone), clientSecret: 'not-it' };
		const id = await place.host.createCredential(wrong, 'Wrong');
		await page.goto(`${place.host.url}/home/credentials/${id}`);
		const dialog = page.getByTestId('editCredential-modal');
		await dialog.getByText('More details').click();
		await dialog.getByText('Client ID or Client Secret: ').first().waitFor();
		await page.goto(`${place.host.url}/home/credentials/${place.credentialId}`);
		await dialog.getByTestId('credentials-config-container-test-success').waitFor();
	});

	async function openWorkflow(workflow: Workflow): Promise<void> {
		const id = await place.host.createWorkflow(workflow);
		await page.goto(`${place.host.url}/workflow/${id}`);
		await page.getByTestId('canvas-node').first().waitFor();
	}

	async function openNode(name: string): Promise<void> {
		await page.getByTestId('canvas-node').filter({ hasText: name }).first().dblclick();
		await page.getByTestId('ndv').waitFor();
	}
});
