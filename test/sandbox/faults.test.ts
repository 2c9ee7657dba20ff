import { SandboxBench, type RawAccount } from './support/raw-client';

/* The faults that tests of clients order. */
let bench: SandboxBench;
let account: RawAccount;

beforeAll(async () => {
	bench = await SandboxBench.open();
	account = await bench.account();
});

afterEach(() => bench.sandbox.faults.clear());

afterAll(() => bench.close());

const create = () => account.call('POST', 'RelationshipTemplates', { content: 'AA' });
const templates = (): number => bench.sandbox.state.templates.size;

describe('a fault of the sandbox', () => {
	it('answers with a status instead of doing anything', async () => {
		const before = templates();
		const body = { error: { code: 'error.platform.unexpected' } };
		bench.sandbox.faults.add({
			method: 'POST',
			path: /RelationshipTemplates/,
			action: { kind: 'status', status: 500, body, headers: { 'retry-after': '1' } },
		});
		const answer = await create();
		expect([answer.status, answer.body]).toEqual([500, body]);
		expect(answer.headers.get('retry-after')).toBe('1');
		expect(templates()).toBe(before);
		expect((await create()).status).toBe(201);
	});

	it('cuts the connection before anything is done', async () => {
		const before = templates();
		bench.sandbox.faults.add({ path: /RelationshipTemplates/, action: { kind: 'cutBefore' } });
		await expect(create()).rejects.toThrow();
		expect(templates()).toBe(before);
	});

	it.each(['cutAfter', 'truncatedBody'] as const)(
		'loses the answer of what was done: %s',
		async (kind) => {
			const before = templates();
			bench.sandbox.faults.add({ path: /RelationshipTemplates/, action: { kind } });
			await expect(create()).rejects.toThrow();
			expect(templates()).toBe(before + 1);
		},
	);

	it('does everything, while a proxy answers with a page of its own', async () => {
		const before = templates();
		bench.sandbox.faults.add({
			path: /RelationshipTemplates/,
			times: Infinity,
			action: { kind: 'statusAfter', status: 502 },
		});
		for (const count of [1, 2]) {
			await expect(create()).rejects.toThrow(SyntaxError);
			expect(templates()).toBe(before + count);
		}
	});

	it('answers with something that is not JSON', async () => {
		bench.sandbox.faults.add({ path: /Version/, action: { kind: 'malformedBody' } });
		await expect(bench.call('GET', '/api/v2/Version')).rejects.toThrow(SyntaxError);
	});

	it('answers with a page of any size', async () => {
		bench.sandbox.faults.add({ path: /Version/, action: { kind: 'oversizedPage', items: 10_001 } });
		expect((await bench.call('GET', '/api/v2/Version')).result).toHaveLength(10_001);
	});

	it('answers with what a test makes of the answer', async () => {
		const rewrite = ({ result }: never): unknown => ({ result: { was: result } });
		bench.sandbox.faults.add({ path: /Version/, action: { kind: 'rewritten', rewrite } });
		const answer = await bench.call('GET', '/api/v2/Version');
		expect(answer).toMatchObject({ result: { was: { majorVersion: expect.anything() } } });
	});

	it('delays a call, while others pass', async () => {
		bench.sandbox.faults.add({ path: /Version/, action: { kind: 'delay', durationMs: 150 } });
		const order: string[] = [];
		const seen = bench.sandbox.faults.onNext('GET', /Version/);
		const slow = bench.call('GET', '/api/v2/Version').then(() => order.push('delayed'));
		await seen;
		await bench.call('GET', '/api/v2/Tags');
		order.push('other');
		await slow;
		expect(order).toEqual(['other', 'delayed']);
	});

	it('works on the call that it names, as often as it says, and can be taken back', async () => {
		const { faults } = bench.sandbox;
		const statuses = async (count: number): Promise<number[]> => {
			const found: number[] = [];
			for (let call = 0; call < count; call++) {
				found.push((await bench.call('GET', '/api/v2/Version')).status);
			}
			return found;
		};
		const action = { kind: 'status', status: 503 } as const;
		faults.add({ path: /Version/, nth: 2, action });
		expect(await statuses(3)).toEqual([200, 503, 200]);
		faults.add({ path: /Version/, times: 2, action });
		expect(await statuses(3)).toEqual([503, 503, 200]);
		faults.add({ method: 'POST', path: /Version/, action });
		expect(await statuses(1)).toEqual([200]);
		const takeBack = faults.add({ path: /Version/, times: 9, action });
		takeBack();
		expect(await statuses(1)).toEqual([200]);
	});

	it('can be an event without a cause, a repeated one, or one of an unknown type', async () => {
		await account.sync();
		const { events } = bench.sandbox;
		events.add(account.address, 'MessageReceived', { id: 'MSGgone0000000000000' });
		events.add(account.address, 'MessageReceived', { id: 'MSGgone0000000000000' });
		events.add(account.address, 'SomethingNew', { any: 1 });
		expect((await account.sync()).map(({ type, payload }) => [type, payload])).toEqual([
			['MessageReceived', { id: 'MSGgone0000000000000' }],
			['MessageReceived', { id: 'MSGgone0000000000000' }],
			['SomethingNew', { any: 1 }],
		]);
	});

	it('leaves a trace of every call', async () => {
		const { calls } = bench.sandbox;
		calls.clear();
		await bench.call('GET', '/api/v2/Version');
		await bench.call('GET', '/api/v2/Nothing');
		expect(calls.entries).toEqual([
			{ method: 'GET', path: '/api/v2/Version', status: 200 },
			{ method: 'GET', path: '/api/v2/Nothing', status: 404 },
		]);
		expect(calls.count('GET', /Version/)).toBe(1);
	});
});
