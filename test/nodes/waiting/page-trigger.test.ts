import type { IDataObject, INodeExecutionData } from 'n8n-workflow';
import type { Gateway } from '../../../core';
import { EnmeshedPageTrigger } from '../../../nodes/Enmeshed/EnmeshedPageTrigger.node';
import { CodeLimit } from '../../../nodes/Enmeshed/page-trigger/code-limit';
import { visitorQuery } from '../../../nodes/Enmeshed/page-trigger/visits';
import { pageAnswerOutputSchema } from '../../../nodes/Enmeshed/schemas/awaited-answer';
import {
	defaultsOf,
	executeFunctions,
	triggerFunctions,
	webhookFunctions,
	type StubOptions,
	type TriggerStub,
} from '../../support/n8n/n8n-functions';
import { settle } from '../../support/gateways';
import { until } from '../../support/until';
import { NodeBench } from '../support/node-bench';

jest.setTimeout(60_000);

type Started = Awaited<ReturnType<EnmeshedPageTrigger['trigger']>>;

const node = new EnmeshedPageTrigger();
let bench: NodeBench;
const open: Started[] = [];

beforeAll(async () => {
	bench = await NodeBench.open();
});

afterEach(async () => {
	for (const trigger of open.splice(0)) await trigger.closeFunction?.();
	bench.network.backbone.faults.clear();
});

afterAll(async () => {
	await bench?.close();
});

/** The page of a node of its own. */
class Page {
	readonly options: StubOptions;

	constructor(id: string, parameters: IDataObject = {}, options: StubOptions = {}) {
		this.options = {
			credentials: bench.credential,
			node: { id },
			...options,
			parameters: {
				...defaultsOf(node.description.properties),
				title: 'Log in at Example Organisation',
				requestItems: { items: [{ kind: 'askFor', valueType: 'GivenName' }] },
				...parameters,
			},
		};
	}

	async get(query: IDataObject, headers: IDataObject = {}) {
		const answers: Array<{ status: number; body: string; headers: Record<string, string> }> = [];
		const functions = webhookFunctions(this.options, {
			method: 'GET',
			query,
			headers,
			respond: (status, body, given = {}) =>
				answers.push({ status, body: String(body), headers: { ...given } as never }),
		});
		const { workflowData, noWebhookResponse } = await node.webhook.call(functions);
		expect(noWebhookResponse).toBe(true);
		const [answer, ...more] = answers;
		expect(more).toEqual([]);
		if (answer === undefined) throw new Error('No answer');
		return { ...answer, workflowData };
	}

	/** A visitor opens the page; answers the parameters of the visitor's own address. */
	async enter(query: IDataObject = {}): Promise<IDataObject> {
		const { status, headers } = await this.get({ ...query, show: 'code' });
		expect(status).toBe(303);
		return Object.fromEntries(new URL(String(headers['location'])).searchParams);
	}

	async linkOf(visitor: IDataObject): Promise<string> {
		const { body } = await this.get(visitor);
		return String(/class="button" href="([^"]+)"/.exec(body)?.[1]);
	}

	async stateOf(visitor: IDataObject): Promise<IDataObject> {
		await bench.settle();
		const { body } = await this.get({ ...visitor, show: 'status' });
		return JSON.parse(body) as IDataObject;
	}

	async publish(): Promise<TriggerStub> {
		const stub = triggerFunctions(this.options);
		stub.onEmit = (emission) => emission.settle({ status: 'success' });
		open.push(await node.trigger.call(stub.functions));
		return stub;
	}
}

async function answer(
	link: string,
	wallet: Gateway,
	verb: 'accept' | 'reject' = 'accept',
): Promise<string> {
	await wallet.templates.loadPeer({ reference: link });
	await settle(wallet);
	const [request] = await wallet.incomingRequests.list({
		where: [{ field: 'status', op: 'in', value: ['DecisionRequired', 'ManualDecisionRequired'] }],
	});
	const { address: owner } = await wallet.account.getIdentity();
	const value = { '@type': 'GivenName' as const, value: 'Anna' };
	const newAttribute = { '@type': 'IdentityAttribute' as const, owner, value };
	const items =
		verb === 'accept' ? [{ accept: true as const, newAttribute }] : [{ accept: false as const }];
	await wallet.incomingRequests[verb](request?.id ?? '', { items });
	await settle(wallet);
	await bench.settle();
	return owner;
}

