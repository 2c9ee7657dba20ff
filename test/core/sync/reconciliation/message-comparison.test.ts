import { silentLogger } from '../../../../core/base/logger';
import { MessageComparison } from '../../../../core/sync/reconciliation/message-comparison';
import { messageRecord, messageSecrets } from '../../../support/records';
import {
	empty,
	failureOf,
	json,
	messageBody,
	type SeenRequest,
} from '../../backbone/fixture-server';
import { address, ComparisonBench, otherAddress, recovered } from './comparison-bench';

const hourMs = 3_600_000;
const firstAt = Date.parse('2029-12-01T00:00:00.000Z');

let bench: ComparisonBench;
/** What the Backbone has, oldest first; an item that is not an object cannot be read. */
let messages: unknown[];
/** True for requests that get no usable answer. */
let isOdd: (request: SeenRequest, items: unknown[]) => boolean;

beforeEach(async () => {
	messages = [];
	isOdd = () => false;
	bench = await ComparisonBench.open({
		'GET /api/v2/Messages': (request, response) => {
			const [pageNumber, pageSize] = ['pageNumber', 'pageSize'].map((name) =>
				Number(request.query.get(name)),
			) as [number, number];
			const items = messages.slice((pageNumber - 1) * pageSize, pageNumber * pageSize);
			const pagination = {
				...{ pageNumber, pageSize, totalRecords: messages.length },
				totalPages: Math.ceil(messages.length / pageSize),
			};
			const answer = isOdd(request, items) ? { result: 'no list' } : { result: items, pagination };
			json(200, answer)(request, response);
		},
	});
	await bench.addIdentity();
});
afterEach(() => bench.close());

/** A message, one second younger than the one before it. */
const message = (index: number, createdBy = otherAddress) => ({
	...messageBody(`MSG${index}`),
	createdAt: new Date(firstAt + index * 1_000).toISOString(),
	createdBy,
});
const receive = (count: number): void => {
	messages = Array.from({ length: count }, (_, index) => message(index));
};

const store = async (...indexes: readonly number[]): Promise<void> =>
	await bench.store.transact(async (tx) => {
		for (const index of indexes)
			await tx.messages.insert(messageRecord(`MSG${index}`), messageSecrets);
	});

const from = (start: number, end: number): number[] =>
	Array.from({ length: end - start }, (_, index) => start + index);

const at = (index: number): string => new Date(firstAt + index * 1_000).toISOString();

const comparison = () => new MessageComparison({ ...bench, logger: silentLogger });

const goal = (parts: Partial<Parameters<MessageComparison['compare']>[1]> = {}) => ({
	isFull: false,
	missing: 0,
	comparedTo: undefined,
	...parts,
});

const compare = (page: number, wanted = goal(), absent = 0) =>
	comparison().compare(page, wanted, absent, {});

const foundIds = ({ found }: Awaited<ReturnType<typeof compare>>): unknown[] =>
	found.map(({ payload }) => payload['id']);

describe('comparing messages', () => {
	it('counts both sides with one call', async () => {
		receive(3);
		await store(0, 1);
		expect(await comparison().balance({})).toStrictEqual({ total: 3, known: 2 });
		expect(
			bench.server.calls('/api/v2/Messages').map(({ query }) => query.toString()),
		).toStrictEqual(['pageNumber=1&pageSize=1']);
	});

	it.each([
		[0, 0],
		[1, 1],
		[100, 1],
		[101, 2],
	])('begins %i messages with page %i', (total, page) => {
		expect(comparison().firstPage({ total, known: 0 })).toBe(page);
	});

	it('finds received and own messages that are not stored', async () => {
		messages = [message(0), message(1), message(2, address)];
		await store(0);
		expect(await compare(1, goal({ missing: 1 }))).toStrictEqual({
			compared: 3,
			found: [
				recovered({
					id: 'recovered:MSG1',
					type: 'MessageReceived',
					payload: { id: 'MSG1' },
					createdAt: at(1),
				}),
				recovered({
					id: 'recovered:MSG2',
					type: 'MessageReceived',
					payload: { id: 'MSG2' },
					createdAt: at(2),
				}),
			],
			newestAt: at(2),
			isWalkDone: true,
		});
	});

	it('reads only the newest page if the totals are equal', async () => {
		receive(150);
		await store(...from(0, 150));
		expect(await compare(2)).toStrictEqual({
			...{ compared: 50, found: [], newestAt: at(149) },
			isWalkDone: false,
		});
	});

	it.each([
		['a full comparison', goal({ isFull: true })],
		['a missing message', goal({ missing: 1 })],
	])('continues with the page before it: %s', async (_reason, wanted) => {
		receive(150);
		await store(...from(0, 150));
		expect(await compare(2, wanted)).toMatchObject({ isWalkDone: false, next: 1 });
	});

	it('continues if the totals are equal and a message is missing all the same', async () => {
		receive(150);
		await store(...from(0, 149));
		expect(await compare(2)).toMatchObject({ found: [{}], isWalkDone: false, next: 1 });
	});

	it('ends at messages compared before, after all that are missing were found', async () => {
		receive(250);
		await store(...from(0, 249));
		const oldest = firstAt + 200_000;
		const wanted = (passedMs: number, missing = 1) =>
			goal({ missing, comparedTo: new Date(oldest + passedMs).toISOString() });
		// Clocks of several servers differ by up to an hour.
		expect(await compare(3, wanted(hourMs))).toMatchObject({ isWalkDone: false, next: 2 });
		const ended = await compare(3, wanted(hourMs + 1));
		expect(ended.isWalkDone).toBe(true);
		expect(ended.next).toBeUndefined();
		expect(await compare(3, wanted(hourMs + 1, 2))).toMatchObject({ next: 2 });
		expect(await compare(3, wanted(hourMs + 1, 2), 1)).toMatchObject({ isWalkDone: true });
		const full = { ...wanted(hourMs + 1), isFull: true };
		expect(await compare(3, full)).toMatchObject({ isWalkDone: false, next: 2 });
	});

	it('ends at a page without messages', async () => {
		receive(100);
		expect(await compare(3, goal({ isFull: true, missing: 5 }))).toStrictEqual({
			...{ compared: 0, found: [], newestAt: undefined },
			isWalkDone: true,
		});
	});

	it('believes no list of more than a million messages', async () => {
		const pagination = { pageSize: 100, totalRecords: 2_000_000, totalPages: 20_000 };
		const answer = { result: [message(0)], pagination };
		const endless = await ComparisonBench.open({ 'GET /api/v2/Messages': json(200, answer) });
		try {
			const walking = new MessageComparison({ ...endless, logger: silentLogger });
			const seen = await walking.compare(20_000, goal({ missing: 1 }), 0, {});
			expect(seen.next).toBe(10_000);
		} finally {
			await endless.close();
		}
	});
});

