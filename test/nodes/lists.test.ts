import type { IDataObject } from 'n8n-workflow';
import type { GatewayFacade } from '../../core';
import { mailTo, relate } from '../support/gateways';
import { until } from '../support/until';
import { NodeBench } from './support/node-bench';

jest.setTimeout(60_000);

const entries = 3;
const hourMs = 3_600_000;
const start = Date.now();
const inHours = (hours: number): string => new Date(start + hours * hourMs).toISOString();

let bench: NodeBench;
let gateway: GatewayFacade;
let release: () => void;
let own: string;
let peer: string;

beforeAll(async () => {
	bench = await NodeBench.open();
	const lease = await bench.gateway();
	({ gateway } = lease);
	release = () => lease.release();
	({ addressA: own, addressB: peer } = await relate(lease.gateway, bench.wallet));
	for (let others = 1; others < entries; others++) {
		await relate(lease.gateway, await bench.network.gateway());
	}
});

afterAll(async () => {
	release?.();
	await bench?.close();
});

const ask = {
	items: [{ '@type': 'ConsentRequestItem' as const, consent: 'I agree.', mustBeAccepted: true }],
};

/** Makes one entry of a list, the later ones valid for longer. */
type Fill = (number: number) => Promise<unknown>;

const fillings: Record<string, Fill> = {
	attribute: (number) =>
		gateway.attributes.create({
			content: { value: { '@type': 'GivenName', value: `Ada ${number}` } },
		}),
	file: (number) =>
		gateway.files.upload(
			{ filename: 'letter.txt', mimetype: 'text/plain', expiresAt: inHours(number) },
			Buffer.from(`letter ${number}`),
		),
	incomingRequest: async () => {
		const { content } = await bench.wallet.outgoingRequests.create({ content: ask, peer: own });
		await bench.wallet.messages.send({ recipients: [own], content });
		await bench.settle();
	},
	message: (number) => gateway.messages.send(mailTo(peer, `mail ${number}`)),
	outgoingRequest: () => gateway.outgoingRequests.create({ content: ask, peer }),
	relationship: () => Promise.resolve(),
	relationshipTemplate: (number) =>
		gateway.templates.create({
			content: {
				'@type': 'RelationshipTemplateContent',
				title: 'Newsletter',
				onNewRelationship: { '@type': 'Request', ...ask },
			},
			expiresAt: inHours(number),
		}),
};

const idsOf = async (resource: string, parameters: IDataObject): Promise<unknown[]> => {
	const items = await bench.run(resource, 'getAll', parameters);
	return items.map(({ json }) => json['id']);
};

const filled = new Set<string>();

async function fill(resource: string): Promise<void> {
	if (filled.has(resource)) return;
	filled.add(resource);
	for (let number = 1; number <= entries; number++) await fillings[resource]?.(number);
}

describe('the list of', () => {
	it.each(Object.keys(fillings))(
		'%s gives as many of the newest as Limit says, and all with Return All',
		async (resource) => {
			await fill(resource);
			const all = await idsOf(resource, { returnAll: true, limit: 1 });
			expect(new Set(all).size).toBeGreaterThanOrEqual(entries);
			expect(await idsOf(resource, { limit: 2 })).toEqual(all.slice(0, 2));
			expect(await idsOf(resource, {})).toEqual(all);
		},
	);

	it('problems gives as many as Limit says, and all with Return All', async () => {
		const stop = new AbortController();
		const consumed = gateway.events.consume({
			consumer: 'webhook:crm',
			filter: { names: ['consumption.attributeCreated'] },
			startFrom: 'oldest',
			batchSize: 1,
			deliver: () => Promise.resolve({ kind: 'parked', reason: 'answered 410' }),
			signal: stop.signal,
		});
		const problems = async (parameters: IDataObject): Promise<unknown[]> =>
			(await bench.run('account', 'getProblems', parameters)).map(({ json }) => json['id']);
		for (let number = 1; number <= entries; number++) {
			const value = { '@type': 'Surname' as const, value: `Lovelace ${number}` };
			await gateway.attributes.create({ content: { value } });
		}
		await until(async () => (await gateway.problems.list()).length >= entries);
		stop.abort();
		await consumed;
		const all = await problems({ returnAll: true, limit: 1 });
		expect(all.length).toBeGreaterThanOrEqual(entries);
		expect(await problems({ limit: 2 })).toEqual(all.slice(0, 2));
		expect(await problems({})).toEqual(all);
	});
});

describe("'Only Valid' in the list of", () => {
	afterEach(() => {
		jest.useRealTimers();
	});

	const expiriesOf = async (resource: string, filters: IDataObject): Promise<unknown[]> => {
		const items = await bench.run(resource, 'getAll', { filters });
		return items.map(({ json }) => json['expiresAt']);
	};

	it.each([
		['file', { owner: 'me' }],
		['relationshipTemplate', { title: 'newsletter' }],
	])('%s leaves out what has expired, when it is chosen', async (resource, others) => {
		await fill(resource);
		const valid = { ...others, onlyValid: true };
		const whole = [3, 2, 1].map(inHours);
		expect(await expiriesOf(resource, valid)).toEqual(whole);
		// Timers go on as they are: the Backbone and the gateways need them.
		const doNotFake: FakeableAPI[] = ['nextTick', 'setImmediate', 'setTimeout', 'setInterval'];
		jest.useFakeTimers({ now: Date.parse(inHours(1.5)), doNotFake });
		expect(await expiriesOf(resource, valid)).toEqual([3, 2].map(inHours));
		expect(await expiriesOf(resource, others)).toEqual(whole);
		expect(await expiriesOf(resource, { ...others, onlyValid: false })).toEqual(whole);
	});
});
