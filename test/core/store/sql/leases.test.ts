import { rmSync } from 'node:fs';
import { systemRandom } from '../../../../core/base/random';
import { openStore, type AccountStore } from '../../../../core/store/open-store';
import type { Lease, Store } from '../../../../core/store/store';
import { TestClock } from '../../../support/clock';
import { newEvent } from '../../../support/records';
import { temporaryFolder, testAccount } from '../../../support/store';

const ttlMs = 1_000;

describe('leases of an account that two stores have open', () => {
	let folder: string;
	let clock: TestClock;
	let store: AccountStore;
	let other: AccountStore;

	const open = () => openStore(testAccount(folder), { clock, random: systemRandom });

	beforeEach(async () => {
		folder = temporaryFolder();
		clock = new TestClock();
		store = await open();
		other = await open();
	});

	afterEach(async () => {
		await store.close();
		await other.close();
		rmSync(folder, { recursive: true, force: true });
	});

	const take = (by: Store, name: string, holder: string) =>
		by.transact((tx) => tx.leases.take(name, holder, ttlMs));

	/** Leases as a transaction lists them, which are the same in the overview of a sync. */
	async function leases(): Promise<Lease[]> {
		const [listed, inOverview] = await store.read(async (tx) => [
			await tx.leases.list(),
			(await tx.syncOverview()).leases,
		]);
		expect(inOverview).toEqual(listed);
		return [...(listed ?? [])].sort((a, b) => (a.name < b.name ? -1 : 1));
	}

	const sync = { name: 'sync', holder: 'a' };
	const push = { name: 'push', holder: 'b' };

	it('are listed with their holders', async () => {
		await take(store, 'sync', 'a');
		await take(other, 'push', 'b');
		expect(await leases()).toEqual([
			{ ...push, isExpired: false },
			{ ...sync, isExpired: false },
		]);
	});

	it('expire by the clock, one by one', async () => {
		await take(store, 'sync', 'a');
		clock.advance(1);
		await take(store, 'push', 'b');
		clock.advance(ttlMs - 1);
		expect(await leases()).toEqual([
			{ ...push, isExpired: false },
			{ ...sync, isExpired: true },
		]);
	});

	it('count as expired when more than twice their duration is left', async () => {
		await take(store, 'sync', 'a');
		clock.advance(-ttlMs);
		expect(await leases()).toEqual([{ ...sync, isExpired: false }]);
		clock.advance(-1);
		expect(await leases()).toEqual([{ ...sync, isExpired: true }]);
	});

	it('expire with the store of their holder, and are free from then on', async () => {
		await take(store, 'push', 'b');
		await take(other, 'sync', 'a');
		expect(await take(store, 'sync', 'b')).toBe(false);
		await other.close();
		expect(await leases()).toEqual([
			{ ...push, isExpired: false },
			{ ...sync, isExpired: true },
		]);
		expect(await take(store, 'sync', 'b')).toBe(true);
		expect(await leases()).toEqual([
			{ ...push, isExpired: false },
			{ name: 'sync', holder: 'b', isExpired: false },
		]);
	});

	it('of a live holder stay when a closed one is replaced', async () => {
		await take(other, 'push', 'a');
		await take(store, 'sync', 'b');
		await other.close();
		expect(await take(store, 'sync', 'c')).toBe(false);
		expect(await take(store, 'push', 'c')).toBe(true);
	});

	it('are dropped by name and holder only', async () => {
		await take(store, 'sync', 'a');
		await take(store, 'push', 'a');
		await store.transact((tx) => tx.leases.drop('sync', 'a'));
		expect(await leases()).toEqual([{ name: 'push', holder: 'a', isExpired: false }]);
	});

	it('belong to a holder whose name contains the separator of the token', async () => {
		await take(store, 'sync', 'a~b');
		expect(await leases()).toEqual([{ name: 'sync', holder: 'a~b', isExpired: false }]);
	});

	it('a marked name is gone with the store that marked it', async () => {
		const mark = (by: Store) => by.transact((tx) => Promise.resolve(tx.leases.mark('a')));
		const [own, foreign] = [await mark(store), await mark(other)];
		const gone = () =>
			store.read(async (tx) => [await tx.leases.isGone(own), await tx.leases.isGone(foreign)]);
		expect(await gone()).toEqual([false, false]);
		await other.close();
		expect(await gone()).toEqual([false, true]);
		expect(await store.read((tx) => tx.leases.isGone(`${foreign} `))).toBe(false);
	});

	describe('work under a lease', () => {
		const append = (by: Store) => by.transact((tx) => tx.outbox.append(newEvent()));
		const appended = () => store.read((tx) => tx.outbox.lastSequence());
		const lost = { code: 'error.gateway.store.leaseLost' };

		it('commits while its holder has the lease, also when it has expired', async () => {
			await take(store, 'sync', 'a');
			await take(other, 'push', 'b');
			clock.advance(2 * ttlMs);
			expect(
				await store.underLease(sync, async () => {
					await append(store);
					return 'done';
				}),
			).toBe('done');
			expect(await appended()).toBe(1);
		});

		it.each<readonly [string, () => Promise<unknown>]>([
			['another holder has the lease', () => take(other, 'sync', 'b')],
			['the lease is free', () => Promise.resolve()],
			['its holder has another lease only', () => take(other, 'push', 'a')],
		])('commits nothing when %s', async (_name, prepare) => {
			await prepare();
			await expect(store.underLease(sync, () => append(store))).rejects.toMatchObject(lost);
			expect(await appended()).toBe(0);
		});

		it('may go on after the lease was lost, and the loss is reported at its end', async () => {
			const unhandled = jest.fn();
			process.on('unhandledRejection', unhandled);
			try {
				const working = store.underLease(sync, () =>
					store.transact(async (tx) => {
						await tx.outbox.append(newEvent());
						await new Promise((resolve) => setTimeout(resolve, 20));
					}),
				);
				await expect(working).rejects.toMatchObject(lost);
			} finally {
				process.off('unhandledRejection', unhandled);
			}
			expect(unhandled).not.toHaveBeenCalled();
			expect(await appended()).toBe(0);
		});

		it('that was lost is free again for what it began and did not wait for', async () => {
			let release = (): void => undefined;
			const held = new Promise<void>((resolve) => (release = resolve));
			let later: Promise<void> | undefined;
			await store.underLease(sync, () => {
				later = held.then(() => append(store));
				return Promise.resolve();
			});
			release();
			await later;
			expect(await appended()).toBe(1);
		});
	});
});