/** A person who is connected with the account. */
async function connectedPerson(): Promise<Gateway> {
	const person = await bench.network.gateway();
	const { relationshipId } = await bench.connect(person);
	await bench.one('relationship', 'accept', { relationship: relationshipId });
	await settle(person);
	return person;
}

const jsonOf = (items: INodeExecutionData[] = []) => items.map(({ json }) => json);

const templates = async () => (await bench.run('relationshipTemplate', 'getAll', {})).length;

describe('the page of a trigger', () => {
	it('leads browsers to a code of their own, and makes none for robots', async () => {
		const page = new Page('robots');
		const before = await templates();
		const { status, body, headers } = await page.get({ session: 'a&b', visitor2: 'x' });
		expect(status).toBe(200);
		expect(headers).toMatchObject({
			'x-robots-tag': 'noindex, nofollow',
			'cache-control': 'no-store',
			'content-security-policy': expect.stringContaining('sandbox allow-scripts;'),
		});
		const [, config = '{}'] = /id="config">(.*?)<\/script>/.exec(body) ?? [];
		expect(JSON.parse(config)).toEqual({
			pageUrl: 'https://n8n.example.com/webhook/page?session=a%26b&visitor2=x&show=code',
			statusUrl: 'https://n8n.example.com/webhook/page?show=ready',
		});
		expect(await page.get({ show: 'ready' })).toMatchObject({
			status: 200,
			body: '{"state":"ready"}',
			headers: { 'access-control-allow-origin': '*' },
		});
		expect(await templates()).toBe(before);
	});

	it('is dark from its first bytes in dark mode', async () => {
		const page = new Page('dark');
		const visitor = await page.enter();
		for (const { body } of [await page.get({}), await page.get(visitor)]) {
			const first = body.slice(0, 300);
			expect(first).toContain('<meta name="color-scheme" content="light dark">');
			expect(first).toContain('prefers-color-scheme:dark){html{background:#171717}}');
		}
	});

	it('starts the workflow once with the answer of a new person', async () => {
		const page = new Page('new', { pageText: 'Share your name.', answeredText: 'See you soon.' });
		const stub = await page.publish();
		const visitor = await page.enter({ session: '42' });
		expect(Object.keys(visitor)).toEqual(['visitor']);
		expect(String(visitor['visitor'])).toMatch(/^[\w-]{22}$/);
		const shown = await page.get(visitor);
		expect(shown.status).toBe(200);
		expect(shown.body).toContain('Share your name.');
		expect(await page.stateOf(visitor)).toEqual({ state: 'waiting' });
		const wallet = await bench.network.gateway();
		const address = await answer(await page.linkOf(visitor), wallet);
		await until(() => stub.emissions.length === 1);
		const [json = {}] = jsonOf(stub.emissions[0]?.items);
		const previewed = Object.keys(pageAnswerOutputSchema.shape);
		expect(previewed.filter((member) => member in json)).toEqual(Object.keys(json));
		expect(jsonOf(stub.emissions[0]?.items)).toMatchObject([
			{
				id: expect.any(String),
				answered: true,
				result: 'Accepted',
				answers: { GivenName: 'Anna' },
				peer: address,
				peerName: 'Anna',
				isNewRelationship: true,
				relationshipStatus: 'Active',
				visitor: { session: '42' },
			},
		]);
		expect(await page.stateOf(visitor)).toEqual({ state: 'answered', name: 'Anna' });
		const after = await page.get(visitor);
		expect(after.body).toContain('See you soon.');
		expect(after.workflowData).toBeUndefined();
		await bench.settle();
		expect(stub.emissions).toHaveLength(1);
	});

	it('serves visitors at the same time, each with the own answer only', async () => {
		const page = new Page('two', {
			afterTheAnswer: 'redirect',
			redirectUrl: 'https://example.com/in?request={requestId}',
		});
		const stub = await page.publish();
		const [one, other] = [await page.enter({ n: '1' }), await page.enter({ n: '2' })];
		const person = await connectedPerson();
		const address = await answer(await page.linkOf(other), person);
		await until(() => stub.emissions.length === 1);
		const [started] = jsonOf(stub.emissions[0]?.items);
		expect(started).toMatchObject({
			peer: address,
			visitor: { n: '2' },
			isNewRelationship: false,
		});
		expect(await page.stateOf(one)).toEqual({ state: 'waiting' });
		expect(await page.stateOf(other)).toMatchObject({
			state: 'answered',
			redirectTo: `https://example.com/in?request=${String(started?.['requestId'])}`,
		});
	});

	it('starts the workflow after a restart with what was answered meanwhile', async () => {
		const page = new Page('restart');
		const before = await page.publish();
		const visitor = await page.enter();
		for (const trigger of open.splice(0)) await trigger.closeFunction?.();
		await answer(await page.linkOf(visitor), await bench.network.gateway());
		const after = await page.publish();
		await until(() => after.emissions.length === 1);
		expect(before.emissions).toEqual([]);
		expect(jsonOf(after.emissions[0]?.items)).toMatchObject([{ answered: true, visitor: {} }]);
	});

	it('starts no other workflow', async () => {
		const [page, other] = [new Page('own'), new Page('other')];
		const [stub, silent] = [await page.publish(), await other.publish()];
		const visitor = await page.enter();
		await answer(await page.linkOf(visitor), await bench.network.gateway());
		await until(() => stub.emissions.length === 1);
		const next = await other.enter();
		await answer(await other.linkOf(next), await bench.network.gateway());
		await until(() => silent.emissions.length === 1);
		expect(stub.emissions).toHaveLength(1);
		expect((await other.get(visitor)).status).toBe(404);
	});

	it('refuses new people if only connected people can answer', async () => {
		const page = new Page('connected', {
			whoCanAnswer: 'connected',
			afterTheAnswer: 'redirect',
			redirectUrl: 'https://example.com/in?request={requestId}',
		});
		const stub = await page.publish();
		const visitor = await page.enter();
		const stranger = await bench.network.gateway();
		await answer(await page.linkOf(visitor), stranger);
		await until(async () => {
			await settle(stranger);
			const [relationship] = await stranger.relationships.list();
			return relationship?.status === 'Rejected';
		});
		expect(await page.stateOf(visitor)).toEqual({ state: 'gone' });
		const known = await page.enter();
		const address = await answer(await page.linkOf(known), await connectedPerson());
		await until(() => stub.emissions.length === 1);
		expect(jsonOf(stub.emissions[0]?.items)).toMatchObject([{ peer: address }]);
	});

	it.each([
		['', false],
		[', which the option changes', true],
	])('starts no workflow when a person declines%s', async (_name, startWhenDeclined) => {
		const page = new Page(`declined-${startWhenDeclined}`, { options: { startWhenDeclined } });
		const stub = await page.publish();
		const person = await connectedPerson();
		const declined = await page.enter();
		await answer(await page.linkOf(declined), person, 'reject');
		expect(await page.stateOf(declined)).toEqual({ state: 'rejected' });
		const accepted = await page.enter();
		await answer(await page.linkOf(accepted), person);
		await until(() => stub.emissions.length === (startWhenDeclined ? 2 : 1));
		const results = stub.emissions.flatMap(({ items }) =>
			jsonOf(items).map(({ result }) => result),
		);
		expect(results).toEqual(startWhenDeclined ? ['Rejected', 'Accepted'] : ['Accepted']);
	});

	it.each(['x', 'A'.repeat(22), '', '../..', 'é'.repeat(22)])(
		'is not there for the visitor %j',
		async (visitor) => {
			const page = new Page('guess');
			expect(await page.get({ visitor })).toMatchObject({ status: 404 });
			const { status, body } = await page.get({ visitor, show: 'status' });
			expect([status, body]).toEqual([200, '{"state":"gone"}']);
		},
	);

	it('lets further visitors wait when there are too many, and while the Backbone is away', async () => {
		const page = new Page('limit', { options: { codesPerMinute: 1 } });
		const before = await templates();
		bench.network.backbone.faults.add({
			method: 'POST',
			path: /RelationshipTemplates/,
			times: Infinity,
			action: { kind: 'status', status: 503 },
		});
		const away = new Page('away');
		expect(await away.get({ show: 'code' })).toMatchObject({ status: 503 });
		bench.network.backbone.faults.clear();
		await page.enter();
		const { status, headers, body } = await page.get({ show: 'code', n: '2' });
		expect(status).toBe(503);
		expect(headers).toMatchObject({ 'retry-after': '10' });
		expect(body).toContain('"pageUrl":"https://n8n.example.com/webhook/page?n=2\\u0026show=code"');
		expect((await page.get({ show: 'ready' })).status).toBe(503);
		expect(await templates()).toBe(before + 1);
	});

	it('leads visitors back to their code when the account was away', async () => {
		const credentials = { ...bench.credential, clientId: '' };
		const page = new Page('gone', {}, { credentials });
		const visitor = 'A'.repeat(22);
		const { status, body } = await page.get({ visitor });
		expect(status).toBe(503);
		expect(body).toContain(`"pageUrl":"https://n8n.example.com/webhook/page?visitor=${visitor}"`);
		expect(await page.get({ visitor, show: 'status' })).toMatchObject({
			status: 503,
			body: '{"state":"busy"}',
		});
	});

	it.each([
		[{ title: '' }, "The field 'Title' is not valid"],
		[{ requestItems: {} }, 'The request is empty'],
		[{ afterTheAnswer: 'redirect', redirectUrl: '' }, "The field 'Redirect URL' is not valid"],
		[
			{ afterTheAnswer: 'redirect', redirectUrl: 'http://example.com' },
			"The field 'Redirect URL' is not valid",
		],
		[{ options: { minutesValid: 0 } }, "The field 'Minutes Valid' is not valid"],
	])('cannot be made of %j', async (parameters, message) => {
		const page = new Page('wrong', parameters);
		await expect(page.get({ show: 'code' })).rejects.toMatchObject({ message });
	});

	it('can be published with fields that depend on the visitor', async () => {
		const redirectUrl = '={{ $json.query.next }}';
		const page = new Page('expression', { afterTheAnswer: 'redirect', redirectUrl });
		const { node: known } = page.options;
		const withFields = { ...known, parameters: { redirectUrl } };
		const stub = triggerFunctions({ ...page.options, node: withFields });
		const started = await node.trigger.call(stub.functions);
		expect(started?.closeFunction).toBeDefined();
		open.push(started);
	});

	it('cannot be published with a wrong address', async () => {
		const page = new Page('unpublished', { afterTheAnswer: 'redirect', redirectUrl: 'x' });
		await expect(page.publish()).rejects.toMatchObject({
			message: "The field 'Redirect URL' is not valid",
		});
	});
});

