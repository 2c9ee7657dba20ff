import type { Browser, BrowserContext, Page } from 'playwright-core';

import { launchVisitorBrowser } from '../../scripts/screenshots/browser';
import type { Execution, Workflow } from '../support/n8n/n8n-host';
import { Peer } from '../support/peer/peer';
import { testsIn } from './support/n8n-test';
import { OnboardedHost } from './support/onboarded-host';
import { lookBack, workflowOf } from './support/workflow-builder';

jest.setTimeout(600_000);

describe('the page of a trigger, in a real n8n', () => {
	let place: OnboardedHost;
	let browser: Browser;
	let context: BrowserContext;
	const it = testsIn(() => place?.host, 300_000);

	beforeAll(async () => {
		place = await OnboardedHost.open();
		browser = await launchVisitorBrowser();
	});

	afterAll(async () => {
		await browser?.close();
		await place?.close();
	});

	beforeEach(async () => {
		context = await browser.newContext({ locale: 'en-GB', colorScheme: 'dark' });
	});

	afterEach(() => context.close());

	function workflow(name: string, fields: object = {}): Workflow {
		const trigger = {
			name: 'Page',
			type: 'n8n-nodes-enmeshed.enmeshedPageTrigger',
			typeVersion: 1,
			webhookId: name,
			credentials: { enmeshedBackboneApi: { id: place.credentialId, name: 'Sandbox' } },
			parameters: {
				title: 'Log in at Example Organisation',
				requestItems: { items: [{ kind: 'askFor', valueType: 'GivenName' }] },
				pageText: 'Share your name.',
				...fields,
			},
		};
		return workflowOf(name, [trigger, lookBack('$("Page").item.json')]);
	}

	/** A visitor opens the address, and sees a code. */
	async function visit(address: string): Promise<Page> {
		const page = await context.newPage();
		await page.goto(`${place.host.url}/${address}`);
		await page.getByText('Waiting for your answer').waitFor();
		return page;
	}

	async function publish(name: string, fields: object = {}): Promise<string> {
		const id = await place.host.createWorkflow(workflow(name, fields));
		await place.host.publish(id);
		await place.host.untilPublished(id);
		return id;
	}

	const linkOn = async (page: Page): Promise<string> =>
		String(await page.getByRole('link', { name: 'Open in the app' }).getAttribute('href'));

	async function answer(wallet: Peer, link: string): Promise<void> {
		const request = await wallet.receiveRequest(link);
		const value = { '@type': 'GivenName', value: 'Ada' };
		const newAttribute = { '@type': 'IdentityAttribute', owner: wallet.address, value };
		await wallet.acceptRequest(request.id, [{ accept: true, newAttribute }]);
	}

	/** What the successful executions got, when there are as many as expected. */
	async function started(workflowId: string, count: number): Promise<unknown[]> {
		let found: Execution[] = [];
		await place.host.until(async () => {
			const all = await place.host.executions(workflowId);
			found = all.filter(({ status }) => status === 'success');
			return found.length >= count;
		}, `${count} executions`);
		return found.flatMap(({ data }) =>
			(data.resultData.runData['Look Back'] ?? []).map(
				(run) => run.data?.main[0]?.[0]?.json['found'],
			),
		);
	}

	it('starts the workflow with the answers of two visitors at once', async () => {
		await context.route('https://example.com/**', (route) => route.fulfill({ body: 'Inside' }));
		const id = await publish('log-in', {
			afterTheAnswer: 'redirect',
			redirectUrl: 'https://example.com/inside?request={requestId}',
		});
		const [one, other] = [
			await visit('webhook/log-in?session=1'),
			await visit('webhook/log-in?session=2'),
		];
		const stranger = await Peer.start(7, { baseUrl: place.backbone.baseUrl });
		try {
			await Promise.all([
				answer(stranger, await linkOn(one)),
				answer(place.wallet, await linkOn(other)),
			]);
			for (const page of [one, other]) await page.waitForURL('https://example.com/inside?**');
			const got = await started(id, 2);
			expect(got).toHaveLength(2);
			expect(got).toContainEqual(
				expect.objectContaining({
					answered: true,
					peer: stranger.address,
					answers: { GivenName: 'Ada' },
					isNewRelationship: true,
					relationshipStatus: 'Active',
					visitor: { session: '1' },
				}),
			);
			expect(got).toContainEqual(
				expect.objectContaining({
					peer: place.wallet.address,
					isNewRelationship: false,
					visitor: { session: '2' },
				}),
			);
		} finally {
			await stranger.stop();
		}
	});

	it('changes nothing by reloads, second tabs, guesses and robots', async () => {
		const id = await publish('still');
		const address = `${place.host.url}/webhook/still`;
		const made: unknown[] = [];
		const unwatch = place.backbone.faults.onNext('POST', /RelationshipTemplates/);
		void unwatch.then(() => made.push('template'));
		const robot = await fetch(address);
		expect(robot.status).toBe(200);
		expect(robot.headers.get('x-robots-tag')).toBe('noindex, nofollow');
		const statuses = [];
		for (const [url, method] of [
			[address, 'HEAD'],
			[address, 'POST'],
			[`${address}?visitor=${'A'.repeat(22)}`, 'GET'],
			[`${address}?visitor=x`, 'GET'],
		] as const) {
			statuses.push((await fetch(url, { method })).status);
		}
		expect(statuses).toEqual([404, 404, 404, 404]);
		expect(made).toEqual([]);
		const page = await visit('webhook/still');
		const link = await linkOn(page);
		await page.reload();
		await page.getByText('Waiting for your answer').waitFor();
		const second = await context.newPage();
		await second.goto(page.url());
		expect(await linkOn(second)).toBe(link);
		await answer(place.wallet, link);
		await page.getByText('Thank you, Ada').waitFor();
		await second.getByText('Thank you, Ada').waitFor();
		await second.reload();
		await second.getByText('Thank you, Ada').waitFor();
		expect(await started(id, 1)).toHaveLength(1);
	});

	it('is dark in dark mode', async () => {
		await publish('dark');
		const page = await visit('webhook/dark');
		const ground = await page.evaluate(
			'getComputedStyle(document.documentElement).backgroundColor',
		);
		expect(ground).toBe('rgb(23, 23, 23)');
	});

	it('is shown by a manual test, which runs with the answer', async () => {
		const { host } = place;
		const id = await host.createWorkflow(workflow('test'));
		await host.runManually(id, 'Page');
		const page = await visit('webhook-test/test?n=1');
		expect(page.url()).toContain('/webhook-test/test?visitor=');
		await page.reload();
		await answer(place.wallet, await linkOn(page));
		await page.getByText('Thank you, Ada').waitFor();
		expect(await started(id, 1)).toMatchObject([
			{ answered: true, peer: place.wallet.address, visitor: { n: '1' } },
		]);
		const [execution] = await host.executions(id);
		expect(execution?.mode).toBe('manual');
	});

	it('starts the workflow although the page was closed, and n8n was killed', async () => {
		const { host } = place;
		const id = await publish('killed');
		const [early, late] = [await visit('webhook/killed?n=1'), await visit('webhook/killed?n=2')];
		const links = [await linkOn(early), await linkOn(late)];
		const stranger = await Peer.start(6, { baseUrl: place.backbone.baseUrl });
		try {
			await early.close();
			await answer(place.wallet, String(links[0]));
			await host.kill();
			await answer(stranger, String(links[1]));
			await host.start();
			await late.getByText('Thank you, Ada').waitFor();
			const got = await started(id, 2);
			expect(got).toHaveLength(2);
			expect(got).toContainEqual(expect.objectContaining({ visitor: { n: '1' } }));
			expect(got).toContainEqual(
				expect.objectContaining({ peer: stranger.address, visitor: { n: '2' } }),
			);
		} finally {
			await stranger.stop();
		}
	});
});
