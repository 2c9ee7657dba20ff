import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { SandboxOptions } from '../../sandbox/sandbox-backbone';
import { until } from '../support/until';
import { eventStream } from './support/event-stream';
import { message, SandboxBench, type RawAccount } from './support/raw-client';

/* docs/protocol/backbone-api.md 2.12: what happens after an answer takes its time. */
const benches: SandboxBench[] = [];

afterEach(async () => {
	await Promise.all(benches.splice(0).map((bench) => bench.close()));
});

async function open(options: SandboxOptions = {}): Promise<SandboxBench> {
	const bench = await SandboxBench.open({ behaviour: 'real', seed: 7, ...options });
	benches.push(bench);
	return bench;
}

/** Everything that comes until the server has nothing more. */
async function drain({ sandbox }: SandboxBench, account: RawAccount) {
	const events: Array<{ id: string; type: string; payload: Record<string, unknown> }> = [];
	while (!sandbox.queues.isEmptyFor(account.address)) {
		sandbox.queues.deliverAll();
		events.push(...((await account.sync()) as typeof events));
	}
	return events;
}

async function activePair(bench: SandboxBench) {
	const parties = await bench.active();
	await drain(bench, parties.to);
	await drain(bench, parties.from);
	return parties;
}

describe('an event', () => {
	it('comes after a delay, which tests let pass', async () => {
		const bench = await open({ repeatedShare: 0 });
		const { to, from } = await activePair(bench);
		await from.call('POST', 'Messages', message(to.address));
		expect(bench.sandbox.queues.isEmptyFor(to.address)).toBe(false);
		bench.sandbox.queues.advance(5_000);
		const [event] = await to.sync();
		expect(event).toMatchObject({ type: 'MessageReceived' });
		expect(bench.sandbox.queues.isEmptyFor(to.address)).toBe(true);
	});

	it('comes by itself, too', async () => {
		const bench = await open({ repeatedShare: 0 });
		const { to, from } = await activePair(bench);
		await from.call('POST', 'Messages', message(to.address));
		const events: unknown[] = [];
		await until(async () => events.push(...(await to.sync())) > 0);
		expect(events).toMatchObject([{ type: 'MessageReceived' }]);
	});

	it('keeps its place in its queue, and may overtake the ones of others', async () => {
		const bench = await open({ repeatedShare: 0 });
		const account = await bench.account();
		for (let number = 0; number < 40; number++) {
			bench.sandbox.events.add(account.address, number % 2 === 0 ? 'Even' : 'Odd', { number });
		}
		const numbers = (await drain(bench, account)).map(({ payload }) => Number(payload['number']));
		const sorted = numbers.toSorted((a, b) => a - b);
		expect(numbers).not.toEqual(sorted);
		for (const rest of [0, 1]) {
			const ofQueue = (number: number): boolean => number % 2 === rest;
			expect(numbers.filter(ofQueue)).toEqual(sorted.filter(ofQueue));
		}
	});

	it.each([
		['once without repetition', 0, [1]],
		['twice when all are repeated', 1, [2]],
		['once or twice otherwise', 0.5, [1, 2]],
	])('comes %s', async (_title, repeatedShare, times) => {
		const bench = await open({ repeatedShare });
		const account = await bench.account();
		for (let number = 0; number < 40; number++) {
			bench.sandbox.events.add(account.address, 'Something', { number });
		}
		const events = await drain(bench, account);
		const counts = new Map<unknown, number>();
		for (const { payload } of events) {
			counts.set(payload['number'], (counts.get(payload['number']) ?? 0) + 1);
		}
		expect(counts.size).toBe(40);
		expect([...new Set(counts.values())].toSorted()).toEqual(times);
		const ids = new Set(events.map(({ id }) => id));
		if (repeatedShare === 1) {
			expect(ids.size).toBeGreaterThan(40);
			expect(ids.size).toBeLessThan(80);
		}
	});

	it('comes in the same order with the same seed, and in another one with another', async () => {
		const orderOf = async (seed: number): Promise<string[]> => {
			const bench = await open({ seed, repeatedShare: 0 });
			const account = await bench.account();
			// All at once: milliseconds between them would put one queue before another by chance.
			const { state } = bench.sandbox;
			const now = jest.spyOn(state, 'now').mockReturnValue(state.now());
			for (let number = 0; number < 60; number++) {
				bench.sandbox.events.add(account.address, `Type${number % 6}`, { number });
			}
			now.mockRestore();
			const events = await drain(bench, account);
			return events.map(({ type, payload }) => `${type} ${String(payload['number'])}`);
		};
		const [first, second, other] = await Promise.all([orderOf(3), orderOf(3), orderOf(4)]);
		expect(second).toEqual(first);
		expect(other).not.toEqual(first);
	});

	it('is announced when it can be read, or a little earlier', async () => {
		const bench = await open({ repeatedShare: 0 });
		const { to, from } = await activePair(bench);
		const stream = await eventStream(to);
		let isEarly = false;
		for (let count = 1; count <= 20 && !isEarly; count++) {
			await from.call('POST', 'Messages', message(to.address));
			const announced = (): number =>
				stream.events.filter((name) => name === 'ExternalEventCreated').length;
			await until(() => announced() >= count);
			const found = await to.sync();
			if (found.length === 0) isEarly = true;
			else await to.call('GET', `Messages/${String((found[0]?.['payload'] as { id: string }).id)}`);
			for (const { payload } of await drain(bench, to)) {
				await to.call('GET', `Messages/${String(payload['id'])}`);
			}
		}
		expect(isEarly).toBe(true);
		await stream.close();
	});

	it('waits over a restart of the server', async () => {
		const folder = mkdtempSync(join(tmpdir(), 'enmeshed-queues-'));
		const stateFile = join(folder, 'state');
		const first = await SandboxBench.open({ behaviour: 'real', seed: 7, stateFile });
		const account = await first.account();
		first.sandbox.events.add(account.address, 'Something', { number: 1 });
		await first.close();
		const second = await open({ stateFile });
		expect(second.sandbox.queues.isEmptyFor(account.address)).toBe(false);
		second.sandbox.queues.deliverAll();
		expect(second.sandbox.events.deliverable(account.address)).toMatchObject([
			{ type: 'Something', payload: { number: 1 } },
		]);
		await second.close();
		benches.pop();
		rmSync(folder, { recursive: true });
	});

	it('counts its index from 0 again when nothing is left', async () => {
		const bench = await open({ behaviour: 'kind' });
		const account = await bench.account();
		for (const _ of [1, 2]) {
			for (const number of [0, 1]) {
				bench.sandbox.events.add(account.address, 'Something', { number });
			}
			expect(await account.sync()).toMatchObject([{ index: 0 }, { index: 1 }]);
		}
	});
});

