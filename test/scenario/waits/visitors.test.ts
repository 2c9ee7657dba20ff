import '../../support/quick/delays';
import type { IDataObject } from 'n8n-workflow';
import type { Gateway } from '../../../core';
import { WaitingExecutions } from '../../support/n8n/waiting-executions';
import { until } from '../../support/until';
import { NodeBench } from '../../nodes/support/node-bench';

jest.setTimeout(60_000);

let bench: NodeBench;
let host: WaitingExecutions;
let executions = 0;

const trueTime = Date.now;
let aheadMs = 0;

beforeAll(async () => {
	jest.spyOn(Date, 'now').mockImplementation(() => trueTime() + aheadMs);
	bench = await NodeBench.open();
	host = await WaitingExecutions.open();
	host.credential = bench.credential;
	process.env['N8N_PORT'] = new URL(host.signedUrl('0', {})).port;
});
afterAll(async () => {
	delete process.env['N8N_PORT'];
	jest.restoreAllMocks();
	await bench.close();
	await host.down();
});

interface Page {
	readonly execution: string;
	readonly pageUrl: string;
	readonly statusUrl: string;
	/** what the node gives while it waits */
	readonly shown: IDataObject;
}

/** A visitor calls the workflow, and gets to a page. */
async function visit(parameters: IDataObject = {}, headers: IDataObject = {}): Promise<Page> {
	const execution = `exec${++executions}`;
	const [item] = await bench.run(
		'relationshipTemplate',
		'sendAndWait',
		{
			title: 'Connect with us',
			requestItems: { items: [{ kind: 'askFor', valueType: 'GivenName' }] },
			pageText: 'Scan to share your name.',
			...parameters,
		},
		{ executionId: execution, waiting: host, items: [{ json: { headers } }] },
	);
	const { body } = host.responses.get(execution) as { body: string };
	const [, config = '{}'] = /id="config">(.*?)<\/script>/.exec(body) ?? [];
	const { pageUrl, statusUrl } = JSON.parse(config) as Page;
	return { execution, pageUrl, statusUrl, shown: item?.json ?? {} };
}

/** The person scans the code and decides. */
async function answer(
	{ shown }: Page,
	wallet: Gateway,
	verb: 'accept' | 'reject' = 'accept',
	password?: string,
): Promise<string> {
	await wallet.templates.loadPeer({
		reference: String(shown['truncatedReference']),
		...(password === undefined ? {} : { password }),
	});
	await bench.network.settle(wallet);
	const [request] = await wallet.incomingRequests.list({
		where: [{ field: 'status', op: 'in', value: ['DecisionRequired', 'ManualDecisionRequired'] }],
	});
	const { address } = await wallet.account.getIdentity();
	const newAttribute = {
		'@type': 'IdentityAttribute' as const,
		owner: address,
		value: { '@type': 'GivenName' as const, value: 'Anna' },
	};
	const items =
		verb === 'accept' ? [{ accept: true as const, newAttribute }] : [{ accept: false as const }];
	await wallet.incomingRequests[verb](request?.id ?? '', { items });
	await bench.network.settle(wallet);
	return address;
}

/** A connected person answers who knows no more than the ID of the template. */
async function claim(wallet: Gateway, { shown }: Page, requestId: string): Promise<void> {
	const { address } = await bench.one('account', 'getIdentity');
	const { address: owner } = await wallet.account.getIdentity();
	const attribute = {
		'@type': 'IdentityAttribute' as const,
		owner,
		value: { '@type': 'GivenName' as const, value: 'Eve' },
	};
	const item = {
		'@type': 'ReadAttributeAcceptResponseItem' as const,
		result: 'Accepted',
		attributeId: requestId.replace('REQ', 'ATT'),
		attribute,
	};
	await wallet.messages.send({
		recipients: [String(address)],
		content: {
			'@type': 'ResponseWrapper',
			requestId,
			requestSourceReference: String(shown['templateId']),
			requestSourceType: 'RelationshipTemplate',
			response: { requestId, result: 'Accepted', items: [item] },
		},
	});
	await bench.settle();
}

async function stateOf({ statusUrl }: Page): Promise<unknown> {
	return await (await fetch(statusUrl)).json();
}

/** @param passMs how far the time moves on with each look */
async function stateAfter(page: Page, passMs = 0): Promise<unknown> {
	let state: unknown;
	await until(async () => {
		aheadMs += passMs;
		await bench.settle();
		state = await stateOf(page);
		return (state as { state: string }).state !== 'waiting';
	});
	return state;
}

