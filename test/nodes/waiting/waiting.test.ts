import type { IDataObject } from 'n8n-workflow';
import { judged, type GatewayFacade } from '../../../core';
import { systemClock } from '../../../core/base/clock';
import { silentLogger } from '../../../core/base/logger';
import { systemRandom } from '../../../core/base/random';
import { parseGatewayConfig } from '../../../core/config';
import { learnVersion as learn } from '../../../core/domain/peer-version';
import type { Evidence } from '../../../core/model/content/version-evidence';
import { openStore } from '../../../core/store/open-store';
import { Enmeshed } from '../../../nodes/Enmeshed/Enmeshed.node';
import { toGatewayConfig } from '../../../nodes/Enmeshed/gateway/acquire-gateway';
import { keepFurtherCalls } from '../../../nodes/Enmeshed/waiting/resumed-node';
import { testNode } from '../../support/n8n/n8n-functions';
import { WaitingExecutions } from '../../support/n8n/waiting-executions';
import { until } from '../../support/until';
import { NodeBench } from '../support/node-bench';

jest.setTimeout(60_000);

let bench: NodeBench;
let host: WaitingExecutions;
let person: string;
let executions = 0;

beforeAll(async () => {
	bench = await NodeBench.open();
	host = await WaitingExecutions.open();
	host.credential = bench.credential;
	process.env['N8N_PORT'] = new URL(host.signedUrl('0', {})).port;
	const { address, relationshipId } = await bench.connect();
	person = address;
	await bench.one('relationship', 'accept', { relationship: relationshipId });
	await bench.network.settle(bench.wallet);
});
afterAll(async () => {
	delete process.env['N8N_PORT'];
	await bench.close();
	await host.down();
});

/** Runs the node in an execution of its own, and answers its id. */
async function ask(parameters: IDataObject, items = 1): Promise<string> {
	const executionId = `exec${++executions}`;
	const entered = { to: person, message: 'May we?', ...parameters };
	await bench.run('outgoingRequest', 'sendAndWait', entered, {
		executionId,
		waiting: host,
		items: Array.from({ length: items }, () => ({ json: {} })),
	});
	return executionId;
}

async function openRequest(): Promise<{ id: string; content: { items: unknown[] } }> {
	await bench.network.settle(bench.wallet);
	const [request] = await bench.wallet.incomingRequests.list({
		where: [{ field: 'status', op: 'in', value: ['DecisionRequired', 'ManualDecisionRequired'] }],
	});
	if (request === undefined) throw new Error('The wallet has no open request');
	return request as never;
}

async function answer(items: object[]): Promise<void> {
	const { id } = await openRequest();
	const { wallet } = bench;
	const isAccepted = items.some((item) => 'accept' in item && item.accept === true);
	await wallet.incomingRequests[isAccepted ? 'accept' : 'reject'](id, judged({ items }));
	await bench.network.settle(wallet);
}

/** The person writes a mail to the account. */
async function reply(body: string): Promise<void> {
	await bench.network.settle(bench.wallet);
	const [relationship] = await bench.wallet.relationships.list();
	const to = relationship?.peer ?? '';
	const content = { '@type': 'Mail' as const, to: [to], subject: 'Re', body };
	await bench.wallet.messages.send({ recipients: [to], content });
}

async function outputOf(executionId: string): Promise<IDataObject> {
	await until(async () => {
		await bench.settle();
		return host.outputs(executionId).length > 0;
	});
	const [[item] = []] = host.outputs(executionId);
	return item ?? {};
}

/** The account learns the version of the person's wallet, as from content that reveals it. */
async function learnVersion(evidence: Evidence): Promise<void> {
	const base = { clock: systemClock, random: systemRandom, logger: silentLogger };
	const store = await openStore(parseGatewayConfig(toGatewayConfig(bench.credential)), base);
	try {
		await store.transact((tx) => learn(tx, person, evidence));
	} finally {
		await store.close();
	}
}

async function withGateway<Result>(
	work: (gateway: GatewayFacade) => Promise<Result>,
): Promise<Result> {
	const { gateway, release } = await bench.gateway();
	try {
		return await work(gateway);
	} finally {
		release();
	}
}