describe.each(['kind', 'real'] as const)('events that get lost in %s behaviour', (behaviour) => {
	it('are those that a rule fits, until it is taken back', async () => {
		const bench = await open({ behaviour, repeatedShare: 0 });
		const { events, queues } = bench.sandbox;
		const [one, other] = [await bench.account(), await bench.account()];
		queues.drop({ owner: one.address, type: 'Lost' });
		for (const { address } of [one, other]) {
			for (const type of ['Lost', 'Kept']) events.add(address, type, {});
		}
		queues.restore();
		events.add(one.address, 'Lost', { isLate: true });
		const typesOf = async (account: RawAccount): Promise<string[]> =>
			(await drain(bench, account)).map(({ type }) => type).toSorted();
		expect(await typesOf(one)).toEqual(['Kept', 'Lost']);
		expect(await typesOf(other)).toEqual(['Kept', 'Lost']);
		expect(queues.dropped).toEqual([{ owner: one.address, type: 'Lost', payload: {} }]);
	});

	it('are a share of them', async () => {
		const bench = await open({ behaviour, repeatedShare: 0 });
		const account = await bench.account();
		const { events, queues } = bench.sandbox;
		queues.drop({ share: 0.5 });
		for (let number = 0; number < 100; number++) events.add(account.address, 'Any', { number });
		const { length } = await drain(bench, account);
		expect(length + queues.dropped.length).toBe(100);
		expect(length).toBeGreaterThan(30);
		expect(length).toBeLessThan(70);
	});
});

describe('the end of a relationship', () => {
	it('takes its time: who left sees the messages, and is offered them, until it is worked off', async () => {
		const bench = await open({ repeatedShare: 0 });
		const { to, from, id } = await activePair(bench);
		const { result } = await from.call('POST', 'Messages', message(to.address));
		await from.call('PUT', `Relationships/${id}/Terminate`, {});
		await to.call('PUT', `Relationships/${id}/Decompose`, {});
		const path = `Messages/${String(result['id'])}`;
		expect((await to.call('GET', path)).status).toBe(200);
		bench.sandbox.queues.deliverAll();
		expect((await to.call('GET', path)).status).toBe(404);
	});

	it('is overtaken by an event of it, whose message is gone', async () => {
		const bench = await open({ repeatedShare: 0 });
		const { to, from, id } = await activePair(bench);
		await from.call('PUT', `Relationships/${id}/Terminate`, {});
		await drain(bench, to);
		await to.call('PUT', `Relationships/${id}/Decompose`, {});
		bench.sandbox.queues.deliverAll();
		const gone = { id: 'MSGgone0000000000000' };
		const relationship = bench.sandbox.state.relationships.get(id);
		bench.sandbox.events.add(to.address, 'MessageReceived', gone, relationship);
		expect(await drain(bench, to)).toMatchObject([{ type: 'MessageReceived', payload: gone }]);
		expect((await to.call('GET', `Messages/${gone.id}`)).status).toBe(404);
	});
});

it('an operator lets the queues go on from another process', async () => {
	const bench = await open({ repeatedShare: 0 });
	const account = await bench.account();
	const isEmpty = async (): Promise<unknown> =>
		(await bench.call('GET', `/admin/queues/${account.address}`)).result['isEmpty'];
	bench.sandbox.events.add(account.address, 'Something', {});
	expect(await isEmpty()).toBe(false);
	expect((await bench.call('POST', '/admin/queues', { advanceMs: 10_000 })).status).toBe(204);
	expect(await account.sync()).toHaveLength(1);
	expect(await isEmpty()).toBe(true);
	bench.sandbox.events.add(account.address, 'Something', {});
	expect((await bench.call('POST', '/admin/queues', {})).status).toBe(204);
	expect(await account.sync()).toHaveLength(1);
});