async function outputOf(execution: string): Promise<IDataObject> {
	const [item] = await outputsOf(execution);
	return item ?? {};
}

/** Items with which the execution goes on, after the page has shown the outcome for a while. */
async function outputsOf(execution: string): Promise<IDataObject[]> {
	await until(async () => {
		aheadMs += 200;
		await bench.settle();
		return host.outputs(execution).length > 0;
	});
	const [items = []] = host.outputs(execution);
	return items;
}

async function relationships(): Promise<Array<{ peer: string; status: string }>> {
	const { gateway, release } = await bench.gateway();
	try {
		return await gateway.relationships.list();
	} finally {
		release();
	}
}

describe('a visitor', () => {
	it('sees the code, is thanked by name, and the execution goes on with the answer', async () => {
		const page = await visit();
		expect(host.status(page.execution)).toBe('waiting');
		const html = await (await fetch(page.pageUrl)).text();
		expect(html).toContain('Connect with us');
		expect(html).toContain('Scan to share your name.');
		expect(html).toContain('Waiting for your answer');
		expect(html).toContain(String(page.shown['link']).replaceAll('#', '&#35;').slice(0, 30));
		expect(await stateOf(page)).toEqual({ state: 'waiting' });
		const wallet = await bench.network.gateway();
		const address = await answer(page, wallet);
		expect(await stateAfter(page)).toEqual({ state: 'answered', name: 'Anna' });
		expect(await outputOf(page.execution)).toMatchObject({
			answered: true,
			timedOut: false,
			result: 'Accepted',
			answers: { GivenName: 'Anna' },
			peer: address,
			peerName: 'Anna',
			requestId: expect.stringMatching(/^REQ/),
			templateId: page.shown['templateId'],
			relationshipId: expect.stringMatching(/^REL/),
			relationshipStatus: 'Active',
			isNewRelationship: true,
		});
	});

	it('who is connected answers, too', async () => {
		const wallet = await bench.network.gateway();
		const first = await visit();
		await answer(first, wallet);
		await outputOf(first.execution);
		await bench.network.settle(wallet);
		const redirectUrl = 'https://example.com/in?x=1&request={requestId}';
		const second = await visit({ options: { redirectUrl } });
		await answer(second, wallet);
		const state = await stateAfter(second);
		const output = await outputOf(second.execution);
		expect(output['requestId']).toMatch(/^REQ/);
		expect(state).toEqual({
			state: 'answered',
			name: 'Anna',
			redirectTo: `https://example.com/in?x=1&request=${String(output['requestId'])}`,
		});
		expect(output).toMatchObject({
			answered: true,
			isNewRelationship: false,
			relationshipStatus: 'Active',
		});
	});

	it('who is connected and declines sees that, and the execution goes on', async () => {
		const wallet = await bench.network.gateway();
		const first = await visit();
		await answer(first, wallet);
		await outputOf(first.execution);
		await bench.network.settle(wallet);
		const second = await visit();
		await answer(second, wallet, 'reject');
		expect(await stateAfter(second)).toEqual({ state: 'rejected' });
		expect(await outputOf(second.execution)).toMatchObject({ answered: true, result: 'Rejected' });
	});

	it('is not accepted if the workflow decides that itself', async () => {
		const page = await visit({ acceptAutomatically: false });
		const address = await answer(page, await bench.network.gateway());
		expect(await outputOf(page.execution)).toMatchObject({
			answered: true,
			relationshipStatus: 'Pending',
			peerName: 'Anna',
		});
		expect(await relationships()).toContainEqual(
			expect.objectContaining({ peer: address, status: 'Pending' }),
		);
	});

	it('who withdraws meanwhile is not accepted, and the execution goes on', async () => {
		const page = await visit();
		const wallet = await bench.network.gateway();
		await answer(page, wallet);
		expect(await stateAfter(page)).toEqual({ state: 'answered', name: 'Anna' });
		const [relationship] = await wallet.relationships.list();
		await wallet.relationships.revoke(relationship?.id ?? '');
		expect(await outputOf(page.execution)).toMatchObject({
			answered: true,
			relationshipStatus: 'Revoked',
		});
	});

	it('is accepted although the Backbone fails at first', async () => {
		const page = await visit();
		const { faults } = bench.network.backbone;
		const failing = {
			path: /\/Accept/,
			times: 3,
			action: { kind: 'status', status: 503 },
		} as const;
		const failed = host.answered.filter(({ status }) => status === 503).length;
		faults.add(failing);
		await answer(page, await bench.network.gateway());
		expect(await outputOf(page.execution)).toMatchObject({ relationshipStatus: 'Active' });
		expect(host.answered.filter(({ status }) => status === 503).length).toBeGreaterThan(failed);
	});

	it('sees another page than another visitor', async () => {
		const [mine, other] = [await visit(), await visit()];
		await answer(other, await bench.network.gateway());
		expect(await stateAfter(other)).toEqual({ state: 'answered', name: 'Anna' });
		expect(await stateOf(mine)).toEqual({ state: 'waiting' });
		await outputOf(other.execution);
		expect(host.status(mine.execution)).toBe('waiting');
	});

	it('reads the page in the language of the browser', async () => {
		const german = { 'accept-language': 'de-AT,de;q=0.9,en;q=0.5' };
		const page = await visit({}, german);
		expect(host.responses.get(page.execution)).toMatchObject({
			body: expect.stringContaining('Einen Moment'),
		});
		const html = await (await fetch(page.pageUrl, { headers: german })).text();
		expect(html).toContain('Wir warten auf Ihre Antwort');
	});

	it('reads the texts of the workflow', async () => {
		const page = await visit({
			pageTexts: { waiting: 'On attend votre réponse', open: '' },
			options: { language: 'de' },
		});
		const html = await (await fetch(page.pageUrl)).text();
		expect(html).toContain('On attend votre réponse');
		expect(html).toContain('In der App öffnen');
	});
});