const post = (url: string, method = 'POST') =>
	fetch(url, { method, ...(method === 'POST' ? { body: '{"data":{"approved":true}}' } : {}) });

describe('an approval', () => {
	it('continues the execution with the decision of the person', async () => {
		const execution = await ask({ title: 'Discount' });
		expect(host.status(execution)).toBe('waiting');
		const { content } = await openRequest();
		expect(content).toMatchObject({
			title: 'Discount',
			items: [{ '@type': 'ConsentRequestItem', consent: 'May we?', mustBeAccepted: true }],
		});
		await answer([{ accept: true }]);
		expect(await outputOf(execution)).toMatchObject({
			data: { approved: true, respondedAt: expect.any(String) },
			answered: true,
			timedOut: false,
			result: 'Accepted',
			answers: { Consent: true },
			response: { '@type': 'Response', result: 'Accepted' },
			peer: person,
			requestId: expect.stringMatching(/^REQ/),
		});
	});

	it('tells of a decline', async () => {
		const execution = await ask({});
		await answer([{ accept: false }]);
		expect(await outputOf(execution)).toMatchObject({
			data: { approved: false },
			answered: true,
			result: 'Rejected',
		});
	});

	it('shows a link', async () => {
		const execution = await ask({
			options: { link: 'https://example.com/offer', linkDisplayText: 'The offer' },
		});
		expect((await openRequest()).content.items).toMatchObject([
			{ link: 'https://example.com/offer', linkDisplayText: 'The offer' },
		]);
		await answer([{ accept: true }]);
		await outputOf(execution);
	});
});

describe('a node for human review', () => {
	/** Asks about a call of a tool with these parameters, with the message that n8n suggests. */
	async function review(parameters: unknown): Promise<string> {
		const executionId = `exec${++executions}`;
		const message = 'The agent wants to run this tool: Pay\n\nInput:\n[object Object]';
		const entered = { to: person, message };
		const node = { type: 'n8n-nodes-enmeshed.enmeshedHitlTool' };
		const waiting = { executionId, waiting: host, node, calledTool: { name: 'Pay', parameters } };
		await bench.run('outgoingRequest', 'sendAndWait', entered, waiting);
		return executionId;
	}

	const consent = async () =>
		((await openRequest()).content.items as Array<{ consent: string }>)[0]?.consent;

	it.each([
		['names and values', { amount: 60, to: 'Ada' }, 'amount: 60\nto: Ada'],
		['JSON for lists', { to: ['Ada', 'Bob'] }, 'to: ["Ada","Bob"]'],
		['JSON for a value that looks like several', { to: 'A\namount: 1' }, 'to: "A\\namount: 1"'],
		['characters that turn text around', { to: 'A\u202eb' }, 'to: "A\\u202eb"'],
		['a replacement pattern as it is', { to: "$' $&" }, "to: $' $&"],
		['a text', 'all of it', 'all of it'],
		['nothing, if there are no parameters', undefined, ''],
	])('shows the parameters of the call: %s', async (_name, parameters, shown) => {
		const execution = await review(parameters);
		expect(await consent()).toBe(`The agent wants to run this tool: Pay\n\nInput:\n${shown}`);
		await answer([{ accept: false }]);
		await outputOf(execution);
	});

	it.each([
		['a text', { amount: 60, to: '' }, '{{ $tool.parameters.to }}'],
		['no value', { to: 'Ada' }, '{{ $tool.parameters.amount }}'],
	])('sends no incomplete sentence: %s', async (_what, parameters, empty) => {
		const { amount, to } = parameters as { amount?: number; to: string };
		const before = (await bench.wallet.incomingRequests.list()).length;
		const asked = bench.run(
			'outgoingRequest',
			'sendAndWait',
			{ to: person, message: `pay ${amount ?? ''} € to ${to}.` },
			{
				executionId: `exec${++executions}`,
				waiting: host,
				node: { type: 'n8n-nodes-enmeshed.enmeshedHitlTool' },
				expressions: {
					entered: {
						message: '=pay {{ $tool.parameters.amount }} € to {{ $tool.parameters.to }}.',
					},
					values: {
						'{{ $tool.parameters.amount }}': amount,
						'{{ $tool.parameters.to }}': to,
					},
				},
			},
		);
		await expect(asked).rejects.toMatchObject({
			message: expect.stringContaining(empty) as string,
			context: { code: 'error.gateway.waits.emptyExpression' },
		});
		await bench.network.settle(bench.wallet);
		expect(await bench.wallet.incomingRequests.list()).toHaveLength(before);
	});

	it('answers the agent without the complete response', async () => {
		const execution = await ask({});
		await answer([{ accept: true }]);
		expect(await outputOf(execution)).toHaveProperty('response');
		host.nodeType = 'n8n-nodes-enmeshed.enmeshedHitlTool';
		const reviewed = await review({ amount: 60 });
		await answer([{ accept: true }]);
		const output = await outputOf(reviewed);
		host.nodeType = undefined;
		expect(output).toMatchObject({ data: { approved: true }, answers: { Consent: true } });
		expect(output).not.toHaveProperty('response');
	});
});