describe('a manual test of the page', () => {
	it('starts with the answer once, and the published workflow does not', async () => {
		const published = new Page('tested');
		const stub = await published.publish();
		const page = new Page('tested', {}, { mode: 'manual' });
		const { headers } = await page.get({ show: 'code' });
		expect(headers['location']).toContain('https://n8n.example.com/webhook-test/page?visitor=');
		const visitor = await page.enter({ n: '1' });
		const waiting = await page.get(visitor);
		expect(waiting.workflowData).toBeUndefined();
		await answer(await page.linkOf(visitor), await bench.network.gateway());
		const { body, workflowData = [] } = await page.get({ ...visitor, show: 'status' });
		expect(JSON.parse(body)).toMatchObject({ state: 'answered' });
		expect(jsonOf(workflowData[0])).toMatchObject([
			{ answered: true, relationshipStatus: 'Active', visitor: { n: '1' } },
		]);
		expect((await page.get(visitor)).workflowData).toBeUndefined();
		const items = workflowData[0] ?? [];
		expect(await node.execute.call(executeFunctions({ items }))).toEqual([items]);
		const next = await published.enter();
		await answer(await published.linkOf(next), await bench.network.gateway());
		await until(() => stub.emissions.length === 1);
		expect(jsonOf(stub.emissions[0]?.items)).toMatchObject([{ visitor: {} }]);
	});
});

describe('the parameters of a visitor', () => {
	it('are bounded, and leave out the ones of the page', () => {
		const many = Object.fromEntries(Array.from({ length: 30 }, (_, n) => [`p${n}`, 'x']));
		expect(Object.keys(visitorQuery(many))).toHaveLength(20);
		expect(
			visitorQuery({
				...{ visitor: 'v', show: 'code', list: ['a'], nested: { a: 'b' } },
				long: 'x'.repeat(501),
				['n'.repeat(101)]: 'x',
				session: 'x'.repeat(500),
			}),
		).toEqual({ session: 'x'.repeat(500) });
		expect(visitorQuery(JSON.parse('{"__proto__":"x"}') as object)).toEqual({});
	});
});

describe('the limit of codes', () => {
	it('counts the last minute of each node', () => {
		const limit = new CodeLimit();
		expect([0, 1, 2].map((at) => limit.take('a', 2, at))).toEqual([true, true, false]);
		expect(limit.take('b', 2, 2)).toBe(true);
		expect(limit.hasRoom('a', 2, 59_999)).toBe(false);
		expect(limit.hasRoom('a', 2, 60_000)).toBe(true);
	});
});