describe('several visitors of one page', () => {
	const two = { options: { numberOfPeople: 2 } };

	it('see how many have answered, no names, and the execution goes on with all answers', async () => {
		const page = await visit(two);
		expect(await stateOf(page)).toEqual({ state: 'waiting', progress: { answers: 0, wanted: 2 } });
		const first = await answer(page, await bench.network.gateway());
		await until(async () => {
			await bench.settle();
			return JSON.stringify(await stateOf(page)).includes('"answers":1');
		});
		expect(await (await fetch(page.pageUrl)).text()).toContain('1 of 2 people have answered');
		expect(host.status(page.execution)).toBe('waiting');
		const second = await answer(page, await bench.network.gateway());
		expect(await stateAfter(page)).toEqual({ state: 'answered' });
		const expected = [first, second].map((peer) =>
			expect.objectContaining({
				answered: true,
				timedOut: false,
				peer,
				answers: { GivenName: 'Anna' },
				relationshipStatus: 'Active',
			}),
		);
		const outputs = await outputsOf(page.execution);
		expect(outputs).toHaveLength(2);
		expect(outputs).toEqual(expect.arrayContaining(expected));
	});

	it('are people: one who sends several answers without the code does not count', async () => {
		const eve = await bench.network.gateway();
		const before = await visit();
		const address = await answer(before, eve);
		await outputOf(before.execution);
		await bench.network.settle(eve);
		const page = await visit({ options: { numberOfPeople: 2, password: '1234' } });
		for (const requestId of ['REQ00000000000000001', 'REQ00000000000000002']) {
			await claim(eve, page, requestId);
		}
		const refused = { code: 'error.gateway.requests.unprovenAnswer' };
		expect(await bench.one('outgoingRequest', 'getAll', { limit: 1 })).toMatchObject({
			peer: address,
			status: 'Expired',
			templateId: page.shown['templateId'],
			refusedAnswers: [refused, refused],
		});
		expect(await stateOf(page)).toEqual({ state: 'waiting', progress: { answers: 0, wanted: 2 } });
		const people = [await bench.network.gateway(), await bench.network.gateway()];
		const addresses: string[] = [];
		for (const person of people) addresses.push(await answer(page, person, 'accept', '1234'));
		const outputs = await outputsOf(page.execution);
		expect(outputs.map(({ peer }) => peer).sort()).toEqual(addresses.sort());
	});

	it('who are connected answer a code with a password if the workflow wants that', async () => {
		const eve = await bench.network.gateway();
		const before = await visit();
		await answer(before, eve);
		await outputOf(before.execution);
		await bench.network.settle(eve);
		const page = await visit({ options: { password: '1234', acceptUnprovenAnswers: true } });
		const peer = await answer(page, eve, 'accept', '1234');
		expect(await outputOf(page.execution)).toMatchObject({ answered: true, peer });
	});

	it('are not waited for after the time, and the answers so far count', async () => {
		const limitWaitTime = {
			values: { limitType: 'afterTimeInterval', resumeAmount: 0.1, resumeUnit: 'minutes' },
		};
		const options = { numberOfPeople: 3, limitWaitTime, noAnswer: 'error' };
		const page = await visit({ options });
		const only = await answer(page, await bench.network.gateway());
		expect(await stateAfter(page, 200)).toEqual({ state: 'expired' });
		expect(await outputsOf(page.execution)).toMatchObject([
			{ answered: true, timedOut: true, peer: only, relationshipStatus: 'Active' },
		]);
	});

	it('whose template is deleted leave the answers so far', async () => {
		const page = await visit(two);
		const only = await answer(page, await bench.network.gateway());
		await until(async () => {
			await bench.settle();
			return JSON.stringify(await stateOf(page)).includes('"answers":1');
		});
		await bench.one('relationshipTemplate', 'delete', { template: page.shown['templateId'] });
		expect(await outputsOf(page.execution)).toMatchObject([{ answered: true, peer: only }]);
	});
});