describe('the resumed node, which n8n has disabled', () => {
	const stackOf = (...nodeExecutionStack: object[]) =>
		({ runExecutionData: { executionData: { nodeExecutionStack } } }) as never;

	it('stays disabled, but not for further calls in the same step of an agent', () => {
		const node = { ...testNode, disabled: true };
		const [resumed, further] = [{ node }, { node }];
		keepFurtherCalls(stackOf(resumed, further));
		expect(resumed.node).toEqual({ ...testNode, disabled: true });
		expect(further.node).toEqual(testNode);
	});

	it.each([
		['without further nodes', []],
		['before another node', [{ node: { ...testNode } }]],
	])('stays as it is %s', (_name, others) => {
		const resumed = { node: { ...testNode, disabled: true } };
		const { node } = resumed;
		keepFurtherCalls(stackOf(resumed, ...others));
		expect(resumed.node).toBe(node);
		expect(node.disabled).toBe(true);
	});

	it('is left alone on hosts that do not show it', () => {
		expect(() => keepFurtherCalls({} as never)).not.toThrow();
	});
});

it('an agent in whose step the execution cannot wait gets an error, and no person is asked', async () => {
	const asking = bench.run(
		'outgoingRequest',
		'sendAndWait',
		{ to: person, message: 'May we?' },
		{ executionId: `exec${++executions}`, waiting: host, isTool: true },
	);
	await expect(asking).rejects.toMatchObject({
		context: { code: 'error.gateway.waits.cannotWaitHere' },
	});
	await expect(openRequest()).rejects.toThrow('no open request');
});

it('a request continues the execution with what the person shared', async () => {
	const execution = await ask({
		responseType: 'request',
		requestItems: { items: [{ kind: 'askFor', valueType: 'GivenName' }] },
	});
	expect((await openRequest()).content).toMatchObject({ description: 'May we?' });
	const { address } = await bench.wallet.account.getIdentity();
	const newAttribute = {
		'@type': 'IdentityAttribute' as const,
		owner: address,
		value: { '@type': 'GivenName' as const, value: 'Anna' },
	};
	await answer([{ accept: true, newAttribute }]);
	const output = await outputOf(execution);
	expect(output).toMatchObject({
		answered: true,
		result: 'Accepted',
		answers: { GivenName: 'Anna' },
		peerName: 'Anna',
	});
	expect(output).not.toHaveProperty('data');
});

