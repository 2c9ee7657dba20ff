import { correlated } from '../../../core/base/observation/correlation';
import type { ConsumerRecord } from '../../../core/model/record/event';
import type { Store } from '../../../core/store/store';
import { appendedTo, createdAt, newEvent } from '../../support/records';
import type { HostOfTest } from '../store.contract';

const append = (store: Store, id: string) =>
	store.transact((tx) => tx.outbox.append(newEvent({ id })));

const sequences = (store: Store, position = 0, limit = 100) =>
	store.read(async (tx) =>
		(await tx.outbox.readAfter(position, limit)).map(({ sequence }) => sequence),
	);

/** a slice that holds everything */
const all = { after: 0, limit: 100 };

const consumer = (name: string, position: number): ConsumerRecord => ({
	name,
	position,
	parked: [],
	seenAt: createdAt,
});

export function eventPromises(host: HostOfTest): void {
	describe('the outbox', () => {
		it('numbers events from one without gaps, also when transactions fail', async () => {
			const { store } = host();
			const outcomes = await Promise.allSettled(
				Array.from({ length: 20 }, (_, index) =>
					store.transact(async (tx) => {
						const sequence = await appendedTo(tx, newEvent({ index }));
						if (index % 3 === 0) throw new Error('undone');
						return sequence;
					}),
				),
			);
			const committed = outcomes.flatMap((outcome) =>
				outcome.status === 'fulfilled' ? [outcome.value] : [],
			);
			const gapless = Array.from({ length: 13 }, (_, index) => index + 1);
			expect(committed).toEqual(gapless);
			expect(await sequences(store)).toEqual(gapless);
		});

		it('gives events back as they were appended', async () => {
			const { store } = host();
			const full = newEvent(
				{ id: 'REL1', nested: { list: [1, null] } },
				{
					peer: 'did:e:peer',
					subject: 'REL1',
				},
			);
			await store.transact(async (tx) => {
				await tx.outbox.append(full);
				await tx.outbox.append(newEvent());
			});
			const events = await store.read((tx) => tx.outbox.readAfter(0, 10));
			expect(events).toEqual([
				{ ...full, sequence: 1 },
				{ ...newEvent(), sequence: 2 },
			]);
		});

		it('is read after a part of the transaction was undone', async () => {
			const { store } = host();
			await store.transact(async (tx) => {
				await tx.outbox.append(newEvent({ name: 'A' }));
				const undone = tx.attempt(async () => {
					await tx.outbox.append(newEvent({ name: 'B' }));
					throw new Error('undone');
				});
				await expect(undone).rejects.toThrow('undone');
				await tx.outbox.append(newEvent({ name: 'C', password: 'sealed in any case' }));
				await tx.outbox.passTo(7);
				await tx.outbox.append(newEvent({ name: 'D', password: 'sealed in any case' }));
			});
			const events = await store.read((tx) => tx.outbox.readAfter(0, 10));
			expect(events.map(({ sequence, data }) => [sequence, data['name']])).toEqual([
				[1, 'A'],
				[2, 'C'],
				[8, 'D'],
			]);
		});

		it('gives a sealed event back that follows an event in clear in one transaction', async () => {
			const { store } = host();
			const events = [newEvent({ name: 'A' }), newEvent({ password: 'secret' })];
			await store.transact(async (tx) => {
				for (const event of events) await tx.outbox.append(event);
			});
			const found = await store.read((tx) => tx.outbox.readAfter(0, 10));
			expect(found.map(({ data }) => data)).toEqual(events.map(({ data }) => data));
		});

		it('names the cause of an event', async () => {
			const { store } = host();
			const append = () => store.transact((tx) => tx.outbox.append(newEvent()));
			await correlated('cause', append);
			await append();
			const found = await store.read((tx) => tx.outbox.readAfter(0, 10));
			expect(found).toEqual([
				{ ...newEvent(), correlationId: 'cause', sequence: 1 },
				{ ...newEvent(), sequence: 2 },
			]);
		});

		it('is read in pages', async () => {
			const { store } = host();
			for (const id of ['a', 'b', 'c', 'd']) await append(store, id);
			expect(await sequences(store, 1, 2)).toEqual([2, 3]);
			expect(await sequences(store, 4, 2)).toEqual([]);
		});

		it('knows its ends', async () => {
			const { store } = host();
			const ends = () =>
				store.read(async (tx) => [await tx.outbox.firstSequence(), await tx.outbox.lastSequence()]);
			expect(await ends()).toEqual([0, 0]);
			await append(store, 'a');
			await append(store, 'b');
			expect(await ends()).toEqual([1, 2]);
			await store.transact((tx) => tx.outbox.prune('2030-06-01T00:00:00.000Z', all));
			expect(await ends()).toEqual([0, 2]);
		});

		it('passes numbers over, and never goes back', async () => {
			const { store } = host();
			await append(store, 'a');
			await store.transact((tx) => tx.outbox.passTo(7));
			expect(await store.read((tx) => tx.outbox.lastSequence())).toBe(7);
			await append(store, 'b');
			await store.transact((tx) => tx.outbox.passTo(3));
			await append(store, 'c');
			expect(await sequences(store)).toEqual([1, 8, 9]);
		});

		it('finds the newest of some names', async () => {
			const { store } = host();
			await store.transact(async (tx) => {
				for (const name of ['x', 'y', 'x', 'z', 'x']) {
					await tx.outbox.append(newEvent({ name }, { name }));
				}
			});
			const newest = (names: string[], lookBack: number) =>
				store.read(async (tx) =>
					(await tx.outbox.newest(names, lookBack)).map(({ sequence }) => sequence),
				);
			expect(await newest(['x', 'z'], 3)).toEqual([5, 4, 3]);
			expect(await newest(['y'], 3)).toEqual([2]);
			expect(await newest([], 3)).toEqual([]);
		});

		it('forgets what it holds about a subject and keeps its place', async () => {
			const { store } = host();
			await store.transact(async (tx) => {
				await tx.outbox.append(newEvent({ name: 'A' }, { subject: 'REL1', peer: 'did:e:p' }));
				await tx.outbox.append(newEvent({ name: 'B' }, { subject: 'REL2', peer: 'did:e:p' }));
				await tx.outbox.erase('REL1');
			});
			const events = await store.read((tx) => tx.outbox.readAfter(0, 10));
			expect(events.map(({ data, peer }) => [data, peer])).toEqual([
				[{}, undefined],
				[{ name: 'B' }, 'did:e:p'],
			]);
		});
	});

	describe('what is about a subject', () => {
		const about = (subject: string) => newEvent({ name: subject }, { subject });
		const left = (store: Store) =>
			store.read(async (tx) => (await tx.outbox.readAfter(0, 10)).map(({ data }) => data['name']));

		it('is forgotten whenever it was appended', async () => {
			const { store } = host();
			for (const subject of ['REL1', 'REL2', 'REL1']) {
				await store.transact((tx) => tx.outbox.append(about(subject)));
				await store.transact((tx) => tx.outbox.erase('REL3'));
			}
			await store.transact((tx) => tx.outbox.append(about('REL1')));
			await store.transact((tx) => tx.outbox.erase('REL1'));
			expect(await left(store)).toEqual([undefined, 'REL2', undefined, undefined]);
		});

		it('is found although only a part was indexed before', async () => {
			const { store } = host();
			await store.transact(async (tx) => {
				for (const subject of ['REL1', 'REL2', 'REL1']) await tx.outbox.append(about(subject));
			});
			const index = () => store.transact((tx) => tx.outbox.indexSubjects(2));
			expect(await index()).toBe(2);
			await store.transact((tx) => tx.outbox.append(about('REL1')));
			await store.transact((tx) => tx.outbox.erase('REL1'));
			expect(await left(store)).toEqual([undefined, 'REL2', undefined, undefined]);
			expect(await index()).toBe(0);
		});

		it('is forgotten after others were pruned', async () => {
			const { store } = host();
			const later = '2030-06-01T00:00:00.000Z';
			await store.transact(async (tx) => {
				for (const subject of ['REL1', 'REL2']) await tx.outbox.append(about(subject));
				await tx.outbox.erase('REL1');
				await tx.outbox.prune(later, all);
				for (const subject of ['REL1', 'REL2']) await tx.outbox.append(about(subject));
				await tx.outbox.prune(createdAt, all);
				await tx.outbox.erase('REL2');
			});
			expect(await left(store)).toEqual(['REL1', undefined]);
		});
	});

	describe('pruning', () => {
		const later = '2030-06-01T00:00:00.000Z';

		async function fill(store: Store, positions: readonly number[]): Promise<void> {
			await store.transact(async (tx) => {
				for (const at of [createdAt, createdAt, createdAt, later]) {
					await tx.outbox.append(newEvent({ at }, { createdAt: at }));
				}
				for (const [index, position] of positions.entries()) {
					await tx.consumers.put(consumer(`c${index}`, position));
				}
			});
		}

		it.each([
			['everything old when there is no reader', [], later, [4]],
			['only what every consumer has passed', [4, 2], later, [3, 4]],
			['nothing while a reader has read nothing', [4, 0], later, [1, 2, 3, 4]],
			['nothing that is not old enough', [4], createdAt, [1, 2, 3, 4]],
		])('removes %s', async (_name, positions, olderThan, left) => {
			const { store } = host();
			await fill(store, positions);
			const pruned = await store.transact((tx) => tx.outbox.prune(olderThan, all));
			expect(await sequences(store)).toEqual(left);
			expect(pruned).toMatchObject({ removed: 4 - left.length, hasMore: false });
		});

		it('keeps what a consumer has parked, as long as it is parked', async () => {
			const { store } = host();
			await fill(store, [4]);
			for (const parked of [[1, 2, 3], [1, 2], [1], []]) {
				const kept = parked.map((sequence) => ({ sequence, reason: 'why', parkedAt: createdAt }));
				await store.transact((tx) => tx.consumers.put({ ...consumer('c0', 4), parked: kept }));
				const { removed } = await store.transact((tx) => tx.outbox.prune(later, all));
				expect(await sequences(store)).toEqual([...parked, 4]);
				expect(removed).toBe(parked.length === 3 ? 0 : 1);
			}
		});

		it('goes on where a slice ended, past what was kept', async () => {
			const { store } = host();
			await fill(store, [4]);
			const parked = [{ sequence: 1, reason: 'why', parkedAt: createdAt }];
			await store.transact((tx) => tx.consumers.put({ ...consumer('c0', 4), parked }));
			const prune = (after: number) =>
				store.transact((tx) => tx.outbox.prune(later, { after, limit: 2 }));
			expect(await prune(0)).toEqual({ removed: 1, position: 2, hasMore: true });
			expect(await prune(2)).toEqual({ removed: 1, position: 4, hasMore: true });
			expect(await prune(4)).toEqual({ removed: 0, position: 4, hasMore: false });
			expect(await sequences(store)).toEqual([1, 4]);
		});

		it('ends at a slice in which nothing is old', async () => {
			const { store } = host();
			await store.transact(async (tx) => {
				for (const at of [later, createdAt])
					await tx.outbox.append(newEvent({}, { createdAt: at }));
			});
			const slice = { after: 0, limit: 1 };
			const pruned = await store.transact((tx) => tx.outbox.prune(later, slice));
			expect(pruned).toEqual({ removed: 0, position: 1, hasMore: false });
		});

		it('never leads to a number being used again', async () => {
			const { store } = host();
			await append(store, 'a');
			await store.transact((tx) => tx.outbox.prune(later, all));
			await append(store, 'b');
			expect(await sequences(store)).toEqual([2]);
		});
	});

	describe('consumers', () => {
		it('are stored, replaced, listed by name and forgotten', async () => {
			const { store } = host();
			const parked = { sequence: 1, reason: 'why', parkedAt: createdAt };
			const attempt = { sequence: 3, events: [3, 6], number: 1, refusals: 0 };
			const second: ConsumerRecord = {
				...consumer('b', 2),
				settled: [
					[4, 5],
					[7, 9],
				],
				attempts: [attempt],
				parked: [parked],
			};
			await store.transact(async (tx) => {
				await tx.consumers.put(consumer('b', 1));
				await tx.consumers.put(second);
				await tx.consumers.put(consumer('a', 0));
			});
			const listed = await store.read((tx) => tx.consumers.list());
			expect(listed).toEqual([consumer('a', 0), second]);
			await store.transact((tx) => tx.consumers.delete('b'));
			const left = await store.read(async (tx) => [
				await tx.consumers.get('a'),
				await tx.consumers.get('b'),
			]);
			expect(left).toEqual([consumer('a', 0), undefined]);
		});
	});
}