describe('what a page is asked for', () => {
	it('changes nothing: robots, reloads, second tabs and guessed addresses', async () => {
		const page = await visit();
		const guessed = new URL(page.pageUrl);
		guessed.searchParams.set('key', '00000000-0000-4000-8000-000000000000');
		const unsigned = new URL(page.pageUrl);
		unsigned.searchParams.delete('signature');
		const calls = [page.pageUrl, page.pageUrl, page.statusUrl, guessed, unsigned];
		const statuses = await Promise.all(calls.map(async (url) => (await fetch(url)).status));
		expect(statuses).toEqual([200, 200, 200, 410, 401]);
		const post = await fetch(page.pageUrl, { method: 'POST', body: '{"answered":true}' });
		expect(post.status).toBe(409);
		expect(host.status(page.execution)).toBe('waiting');
		await answer(page, await bench.network.gateway());
		expect(await outputOf(page.execution)).toMatchObject({ answered: true });
	});

	it('tells nothing of the account when it cannot be read', async () => {
		const page = await visit();
		host.credential = { ...bench.credential, clientSecret: '' };
		const answered = await fetch(page.pageUrl);
		host.credential = bench.credential;
		expect(answered.status).toBe(503);
		expect(await stateOf(page)).toEqual({ state: 'waiting' });
	});
});

describe('without an answer', () => {
	const limitWaitTime = {
		values: { limitType: 'afterTimeInterval', resumeAmount: 0.03, resumeUnit: 'minutes' },
	};

	it('the page and the execution tell that the time is up', async () => {
		const page = await visit({ options: { limitWaitTime } });
		expect(await stateAfter(page, 200)).toEqual({ state: 'expired' });
		expect(await outputOf(page.execution)).toEqual({
			answered: false,
			timedOut: true,
			templateId: page.shown['templateId'],
		});
	});

	it('the execution tells that the template was deleted', async () => {
		const page = await visit();
		await bench.one('relationshipTemplate', 'delete', { template: page.shown['templateId'] });
		expect(await stateAfter(page)).toEqual({ state: 'gone' });
		expect(await outputOf(page.execution)).toMatchObject({
			answered: false,
			timedOut: false,
			reason: 'templateDeleted',
		});
	});
});

describe('fields that make no page', () => {
	it.each([
		['no title', { title: '' }, "The field 'Title' is not valid"],
		[
			'no title in JSON',
			{
				contentMode: 'json',
				content: {
					'@type': 'RelationshipTemplateContent',
					onNewRelationship: {
						'@type': 'Request',
						items: [{ '@type': 'ConsentRequestItem', consent: 'Yes?', mustBeAccepted: true }],
					},
				},
			},
			'The page has no title',
		],
		[
			'an address that is not a https address',
			{ options: { redirectUrl: 'http://example.com' } },
			"The field 'Redirect URL' is not valid",
		],
		[
			'an address with the ID of one request for several people',
			{
				options: { numberOfPeople: 2, redirectUrl: 'https://example.com/?request={requestId}' },
			},
			"'Redirect URL' cannot contain {requestId} for several people",
		],
		['no people', { options: { numberOfPeople: 0 } }, "The field 'Number of People' is not valid"],
		[
			'a template that asks for nothing',
			{
				contentMode: 'json',
				content: '{ "@type": "ArbitraryRelationshipTemplateContent", "value": 1 }',
			},
			"Expected a 'RelationshipTemplateContent'",
		],
	])('%s', async (_name, parameters, message) => {
		await expect(visit(parameters as IDataObject)).rejects.toThrow(message);
		expect(host.status(`exec${executions}`)).not.toBe('waiting');
	});
});