describe('a question with a free text', () => {
	it('goes as a mail to a wallet of unknown version, and the next mail is the answer', async () => {
		const execution = await ask({ responseType: 'freeText', message: 'Which colour?' });
		await bench.network.settle(bench.wallet);
		const [question] = await bench.wallet.messages.list({
			orderBy: { field: 'inserted', direction: 'desc' },
		});
		expect(question?.content).toMatchObject({
			...{ '@type': 'Mail', subject: 'Which colour?', body: 'Which colour?' },
		});
		await reply('Green');
		expect(await outputOf(execution)).toMatchObject({
			data: { text: 'Green' },
			answered: true,
			body: 'Green',
			messageId: expect.stringMatching(/^MSG/),
		});
	});

	it('goes as a question to a wallet of version 6', async () => {
		await learnVersion({ version: 6 });
		const execution = await ask({ responseType: 'freeText', message: 'Which colour?' });
		expect((await openRequest()).content.items).toEqual([
			{ '@type': 'FreeTextRequestItem', mustBeAccepted: true, freeText: 'Which colour?' },
		]);
		await answer([{ accept: true, freeText: 'Green' }]);
		expect(await outputOf(execution)).toMatchObject({
			data: { text: 'Green', respondedAt: expect.any(String) },
			answered: true,
			answers: { FreeText: 'Green' },
			requestId: expect.stringMatching(/^REQ/),
		});
	});

	it('goes as a mail to a wallet of version 7, which knows no such questions', async () => {
		await learnVersion({ version: 7 });
		const execution = await ask({ responseType: 'freeText', message: 'Which size?' });
		await bench.network.settle(bench.wallet);
		const [question] = await bench.wallet.messages.list({
			orderBy: { field: 'inserted', direction: 'desc' },
		});
		expect(question?.content).toMatchObject({ '@type': 'Mail', body: 'Which size?' });
		await reply('Small');
		expect(await outputOf(execution)).toMatchObject({ data: { text: 'Small' }, body: 'Small' });
		await learnVersion({ before: 7 });
	});
});

it('a mail continues the execution with the reply', async () => {
	const executionId = `exec${++executions}`;
	await bench.run(
		'message',
		'sendAndWait',
		{ to: person, subject: 'Lunch', body: 'When?' },
		{ executionId, waiting: host },
	);
	expect(host.status(executionId)).toBe('waiting');
	await reply('At noon');
	expect(await outputOf(executionId)).toMatchObject({
		data: { text: 'At noon', respondedAt: expect.any(String) },
		answered: true,
		subject: 'Re',
		body: 'At noon',
		attachments: [],
		peer: person,
		messageId: expect.stringMatching(/^MSG/),
	});
});

