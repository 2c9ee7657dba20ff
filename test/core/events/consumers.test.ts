import type { EventName } from '../../../core/events/catalogue';
import { isKnownEvent } from '../../../core/events/event-types';
import { until } from '../../support/until';
import { accepted, ConsumerBench } from './consumer-bench';

const dayMs = 24 * 3_600_000;
const wanted = 'transport.relationshipChanged';
const other = 'transport.messageSent';

describe('consumers of events', () => {
	let bench: ConsumerBench;

	beforeEach(async () => {
		bench = await ConsumerBench.open();
	});

	afterEach(() => bench.close());

	describe('begin', () => {
		it('with the oldest event when they are new and want it', async () => {
			await bench.append({ id: 1 }, { id: 2 });
			const run = bench.start(() => accepted, { startFrom: 'oldest' });
			await bench.reaches(2);
			expect(run.sequences).toEqual([[1], [2]]);
		});

		it('with what comes from now on when they are new and want that', async () => {
			await bench.append({ id: 1 }, { id: 2 });
			const run = bench.start(() => accepted, { startFrom: 'now' });
			await bench.reaches(2);
			await bench.append({ id: 3 });
			await bench.reaches(3);
			expect(run.sequences).toEqual([[3]]);
		});

		it.each(['now', 'oldest'] as const)('where they left off, also when %s', async (startFrom) => {
			await bench.append({ id: 1 });
			const first = bench.start(() => accepted);
			await bench.reaches(1);
			await first.stop();
			await bench.append({ id: 2 });
			const second = bench.start(() => accepted, { startFrom });
			await bench.reaches(2);
			expect(second.sequences).toEqual([[2]]);
		});

		it('as new ones after they were forgotten', async () => {
			await bench.append({ id: 1 });
			const first = bench.start(() => accepted);
			await bench.reaches(1);
			await first.stop();
			await bench.newProcess().forget('c');
			const second = bench.start(() => accepted);
			await bench.reaches(1);
			expect(second.sequences).toEqual([[1]]);
		});

		it('independently of each other', async () => {
			await bench.append({ id: 1 });
			const first = bench.start(() => accepted, { consumer: 'a' });
			const second = bench.start(() => accepted, { consumer: 'b' });
			await bench.reaches(1, 'a');
			await bench.reaches(1, 'b');
			expect([first.sequences, second.sequences]).toEqual([[[1]], [[1]]]);
		});
	});

	describe('see', () => {
		it('events of their own process as they are committed', async () => {
			const run = bench.start(() => accepted);
			await bench.reaches(0);
			for (let id = 1; id <= 5; id++) {
				await bench.append({ id });
				await bench.reaches(id);
			}
			expect(run.sequences).toEqual([[1], [2], [3], [4], [5]]);
		});

		it('as many together as they want, and no more', async () => {
			await bench.append(...Array.from({ length: 7 }, (_, id) => ({ id })));
			const run = bench.start(() => accepted, { batchSize: 3 });
			await bench.reaches(7);
			expect(run.sequences).toEqual([[1, 2, 3], [4, 5, 6], [7]]);
		});

		it('only what fits, whatever lies between', async () => {
			await bench.append(
				...Array.from({ length: 450 }, (_, id) => ({ id, name: id % 100 === 0 ? wanted : other })),
			);
			const run = bench.start(() => accepted, { filter: { names: [wanted] }, batchSize: 2 });
			await until(() => run.sequences.flat().length === 5);
			expect(run.sequences.flat()).toEqual([1, 101, 201, 301, 401]);
		});

		it('nothing of an event whose data was erased', async () => {
			await bench.append({ id: 1 }, { id: 2 });
			await bench.store.transact((tx) => tx.outbox.erase('1'));
			const run = bench.start(() => accepted);
			await bench.reaches(2);
			expect(run.sequences).toEqual([[2]]);
		});
	});

	it('pass over what does not fit without a write per event', async () => {
		await bench.append(...Array.from({ length: 450 }, (_, id) => ({ id })));
		let writes = 0;
		const { store } = bench;
		const transact = store.transact.bind(store);
		const counted = jest.spyOn(store, 'transact').mockImplementation((work, options) => {
			writes++;
			return transact(work, options);
		});
		bench.start(() => accepted, { filter: { names: ['transport.peerDeleted'] } });
		await bench.reaches(450);
		counted.mockRestore();
		expect(writes).toBeLessThan(5);
	});

	it('continue after events they had passed over in memory only', async () => {
		await bench.append({ id: 1, name: other });
		const first = bench.start(() => accepted, { filter: { names: [wanted] } });
		await bench.reaches(0);
		await first.stop();
		await bench.append({ id: 2, name: wanted });
		const second = bench.start(() => accepted, { filter: { names: [wanted] } });
		await bench.reaches(2);
		expect(second.sequences).toEqual([[2]]);
	});

	describe('maintenance', () => {
		it('removes what all have passed and is older than the retention', async () => {
			await bench.append({ id: 1 }, { id: 2 });
			const first = bench.start(() => accepted);
			await bench.reaches(2);
			await first.stop();
			bench.clock.advance(15 * dayMs);
			await bench.keepHouse(14);
			expect(await bench.store.read((tx) => tx.outbox.readAfter(0, 10))).toEqual([]);
		});

		async function livesThrough(days: number): Promise<void> {
			for (let day = 0; day < days; day++) {
				bench.clock.advance(dayMs);
				await bench.keepHouse(0);
				await bench.keepHouse(0);
			}
		}

		it.each([
			['30 days are not over', 29, 2],
			['30 days are over', 30, 0],
		])('keeps for a consumer what it has not seen while %s', async (_name, days, kept) => {
			await bench.start(() => accepted).stop();
			await bench.append({ id: 1 }, { id: 2 });
			await livesThrough(days);
			expect(await bench.store.read((tx) => tx.outbox.readAfter(0, 10))).toHaveLength(kept);
			expect((await bench.consumer()) === undefined).toBe(kept === 0);
		});

		it('does not forget a consumer because the clock jumps forward, or back again', async () => {
			await bench.start(() => accepted).stop();
			await bench.append({ id: 1 }, { id: 2 });
			for (const jumpMs of [40 * dayMs, -40 * dayMs, 400 * dayMs]) {
				bench.clock.advance(jumpMs);
				await bench.keepHouse(0);
			}
			const run = bench.start(() => accepted, { startFrom: 'now' });
			await bench.reaches(2);
			expect(run.sequences).toEqual([[1], [2]]);
		});

		it('counts the days of an absence anew after the consumer was there', async () => {
			await bench.start(() => accepted).stop();
			await livesThrough(29);
			await bench.start(() => accepted).stop();
			await livesThrough(29);
			expect(await bench.consumer()).toMatchObject({ absence: { days: 29 } });
		});

		it('does not forget a consumer that only waits', async () => {
			bench.start(() => accepted, { filter: { names: [wanted] } });
			await bench.reaches(0);
			const before = (await bench.consumer())?.seenAt;
			bench.clock.advance(29 * dayMs);
			await bench.append({ id: 1, name: other });
			await until(async () => (await bench.consumer())?.seenAt !== before);
			bench.clock.advance(2 * dayMs);
			await bench.keepHouse(14);
			expect(await bench.consumer()).toBeDefined();
		});
	});

	describe('looking without a cursor', () => {
		const names = (name: EventName) => ({ names: [name] });

		it.each([
			['the newest that fit, oldest first', names(wanted), 2, [3, 5]],
			['all that fit', names(wanted), 10, [1, 3, 5]],
			['any', {}, 2, [4, 5]],
			['none for no names', { names: [] }, 10, []],
		])('gives %s', async (_name, filter, limit, expected) => {
			await bench.append(
				...[wanted, other, wanted, other, wanted].map((name, id) => ({ id, name })),
			);
			const found = await bench.newProcess().recent(filter, limit);
			expect(found.map(({ sequence }) => sequence)).toEqual(expected);
			expect(await bench.store.read((tx) => tx.consumers.list())).toEqual([]);
		});

		it('refuses a name that no event has, and names a similar one', async () => {
			const process = bench.newProcess();
			const filter = { names: ['transport.mesageReceived' as EventName] };
			const refusal = {
				code: 'error.gateway.events.unknownName',
				message:
					"There is no event 'transport.mesageReceived'. Did you mean 'transport.messageReceived'?",
				facts: { field: 'names' },
			};
			const { signal } = new AbortController();
			await expect(process.recent(filter, 1)).rejects.toMatchObject(refusal);
			await expect(process.next(filter)).rejects.toMatchObject(refusal);
			await expect(process.follow({ filter, signal }).next()).rejects.toMatchObject(refusal);
			await expect(process.until(filter, () => Promise.resolve(1))).rejects.toMatchObject(refusal);
			const deliver = (): Promise<{ kind: 'accepted' }> => Promise.resolve({ kind: 'accepted' });
			const options = { consumer: 'c', startFrom: 'now', batchSize: 1, deliver } as const;
			await expect(process.consume({ ...options, filter })).rejects.toMatchObject(refusal);
		});

		it('gives nothing of what was erased', async () => {
			await bench.append({ id: 1 });
			await bench.store.transact((tx) => tx.outbox.erase('1'));
			expect(await bench.newProcess().recent({}, 10)).toEqual([]);
		});

		it('waits for the next that fits and passes over the others', async () => {
			await bench.append({ id: 1, name: wanted });
			const waiting = bench.newProcess().next(names(wanted));
			const looking = bench.newProcess().next({});
			await until(() => true);
			await bench.append({ id: 2, name: other }, { id: 3, name: wanted });
			expect((await waiting).sequence).toBe(3);
			expect((await looking).sequence).toBe(2);
		});

		it('gives events of a name that only a newer version knows, to those who ask for no names', async () => {
			await bench.append({ id: 1, name: 'transport.ofTheFuture' }, { id: 2 });
			const [newer, known] = await bench.newProcess().recent({}, 10);
			if (newer === undefined || known === undefined) throw new TypeError('two events are missing');
			expect([newer.event, isKnownEvent(newer)]).toEqual(['transport.ofTheFuture', false]);
			expect(isKnownEvent(known)).toBe(true);
		});

		it('ends with the reason of the abort', async () => {
			const abort = new AbortController();
			const reason = new Error('stopped');
			const waiting = bench.newProcess().next({}, { signal: abort.signal });
			abort.abort(reason);
			await expect(waiting).rejects.toBe(reason);
		});
	});

	describe('waiting until something is so', () => {
		const names = { names: [wanted] } as const;

		it('ends at once if it is so already', async () => {
			expect(await bench.newProcess().until(names, () => Promise.resolve('so'))).toBe('so');
		});

		it('checks again after events that fit, and after no others', async () => {
			const found: Array<string | undefined> = [undefined, undefined, 'so'];
			let checks = 0;
			const waiting = bench.newProcess().until(names, () => Promise.resolve(found[checks++]));
			await until(() => checks === 1);
			await bench.append({ id: 1, name: wanted });
			await until(() => checks === 2);
			await bench.append({ id: 2, name: other }, { id: 3, name: wanted });
			expect(await waiting).toBe('so');
			expect(checks).toBe(3);
		});

		it('misses no change while it checks', async () => {
			let isSo = false;
			const waiting = bench.newProcess().until(names, async () => {
				const answer = isSo ? 'so' : undefined;
				if (!isSo) await bench.append({ id: 1, name: wanted });
				isSo = true;
				return answer;
			});
			expect(await waiting).toBe('so');
		});

		it('ends with the reason of the abort, or with the error of the check', async () => {
			const abort = new AbortController();
			const reason = new Error('stopped');
			const { signal } = abort;
			let checks = 0;
			const nothing = (): Promise<undefined> => Promise.resolve(void checks++);
			const waiting = bench.newProcess().until(names, nothing, { signal });
			await until(() => checks === 1);
			abort.abort(reason);
			await expect(waiting).rejects.toBe(reason);
			const failing = bench.newProcess().until(names, () => Promise.reject(reason));
			await expect(failing).rejects.toBe(reason);
		});
	});
});
