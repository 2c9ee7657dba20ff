import type { Delivery, DeliveryVerdict } from '../../../core/events/event-types';
import { Dice } from '../../../scripts/harness/dice';
import { newSeed } from '../../support/seeds';
import { until } from '../../support/until';
import { accepted, ConsumerBench, failed, parked, type Run } from './consumer-bench';

const hour = 3_600_000;
const inAnHour: DeliveryVerdict = { kind: 'repeat', afterMs: hour, reason: 'failed' };

describe('delivering events of several people at the same time', () => {
	let bench: ConsumerBench;
	/** ends deliveries that a test keeps open, by the sequence number of their first event */
	let open: Map<number, (verdict: DeliveryVerdict) => void>;

	beforeEach(async () => {
		bench = await ConsumerBench.open();
		open = new Map();
	});

	afterEach(() => bench.close());

	/** Appends an event for each letter: the peer that it is about. */
	async function append(peers: string): Promise<void> {
		await bench.append(...[...peers].map((peer, id) => ({ id, peer })));
	}

	const keepOpen = ({ events }: Delivery): Promise<DeliveryVerdict> =>
		new Promise((resolve) => open.set(events[0]?.sequence ?? 0, resolve));

	const begun = (run: Run): number[] => run.sequences.flat();

	async function hasBegun(run: Run, ...sequences: number[]): Promise<void> {
		await until(() => begun(run).length >= sequences.length);
		expect(begun(run)).toEqual(sequences);
	}

	it('begins with one event of each person', async () => {
		await append('AABAC');
		const run = bench.start(keepOpen, { parallel: 10 });
		await hasBegun(run, 1, 3, 5);
		open.get(1)?.(accepted);
		await hasBegun(run, 1, 3, 5, 2);
		open.get(2)?.(accepted);
		await hasBegun(run, 1, 3, 5, 2, 4);
		for (const sequence of [3, 4, 5]) open.get(sequence)?.(accepted);
		await bench.reaches(5);
	});

	it('delivers no more at the same time than it may', async () => {
		await append('ABCDE');
		const run = bench.start(keepOpen, { parallel: 2 });
		await hasBegun(run, 1, 2);
		open.get(2)?.(accepted);
		await hasBegun(run, 1, 2, 3);
		open.get(3)?.(accepted);
		await hasBegun(run, 1, 2, 3, 4);
	});

	it('keeps the order of all events when only one may be delivered at a time', async () => {
		await append('ABAB');
		const run = bench.start(keepOpen, { parallel: 1 });
		for (const sequence of [1, 2, 3, 4]) {
			await until(() => open.has(sequence));
			expect(begun(run)).toHaveLength(sequence);
			open.get(sequence)?.(accepted);
		}
		await bench.reaches(4);
	});

	it('holds up only the person whose event fails, and no place meanwhile', async () => {
		await append('AABBCC');
		const run = bench.start(
			({ events }) => (events[0]?.data['peer'] === 'A' ? inAnHour : accepted),
			{
				parallel: 1 + 1,
			},
		);
		await until(() => begun(run).length === 5);
		expect(begun(run).sort()).toEqual([1, 3, 4, 5, 6]);
		await until(async () => (await bench.consumer())?.settled?.length === 1);
		expect(await bench.consumer()).toMatchObject({
			position: 0,
			settled: [[3, 6]],
			attempts: [{ sequence: 1, events: [1], number: 2, refusals: 0 }],
		});
	});

	it('parks what fails for good, and goes on with the next event of that person', async () => {
		await append('AAB');
		const run = bench.start(({ events }) => (events[0]?.sequence === 1 ? parked : accepted), {
			parallel: 10,
		});
		await bench.reaches(3);
		expect(begun(run).sort()).toEqual([1, 2, 3]);
		expect((await bench.consumer())?.parked).toMatchObject([{ sequence: 1 }]);
		expect(await bench.consumer()).toMatchObject({ attempts: [] });
		expect((await bench.consumer())?.settled).toBeUndefined();
	});

	it('puts events of several people into one delivery, and holds up all of them with it', async () => {
		await append('ABCAD');
		const run = bench.start(keepOpen, { parallel: 10, batchSize: 3 });
		await until(() => run.deliveries.length === 2);
		expect(run.sequences).toEqual([[1, 2, 3], [5]]);
		open.get(1)?.(accepted);
		await until(() => run.deliveries.length === 3);
		expect(run.sequences[2]).toEqual([4]);
	});

	it('delivers events without a person in order, too', async () => {
		await bench.append({ id: 1 }, { id: 2 }, { id: 3, peer: 'A' });
		const run = bench.start(keepOpen, { parallel: 10 });
		await hasBegun(run, 1, 3);
		open.get(1)?.(accepted);
		await hasBegun(run, 1, 3, 2);
	});

	it('delivers nothing of an event that was erased while it waited for its person', async () => {
		await append('AA');
		const run = bench.start(keepOpen, { parallel: 10 });
		await hasBegun(run, 1);
		await bench.store.transact((tx) => tx.outbox.erase('1'));
		open.get(1)?.(accepted);
		await bench.reaches(2);
		expect(begun(run)).toEqual([1]);
	});

	it('keeps events that are not settled, and those after them, from being removed', async () => {
		await append('ABB');
		const run = bench.start(
			({ events }) => (events[0]?.data['peer'] === 'A' ? inAnHour : accepted),
			{ parallel: 10 },
		);
		await until(async () => (await bench.consumer())?.settled?.[0]?.[1] === 3);
		await run.stop();
		bench.clock.advance(15 * 24 * hour);
		await bench.keepHouse(14);
		const next = bench.start(() => accepted, { parallel: 10 });
		await bench.reaches(3);
		expect(begun(next)).toEqual([1]);
	});

	it('reads on when many events wait for one person', async () => {
		await append('A'.repeat(1_100));
		await append('B');
		let done = 0;
		const run = bench.start(
			({ events }) => {
				const isFirst = events[0]?.sequence === 1;
				if (!isFirst) done++;
				return isFirst ? keepOpen({ events } as Delivery) : accepted;
			},
			{ parallel: 10, batchSize: 100 },
		);
		await until(() => open.has(1));
		expect(done).toBe(0);
		open.get(1)?.(accepted);
		await bench.reaches(1_101);
		expect(begun(run).sort((a, b) => a - b)).toEqual(
			Array.from({ length: 1_101 }, (_, index) => index + 1),
		);
	});

	describe('after its process died', () => {
		it('repeats each delivery that was in progress under its key, and no settled one', async () => {
			await append('ABCA');
			const run = bench.start(
				(delivery) => (delivery.events[0]?.sequence === 2 ? accepted : keepOpen(delivery)),
				{ parallel: 10 },
			);
			await until(async () => (await bench.consumer())?.settled?.length === 1);
			expect(begun(run)).toEqual([1, 2, 3]);
			const next = bench.start(() => accepted, { parallel: 10 });
			await bench.reaches(4);
			expect(next.attempts).toEqual([
				[1, true, 'enmeshed:c:1:1'],
				[1, true, 'enmeshed:c:3:1'],
				[1, false, 'enmeshed:c:4:1'],
			]);
		});

		it('repeats a delivery of several events with exactly these', async () => {
			await append('ABC');
			const dying = bench.start(keepOpen, { parallel: 10, batchSize: 2 });
			await until(() => dying.deliveries.length === 2);
			await append('D');
			const next = bench.start(() => accepted, { parallel: 10, batchSize: 10 });
			await bench.reaches(4);
			expect(next.sequences).toEqual([[1, 2], [3], [4]]);
		});

		it('repeats a delivery of more events than are read, or kept, at once', async () => {
			const limits = { parallel: 10, batchSize: 1_200 };
			await append('A');
			const dying = bench.start(keepOpen, limits);
			await hasBegun(dying, 1);
			// The last event of each part is delivered at once: then all before it have been read.
			await append(`${'A'.repeat(997)}B`);
			await hasBegun(dying, 1, 999);
			await append(`${'A'.repeat(199)}C`);
			await hasBegun(dying, 1, 999, 1_199);
			open.get(1)?.(accepted);
			await until(() => dying.deliveries.length === 4);
			const next = bench.start(
				(delivery) => (delivery.events[0]?.sequence === 999 ? keepOpen(delivery) : accepted),
				limits,
			);
			await until(() => next.deliveries.length === 3);
			open.get(999)?.(accepted);
			await bench.reaches(1_199);
			expect(next.sequences).toContainEqual(dying.sequences[3]);
			expect(begun(next)).toHaveLength(1_198);
		});

		it('puts no event of a delivery in progress into another one', async () => {
			await append('AAABC');
			const dying = bench.start(keepOpen, { parallel: 10, batchSize: 2 });
			await until(() => dying.deliveries.length === 2);
			expect(dying.sequences).toEqual([
				[1, 2],
				[4, 5],
			]);
			await bench.store.transact(async (tx) => {
				for (const subject of ['0', '1']) await tx.outbox.erase(subject);
			});
			const next = bench.start(() => accepted, { parallel: 10, batchSize: 2 });
			await bench.reaches(5);
			expect(next.sequences).toEqual([[3], [4, 5]]);
		});

		it('goes on in order when only one may be delivered at a time from then on', async () => {
			await append('ABCAB');
			const dying = bench.start(
				(delivery) => (delivery.events[0]?.sequence === 2 ? accepted : keepOpen(delivery)),
				{ parallel: 10 },
			);
			await until(() => dying.deliveries.length === 4);
			await until(async () => (await bench.consumer())?.attempts?.length === 3);
			const next = bench.start(() => accepted, { parallel: 1 });
			await bench.reaches(5);
			expect(begun(next)).toEqual([1, 3, 4, 5]);
		});
	});

	it('waits for all deliveries when it stops, and stores their verdicts', async () => {
		await append('AB');
		const run = bench.start(keepOpen, { parallel: 10 });
		await hasBegun(run, 1, 2);
		const stopped = run.stop();
		open.get(2)?.(accepted);
		open.get(1)?.(failed);
		await stopped;
		expect(await bench.consumer()).toMatchObject({ position: 0, settled: [[2, 2]] });
	});

	it('ends when one delivery breaks, after the others have ended', async () => {
		await append('AB');
		const broken = new Error('broken receiver');
		const run = bench.start(
			(delivery) =>
				delivery.events[0]?.sequence === 1 ? keepOpen(delivery) : Promise.reject(broken),
			{ parallel: 10 },
		);
		await until(() => run.deliveries.length === 2);
		open.get(1)?.(accepted);
		await expect(run.ended).rejects.toBe(broken);
		expect(await bench.position()).toBe(1);
	});

	it.each([1, 2, 3, 4, 5])(
		'loses no event and keeps the order of each person over crashes, history %d',
		async () => {
			const dice = new Dice(newSeed());
			/** accepted events of each person, repetitions left out */
			const got = new Map<string, number[]>();
			const take = ({ events }: Delivery): DeliveryVerdict => {
				for (const { data, sequence } of events) {
					const all = got.get(String(data['peer'])) ?? [];
					if (!all.includes(sequence)) got.set(String(data['peer']), [...all, sequence]);
				}
				return accepted;
			};
			let appended = 0;
			for (let life = 0; life < 10; life++) {
				const peers = Array.from({ length: dice.below(30) }, () => dice.pick([...'ABCDEFG'])).join(
					'',
				);
				await append(peers);
				appended += peers.length;
				const { consumers, kill } = bench.newMortalProcess();
				let left = dice.below(40);
				const dies = new Promise<void>((resolve) => {
					const judge = async (delivery: Delivery): Promise<DeliveryVerdict> => {
						for (let turns = dice.below(5); turns > 0; turns--) await Promise.resolve();
						if (left-- <= 0) {
							kill();
							resolve();
						}
						return dice.happens(0.2) ? failed : take(delivery);
					};
					const limits = { parallel: 1 + dice.below(8), batchSize: 1 + dice.below(3) };
					bench.start(judge, limits, consumers);
				});
				await Promise.race([dies, bench.reaches(appended)]);
				kill();
			}
			bench.start(take, { parallel: 10 });
			await bench.reaches(appended);
			const lists = [...got.values()];
			expect(lists.flat().sort((a, b) => a - b)).toEqual(
				Array.from({ length: appended }, (_, index) => index + 1),
			);
			expect(lists).toEqual(lists.map((list) => [...list].sort((a, b) => a - b)));
		},
	);
});