describe('messages that cannot be read', () => {
	const calls = (pageSize: number): number =>
		bench.server.seen.filter(({ query }) => query.get('pageSize') === String(pageSize)).length;

	it('are left out of their page, and count as found', async () => {
		receive(101);
		messages[100] = { id: 'MSG100' };
		const seen = await compare(2, goal({ missing: 1, comparedTo: at(100 + 2 * 3_600) }));
		expect(seen).toMatchObject({ compared: 0, found: [], isWalkDone: false, next: 1 });
	});

	it('are no reason to end, or to go on, by themselves', async () => {
		receive(102);
		messages[100] = { id: 'MSG100' };
		const wanted = goal({ missing: 2, comparedTo: at(101 + 2 * 3_600) });
		expect(await compare(2, wanted)).toMatchObject({ found: [{}], isWalkDone: true });
		expect(await compare(2, { ...wanted, missing: 3 })).toMatchObject({ isWalkDone: false });
	});

	it('make a page be read in smaller parts, down to single messages', async () => {
		receive(100);
		isOdd = (_request, items) => items.some((item) => (item as { id: string }).id === 'MSG42');
		const seen = await compare(1, goal({ missing: 100 }));
		expect(foundIds(seen)).toStrictEqual(
			[...from(0, 42), ...from(43, 100)].map((index) => `MSG${index}`),
		);
		expect([calls(100), calls(10), calls(1)]).toStrictEqual([1, 10, 10]);
		expect(seen.compared).toBe(99);
	});

	it('read the parts of the right page', async () => {
		receive(210);
		isOdd = (_request, items) => items.some((item) => (item as { id: string }).id === 'MSG205');
		const seen = await compare(3, goal({ missing: 10 }));
		expect(foundIds(seen)).toStrictEqual(
			[...from(200, 205), ...from(206, 210)].map((index) => `MSG${index}`),
		);
	});

	it.each([
		[5, undefined],
		[6, 'error.gateway.backbone.unexpectedAnswer'],
	])('on a page: with %i of them the answer is %s', async (count, code) => {
		receive(100);
		const odd = new Set(from(0, count).map((index) => `MSG${index * 7}`));
		isOdd = (_request, items) => items.some((item) => odd.has((item as { id: string }).id));
		const work = compare(1, goal({ missing: 100 }));
		if (code === undefined) expect((await work).compared).toBe(100 - count);
		else expect((await failureOf(work))['code']).toBe(code);
	});

	it('are counted anew on each page', async () => {
		receive(200);
		isOdd = (_request, items) =>
			items.some((item) => Number((item as { id: string }).id.slice(3)) % 20 === 0);
		const walking = comparison();
		for (const page of [2, 1]) {
			expect((await walking.compare(page, goal({ missing: 200 }), 0, {})).compared).toBe(95);
		}
	});
});

it('a Backbone that does not answer ends the comparison of messages', async () => {
	const away = await ComparisonBench.open({ 'GET /api/v2/Messages': empty(503) });
	try {
		const work = new MessageComparison({ ...away, logger: silentLogger }).compare(1, goal(), 0, {});
		expect((await failureOf(work))['kind']).toBe('unavailable');
		expect(
			away.server.calls('/api/v2/Messages').every(({ query }) => query.get('pageSize') === '100'),
		).toBe(true);
	} finally {
		await away.close();
	}
});