describe('without an answer', () => {
	it('the execution goes on when the time is up, and the question has expired', async () => {
		const limitWaitTime = {
			values: { limitType: 'afterTimeInterval', resumeAmount: 0.02, resumeUnit: 'minutes' },
		};
		const execution = await ask({ options: { limitWaitTime } });
		expect((await openRequest()).content).toHaveProperty('expiresAt');
		expect(await outputOf(execution)).toMatchObject({
			data: { approved: false },
			answered: false,
			timedOut: true,
			peer: person,
		});
	});

	it('the node fails if the workflow wants that', async () => {
		const limitWaitTime = {
			values: { limitType: 'afterTimeInterval', resumeAmount: 0.02, resumeUnit: 'minutes' },
		};
		const execution = await ask({ options: { limitWaitTime, noAnswer: 'error' } });
		expect(await outputOf(execution)).toEqual({ error: 'The person did not answer in time' });
		expect(host.failure(execution)).toMatchObject({
			context: { code: 'error.gateway.waits.timeIsUp' },
		});
	});

	it.each([
		[
			'continueErrorOutput',
			{
				error: 'The person did not answer in time',
				message: expect.stringMatching(
					/^The person .*Limit Wait Time.*error\.gateway\.waits\.timeIsUp/,
				),
			},
		],
		[
			'continueRegularOutput',
			{
				error: 'The person did not answer in time (error.gateway.waits.timeIsUp)',
				message: 'The person did not answer in time',
				description: expect.stringContaining("'Limit Wait Time'"),
				code: 'error.gateway.waits.timeIsUp',
			},
		],
	] as const)('the node says why with On Error %s', async (onError, json) => {
		const limitWaitTime = {
			values: { limitType: 'afterTimeInterval', resumeAmount: 0.02, resumeUnit: 'minutes' },
		};
		host.onError = onError;
		const execution = await ask({ options: { limitWaitTime, noAnswer: 'error' } });
		const output = await outputOf(execution);
		host.onError = undefined;
		expect(output).toEqual(json);
		expect(host.failure(execution)).toBeUndefined();
	});

	it('the person is reminded', async () => {
		const values = { remindAmount: 0.005, remindUnit: 'minutes', subject: 'Hm', body: 'Please.' };
		const execution = await ask({ options: { reminder: { values } } });
		await until(async () => {
			await bench.network.settle(bench.wallet);
			const mails = await bench.wallet.messages.list({
				where: [{ field: 'subject', op: 'eq', value: 'Hm' }],
			});
			return mails.length > 0;
		});
		await answer([{ accept: true }]);
		expect(await outputOf(execution)).toMatchObject({ data: { approved: true } });
	});

	it('a call of the address changes nothing, whatever it sends', async () => {
		const execution = await ask({});
		const id = ['instance1', execution, testNode.id].join(':');
		const all = await withGateway(async ({ waits }) => await waits.list());
		const { key = '' } = all.find((wait) => wait.id === id) ?? {};
		const statuses = await Promise.all([
			post(host.signedUrl(execution, { wait: id, key })),
			post(host.signedUrl(execution, { wait: id, key }), 'GET'),
			post(host.signedUrl(execution, { wait: id, key: 'guessed' })),
			post(host.signedUrl(execution, {})),
		]);
		expect(statuses.map(({ status }) => status)).toEqual([409, 405, 409, 409]);
		expect(host.status(execution)).toBe('waiting');
		await answer([{ accept: true }]);
		expect(await outputOf(execution)).toMatchObject({ data: { approved: true } });
	});

	it('a credential that leads to another account meanwhile leaves the execution waiting', async () => {
		const execution = await ask({});
		const options = { sqliteFolder: bench.network.newFolder() };
		host.credential = { ...bench.credential, options };
		await answer([{ accept: true }]);
		await until(async () => {
			await bench.settle();
			return host.answered.some((call) => call.execution === execution);
		});
		expect(host.answered).not.toContainEqual({ execution, status: 200 });
		expect(host.status(execution)).toBe('waiting');
		host.credential = bench.credential;
		expect(await outputOf(execution)).toMatchObject({ data: { approved: true } });
	});

	it('an account that cannot be read leaves the execution waiting', async () => {
		const execution = await ask({});
		host.credential = { ...bench.credential, clientSecret: '' };
		await answer([{ accept: true }]);
		await until(async () => {
			await bench.settle();
			return host.answered.some(({ status }) => status === 503);
		});
		expect(host.status(execution)).toBe('waiting');
		host.credential = bench.credential;
		expect(await outputOf(execution)).toMatchObject({ data: { approved: true } });
	});
});

describe('a question that cannot be asked', () => {
	it.each([
		['to several people at once', {}, 2, 'error.gateway.waits.severalItems'],
		[
			'to a person who is not connected',
			{ to: `did:e:backbone.example.com:dids:${'0'.repeat(22)}` },
			1,
			/missingRelationship|invalidPropertyValue|address/i,
		],
		[
			'until a time in the past',
			{
				options: {
					limitWaitTime: {
						values: { limitType: 'atSpecifiedTime', maxDateAndTime: '2020-01-01T00:00:00Z' },
					},
				},
			},
			1,
			'error.gateway.waits.deadlinePassed',
		],
	])('%s fails at once with a code', async (_name, parameters, items, code) => {
		const failed: unknown = await ask(parameters as IDataObject, items).catch(
			(error: unknown) => error,
		);
		expect(failed).toBeInstanceOf(Error);
		const shown = (failed as { context: { code?: string } }).context.code ?? '';
		if (typeof code === 'string') expect(shown).toBe(code);
		else expect(shown).toMatch(code);
		expect(host.status(`exec${executions}`)).not.toBe('waiting');
	});
});

it('the node for human review asks with a request', () => {
	const [first] = new Enmeshed().description.properties.filter(
		({ name, options = [] }) =>
			name === 'operation' &&
			options.some((option) => 'value' in option && option.value === 'sendAndWait'),
	);
	expect(first?.displayOptions?.show?.['resource']).toEqual(['outgoingRequest']);
});

it('the node offers n8n the addresses that resume an execution', () => {
	expect(new Enmeshed().description.webhooks).toMatchObject([
		{ httpMethod: 'GET', restartWebhook: true, path: '={{ $nodeId }}' },
		{ httpMethod: 'POST', restartWebhook: true, path: '={{ $nodeId }}' },
	]);
});
