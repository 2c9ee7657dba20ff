import type { ReadTransaction, Store, WriteTransaction } from '../../../core/store/store';
import { messageRecord, messageSecrets, newEvent } from '../../support/records';
import type { HostOfTest } from '../store.contract';

/** A promise that the test settles. */
function gate(): { readonly opened: Promise<void>; readonly open: () => void } {
	let open = (): void => undefined;
	const opened = new Promise<void>((resolve) => {
		open = resolve;
	});
	return { opened, open };
}

const insert = (tx: WriteTransaction, id: string) =>
	tx.messages.insertIfNew(messageRecord(id), messageSecrets);

const count = (store: Store) => store.read((tx) => tx.messages.count());

export function transactionPromises(host: HostOfTest): void {
	describe('a transaction', () => {
		it('leaves nothing behind when its work fails', async () => {
			const { store } = host();
			const failure = new Error('changed my mind');
			await expect(
				store.transact(async (tx) => {
					await insert(tx, 'MSG1');
					await tx.outbox.append(newEvent());
					await tx.counters.reserve('transmit:a');
					await tx.consumers.put({ name: 'c', position: 1, parked: [], seenAt: 'now' });
					throw failure;
				}),
			).rejects.toBe(failure);
			const left = await store.read(async (tx) => [
				await tx.messages.count(),
				await tx.outbox.lastSequence(),
				await tx.consumers.list(),
			]);
			expect(left).toEqual([0, 0, []]);
		});

		it('answers what its work answers', async () => {
			expect(await host().store.transact(() => Promise.resolve(7))).toBe(7);
			expect(await host().store.read(() => Promise.resolve(8))).toBe(8);
		});

		it('goes on after a part of it that failed, without what that part did', async () => {
			const { store } = host();
			const failure = new Error('not this part');
			const answers = await store.transact(async (tx) => {
				await insert(tx, 'MSG1');
				await tx.outbox.append(newEvent({ id: 'before' }));
				const failed = await tx
					.attempt(async () => {
						await insert(tx, 'MSG2');
						await tx.messages.delete('MSG1');
						await tx.outbox.append(newEvent({ id: 'inside' }));
						throw failure;
					})
					.catch((error: unknown) => error);
				const kept = await tx.attempt(() => insert(tx, 'MSG3'));
				await tx.outbox.append(newEvent({ id: 'after' }));
				return [failed, kept];
			});
			expect(answers).toEqual([failure, true]);
			const left = await store.read(async (tx) => ({
				ids: (await tx.messages.list()).map(({ record }) => record.id),
				events: (await tx.outbox.readAfter(0, 10)).map(({ sequence, data }) => [sequence, data]),
			}));
			expect(left).toEqual({
				ids: ['MSG1', 'MSG3'],
				events: [
					[1, { id: 'before' }],
					[2, { id: 'after' }],
				],
			});
		});

		it('runs alone, in the order in which it was asked for', async () => {
			const { store } = host();
			const steps: string[] = [];
			const work = (name: string) =>
				store.transact(async (tx) => {
					steps.push(`${name} begins`);
					await insert(tx, name);
					await Promise.resolve();
					await insert(tx, `${name}-again`);
					steps.push(`${name} ends`);
				});
			await Promise.all(['a', 'b', 'c'].map(work));
			const wanted = ['a', 'b', 'c'].flatMap((name) => [`${name} begins`, `${name} ends`]);
			expect(steps).toEqual(wanted);
		});

		it('goes on after a transaction that failed', async () => {
			const { store } = host();
			const failed = store.transact(() => Promise.reject(new Error('no')));
			const next = store.transact((tx) => insert(tx, 'MSG1'));
			await expect(failed).rejects.toThrow('no');
			expect(await next).toBe(true);
		});

		it.each<readonly [string, (store: Store) => Promise<unknown>]>([
			['transact', (store) => store.transact(() => Promise.resolve())],
			['read', (store) => store.read(() => Promise.resolve())],
		])('refuses %s inside, which would wait for itself', async (_name, nested) => {
			const { store } = host();
			await expect(store.transact(() => nested(store))).rejects.toThrow(TypeError);
			await expect(store.read(() => nested(store))).rejects.toThrow(TypeError);
			expect(await store.transact((tx) => insert(tx, 'MSG1'))).toBe(true);
		});

		it('does not bind what was started inside and goes on after its end', async () => {
			const { store } = host();
			const after = gate();
			let background: Promise<boolean> | undefined;
			await store.transact(() => {
				background = after.opened.then(() => store.transact((tx) => insert(tx, 'MSG1')));
				return Promise.resolve();
			});
			after.open();
			expect(await background).toBe(true);
		});

		it('cannot be used after its end', async () => {
			const { store } = host();
			let kept: WriteTransaction | undefined;
			await store.transact((tx) => {
				kept = tx;
				return Promise.resolve();
			});
			await expect((async () => kept && (await insert(kept, 'MSG1')))()).rejects.toThrow(TypeError);
			expect(await count(store)).toBe(0);
		});
	});

	describe('reading', () => {
		it('sees one state from its begin to its end', async () => {
			const { store } = host();
			const looked = gate();
			const written = gate();
			const seen = store.read(async (tx: ReadTransaction) => {
				const before = await tx.messages.count();
				looked.open();
				await written.opened;
				return [before, await tx.messages.count()];
			});
			await looked.opened;
			const writing = store.transact((tx) => insert(tx, 'MSG1'));
			// A backend with one connection writes only after the reader has ended.
			await Promise.race([writing, new Promise((resolve) => setImmediate(resolve))]);
			written.open();
			expect(await seen).toEqual([0, 0]);
			await writing;
			expect(await count(store)).toBe(1);
		});

		it('does not see what is not committed', async () => {
			const { store } = host();
			const inserted = gate();
			const read = gate();
			const writing = store.transact(async (tx) => {
				await insert(tx, 'MSG1');
				inserted.open();
				await read.opened;
				throw new Error('undone');
			});
			await inserted.opened;
			const seen = count(store);
			await Promise.race([seen, new Promise((resolve) => setImmediate(resolve))]);
			read.open();
			await expect(writing).rejects.toThrow('undone');
			expect(await seen).toBe(0);
		});
	});

	describe('a caller who gives up', () => {
		const reason = new Error('cancelled');

		it('before the begin does not start', async () => {
			const { store } = host();
			const signal = AbortSignal.abort(reason);
			const work = jest.fn();
			await expect(store.transact(work, { signal })).rejects.toBe(reason);
			await expect(store.read(work, { signal })).rejects.toBe(reason);
			expect(work).not.toHaveBeenCalled();
		});

		it('leaves the line without holding up those behind', async () => {
			const { store } = host();
			const abort = new AbortController();
			const running = gate();
			const first = store.transact(() => running.opened);
			const work = jest.fn();
			const waiting = store.transact(work, { signal: abort.signal });
			const last = store.transact((tx) => insert(tx, 'MSG1'));
			abort.abort(reason);
			await expect(waiting).rejects.toBe(reason);
			running.open();
			await first;
			expect(await last).toBe(true);
			expect(work).not.toHaveBeenCalled();
		});

		it('in the middle of the work does not undo it', async () => {
			const { store } = host();
			const abort = new AbortController();
			await store.transact(
				async (tx) => {
					abort.abort(reason);
					await insert(tx, 'MSG1');
				},
				{ signal: abort.signal },
			);
			expect(await count(store)).toBe(1);
		});
	});

	describe('closing', () => {
		it('waits for what is under way', async () => {
			const { store } = host();
			const running = gate();
			const writing = store.transact(async (tx) => {
				await running.opened;
				return await insert(tx, 'MSG1');
			});
			const closing = store.close();
			running.open();
			expect(await writing).toBe(true);
			await closing;
		});

		it('refuses everything afterwards, and may be asked for twice', async () => {
			const { store } = host();
			await Promise.all([store.close(), store.close()]);
			const closed = { code: 'error.gateway.store.closed' };
			await expect(count(store)).rejects.toMatchObject(closed);
			await expect(store.transact((tx) => insert(tx, 'MSG1'))).rejects.toMatchObject(closed);
		});

		it('notes under an idempotency key what it adds, without what was rolled back', async () => {
			const { store } = host();
			const key = { id: 'key', fingerprint: 'f', createdAt: 'now', isAnswered: false };
			await store.transact((tx) => tx.idempotencyKeys.insert(key, {}));
			const noted = async (): Promise<unknown> =>
				(await store.read((tx) => tx.idempotencyKeys.get('key')))?.record.created;
			await store.notingCreations('key', async () => {
				const failing = store.transact(async (tx) => {
					await insert(tx, 'MSG0');
					throw new Error('lost');
				});
				await failing.catch(() => undefined);
				expect(await noted()).toBeUndefined();
				await store.transact(async (tx) => {
					await insert(tx, 'MSG1');
					await tx
						.attempt(async () => {
							await insert(tx, 'MSG2');
							throw new Error('undone');
						})
						.catch(() => undefined);
					await insert(tx, 'MSG1');
				});
				await store.transact((tx) => insert(tx, 'MSG3'));
			});
			await store.transact((tx) => insert(tx, 'MSG4'));
			expect(await noted()).toEqual(['MSG1', 'MSG3'].map((id) => ({ collection: 'messages', id })));
			await store.notingCreations('unknown', () => store.transact((tx) => insert(tx, 'MSG5')));
			expect(await count(store)).toBe(4);
		});
	});
}
