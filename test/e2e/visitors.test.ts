import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, BrowserContext, Page } from 'playwright-core';

import { launchVisitorBrowser } from '../../scripts/screenshots/browser';
import type { Execution, Workflow } from '../support/n8n/n8n-host';
import { Peer } from '../support/peer/peer';
import { testsIn } from './support/n8n-test';
import { OnboardedHost } from './support/onboarded-host';
import { enmeshedNode, workflowOf } from './support/workflow-builder';

jest.setTimeout(600_000);

const pictures = join(__dirname, '..', '..', '.tmp', 'visitors');

describe('visitors of a page that waits, in a real n8n', () => {
	let place: OnboardedHost;
	let browser: Browser;
	let context: BrowserContext;
	const it = testsIn(() => place?.host, 500_000);

	beforeAll(async () => {
		mkdirSync(pictures, { recursive: true });
		place = await OnboardedHost.open();
		browser = await launchVisitorBrowser();
	});

	afterAll(async () => {
		await browser?.close();
		await place?.close();
	});

	beforeEach(async () => {
		context = await browser.newContext({ locale: 'en-GB' });
	});

	afterEach(() => context.close());

	/** As the documentation describes it: the error output answers the visitor if there is no page. */
	function workflow(name: string, fields: object = {}): Workflow {
		const webhook = {
			name: 'Webhook',
			type: 'n8n-nodes-base.webhook',
			typeVersion: 2,
			webhookId: name,
			parameters: { path: name, httpMethod: 'GET', responseMode: 'responseNode', options: {} },
		};
		const ask = enmeshedNode(
			'Ask',
			place.credentialId,
			{
				resource: 'relationshipTemplate',
				operation: 'sendAndWait',
				contentMode: 'fields',
				title: 'Log in at Example Organisation',
				requestItems: { items: [{ kind: 'askFor', valueType: 'GivenName' }] },
				askConnectedPeers: true,
				pageText: 'Share your name.',
				...fields,
			},
			{ onError: 'continueErrorOutput' },
		);
		const note = {
			name: 'Note',
			type: 'n8n-nodes-base.set',
			typeVersion: 3.4,
			parameters: { mode: 'raw', jsonOutput: '={{ JSON.stringify($json) }}', options: {} },
		};
		const respond = {
			name: 'No Page',
			type: 'n8n-nodes-base.respondToWebhook',
			typeVersion: 1.1,
			parameters: {
				respondWith: 'text',
				responseBody: 'Try later',
				options: { responseCode: 503 },
			},
		};
		const branches = { Webhook: ['Ask'], Ask: ['Note', 'No Page'], Note: [], 'No Page': [] };
		return workflowOf(name, [webhook, ask, note, respond], branches);
	}

	/** The visitor opens the link, and sees the page. */
	async function visit(name: string, fields: object = {}): Promise<{ id: string; page: Page }> {
		const { host } = place;
		const id = await host.createWorkflow(workflow(name, fields));
		await host.publish(id);
		const page = await context.newPage();
		await page.goto(`${host.url}/webhook/${name}`);
		await page.getByText('Waiting for your answer').waitFor();
		return { id, page };
	}

	/** The wallet opens the link of the page, and shares the name. */
	async function answer(wallet: Peer, page: Page): Promise<void> {
		const link = await page.getByRole('link', { name: 'Open in the app' }).getAttribute('href');
		const request = await wallet.receiveRequest(String(link));
		const value = { '@type': 'GivenName', value: 'Ada' };
		const newAttribute = { '@type': 'IdentityAttribute', owner: wallet.address, value };
		await wallet.acceptRequest(request.id, [{ accept: true, newAttribute }]);
	}

	async function ended(workflowId: string): Promise<Execution> {
		let found: Execution | undefined;
		await place.host.until(async () => {
			[found] = await place.host.executions(workflowId);
			return found !== undefined && !['waiting', 'running', 'new'].includes(found.status);
		}, 'done waiting');
		return found as Execution;
	}

	const noted = ({ data }: Execution): Array<Record<string, unknown>> =>
		(data.resultData.runData['Note'] ?? []).flatMap(
			(run) => run.data?.main[0]?.map(({ json }) => json as Record<string, unknown>) ?? [],
		);

	it('are thanked by name when they have answered, and the execution goes on', async () => {
		const { id, page } = await visit('new');
		await page.screenshot({ path: join(pictures, 'before.png') });
		const stranger = await Peer.start(6, { baseUrl: place.backbone.baseUrl });
		try {
			await answer(stranger, page);
			const answeredAt = Date.now();
			await page.getByText('Thank you, Ada').waitFor();
			process.stderr.write(`the page has changed after ${Date.now() - answeredAt} ms\n`);
			await page.screenshot({ path: join(pictures, 'after.png') });
			const execution = await ended(id);
			process.stderr.write(`from the answer to the end: ${Date.now() - answeredAt} ms\n`);
			expect(execution.status).toBe('success');
			expect(noted(execution)).toMatchObject([
				{
					answered: true,
					peer: stranger.address,
					peerName: 'Ada',
					answers: { GivenName: 'Ada' },
					relationshipStatus: 'Active',
					isNewRelationship: true,
				},
			]);
			expect(await page.getByText('Thank you, Ada').count()).toBe(1);
		} finally {
			await stranger.stop();
		}
	});

	it('with a wallet of version 7 are thanked by name, too', async () => {
		const { id, page } = await visit('new-7');
		const stranger = await Peer.start(7, { baseUrl: place.backbone.baseUrl });
		try {
			await answer(stranger, page);
			await page.getByText('Thank you, Ada').waitFor();
			expect(noted(await ended(id))).toMatchObject([
				{ answered: true, peer: stranger.address, answers: { GivenName: 'Ada' } },
			]);
		} finally {
			await stranger.stop();
		}
	});

	it('who are connected already are sent on', async () => {
		await context.route('https://example.com/**', (route) => route.fulfill({ body: 'Inside' }));
		const { id, page } = await visit('known', {
			options: { redirectUrl: 'https://example.com/inside' },
		});
		await answer(place.wallet, page);
		await page.waitForURL('https://example.com/inside');
		expect(noted(await ended(id))).toMatchObject([
			{ answered: true, peer: place.wallet.address, isNewRelationship: false },
		]);
	});

	it('change nothing by reloads, second tabs, guesses and robots', async () => {
		const { id, page } = await visit('still');
		const address = page.url();
		await page.reload();
		await page.getByText('Waiting for your answer').waitFor();
		const second = await context.newPage();
		await second.goto(address);
		await second.getByText('Waiting for your answer').waitFor();
		const guessed = address.replace(/key=[0-9a-f]{8}/, 'key=00000000');
		const statuses = [];
		for (const [url, method] of [
			[guessed, 'GET'],
			[address, 'HEAD'],
			[address, 'POST'],
		] as const) {
			statuses.push((await fetch(url, { method })).status);
		}
		expect(statuses[0]).toBe(401);
		expect(statuses[2]).toBe(409);
		const [waiting] = await place.host.executions(id);
		expect(waiting?.status).toBe('waiting');
		await answer(place.wallet, page);
		await page.getByText('Thank you, Ada').waitFor();
		await second.getByText('Thank you, Ada').waitFor();
		expect(noted(await ended(id))).toMatchObject([{ answered: true }]);
		await second.reload();
		expect(await second.getByText('Ada').count()).toBe(0);
	});

	it('see that the code has expired, and the execution goes on', async () => {
		const limitWaitTime = {
			values: { limitType: 'afterTimeInterval', resumeAmount: 0.1, resumeUnit: 'minutes' },
		};
		const { id, page } = await visit('late', { options: { limitWaitTime } });
		await page.getByText('This code has expired').waitFor();
		expect(noted(await ended(id))).toMatchObject([{ answered: false, timedOut: true }]);
	});

	it('get to the page by its address, too, which n8n gives as the output of the last node', async () => {
		const { host } = place;
		const whole = workflow('address');
		const nodes = whole.nodes
			.filter((node) => 'name' in node && node.name !== 'No Page')
			.map((node) =>
				'name' in node && node.name === 'Webhook'
					? {
							...node,
							parameters: { path: 'address', httpMethod: 'GET', responseMode: 'lastNode' },
						}
					: node,
			);
		const link = (node: string) => [{ node, type: 'main', index: 0 }];
		const connections = { Webhook: { main: [link('Ask')] }, Ask: { main: [link('Note')] } };
		const id = await host.createWorkflow({ ...whole, nodes, connections });
		await host.publish(id);
		const answered = (await (await fetch(`${host.url}/webhook/address`)).json()) as {
			pageUrl: string;
		};
		const page = await context.newPage();
		await page.goto(answered.pageUrl);
		await page.getByText('Waiting for your answer').waitFor();
		await answer(place.wallet, page);
		await page.getByText('Thank you, Ada').waitFor();
		expect(noted(await ended(id))).toMatchObject([{ answered: true }]);
	});

	it('are told by the workflow when there is no page', async () => {
		const { host } = place;
		const id = await host.createWorkflow(
			workflow('broken', { options: { redirectUrl: 'http://example.com' } }),
		);
		await host.publish(id);
		const response = await fetch(`${host.url}/webhook/broken`);
		expect([response.status, await response.text()]).toEqual([503, 'Try later']);
	});
});
