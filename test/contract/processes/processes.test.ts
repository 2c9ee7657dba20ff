import { readdirSync, rmSync } from 'node:fs';
import { systemClock } from '../../../core/base/clock';
import { systemRandom } from '../../../core/base/random';
import { openStore, type AccountStore } from '../../../core/store/open-store';
import { nodesOfThisRun } from '../../support/nodes';
import { templateRecord } from '../../support/records';
import { temporaryFolder, testAccount } from '../../support/store';
import { WorkerProgram } from './worker-program';

jest.setTimeout(300_000);

const numbersUpTo = (count: number) => Array.from({ length: count }, (_, index) => index);

describe.each(nodesOfThisRun)('a store and its processes on %s', (_node, nodeProgram) => {
	let program: WorkerProgram;
	let folder: string;
	const opened: AccountStore[] = [];

	beforeAll(async () => {
		program = new WorkerProgram(await nodeProgram());
	});

	afterAll(() => program.remove());

	beforeEach(() => {
		folder = temporaryFolder();
	});

	afterEach(async () => {
		for (const store of opened.splice(0)) await store.close();
		rmSync(folder, { recursive: true, force: true });
	});

	async function open(parts: { readonly passphrase?: string } = {}): Promise<AccountStore> {
		const config = { ...testAccount(folder), ...parts };
		const store = await openStore(config, { clock: systemClock, random: systemRandom });
		opened.push(store);
		return store;
	}

	const secretsIn = (store: AccountStore) =>
		store.read(async (tx) => (await tx.templates.list()).map(({ secrets }) => secrets.secretKey));

	it('lets several write at once: nothing is lost, no number is used twice', async () => {
		const here = await open();
		const count = 30;
		const names = ['a', 'b', 'c'];
		const writing = names.map((name) => program.run({ folder, operation: 'write', name, count }));
		const own: number[] = [];
		for (let index = 0; index < count; index++) {
			await here.transact(async (tx) => {
				own.push(await tx.counters.reserve('transmit:REL1'));
				await tx.templates.insert(templateRecord(`own${index}`), { secretKey: 'own' });
			});
		}
		const outcomes = await Promise.all(writing);
		expect(outcomes.map(({ failure }) => failure)).toEqual(['', '', '']);
		const reserved = [...own, ...outcomes.flatMap(({ result }) => result as number[])];
		expect(reserved).toHaveLength(4 * count);
		expect(new Set(reserved).size).toBe(4 * count);
		const sequences = await here.read(async (tx) =>
			(await tx.outbox.readAfter(0, 1_000)).map(({ sequence }) => sequence),
		);
		expect(sequences).toEqual(numbersUpTo(3 * count).map((index) => index + 1));
		expect(await secretsIn(here)).toHaveLength(4 * count);
	});

	it('has one account when several create it at once', async () => {
		const outcomes = await Promise.all(
			['a', 'b', 'c'].map((name) => program.run({ folder, operation: 'write', name })),
		);
		expect(outcomes.map(({ failure }) => failure)).toEqual(['', '', '']);
		expect((await secretsIn(await open())).sort()).toEqual(['a', 'b', 'c']);
	});

	it('keeps the state before a transaction in which the process was killed', async () => {
		const before = await program.run({ folder, operation: 'write', name: 'a', count: 2 });
		const killed = await program.run({ folder, operation: 'dieInTransaction', name: 'b' });
		expect([before.killed, killed.killed]).toEqual([false, true]);
		const store = await open();
		const state = await store.read(async (tx) => [
			await tx.outbox.lastSequence(),
			await tx.sendIntents.count(),
			await tx.templates.count(),
		]);
		expect(state).toEqual([2, 0, 2]);
	});

	it('keeps what was committed when the process is killed right after, and goes on counting', async () => {
		const first = await program.run({ folder, operation: 'dieAfterCommit', name: 'a', count: 3 });
		const second = await program.run({ folder, operation: 'dieAfterCommit', name: 'b', count: 2 });
		expect([first, second].map(({ killed, result }) => [killed, result])).toEqual([
			[true, [0, 1, 2]],
			// What is left of the first one's block is skipped.
			[true, [4, 5]],
		]);
		expect(await secretsIn(await open())).toEqual(['a', 'a', 'a', 'b', 'b']);
	});

	it('says so when the disk refuses a write, and keeps what was written before', async () => {
		const task = { folder, operation: 'writeUntilRefused', name: 'a' } as const;
		const { result, failure } = await program.runWithSmallFiles(task, 3_000);
		expect(failure).toBe('');
		const { written, ...outcome } = result as { written: number };
		expect(outcome).toEqual({
			readable: written,
			code: 'error.gateway.store.ioFailed',
			kind: 'unavailable',
			message: 'The disk failed to read or write.',
		});
		expect(written).toBeGreaterThan(10);
		const store = await open();
		expect(await secretsIn(store)).toHaveLength(written);
		const after = await program.run({ folder, operation: 'write', name: 'after' });
		expect(after).toMatchObject({ failure: '', result: [expect.any(Number)] });
	});

	it('does not wait for the lease of a killed process', async () => {
		const store = await open();
		const take = (name: string, holder: string): Promise<boolean> =>
			store.transact((tx) => tx.leases.take(name, holder, 3_600_000));
		expect(await take('push', 'living')).toBe(true);
		const killed = await program.run({ folder, operation: 'holdLease', name: 'killed' });
		expect(killed).toMatchObject({ killed: true, result: true });
		expect(await take('sync', 'another')).toBe(true);
		expect(await take('push', 'another')).toBe(false);
	});

	describe.each<readonly [string, { readonly passphrase?: string }]>([
		['with a key file', {}],
		['with a passphrase', { passphrase: 'correct horse' }],
	])('killed while it creates an account %s', (_name, parts) => {
		it('leaves nothing that the next creation cannot use, whenever it happened', async () => {
			let deaths = 0;
			for (let dieAtRandom = 1; dieAtRandom < 50; dieAtRandom++) {
				const killed = await program.run({
					folder,
					operation: 'open',
					name: 'a',
					dieAtRandom,
					...parts,
				});
				if (!killed.killed) break;
				deaths++;
				const name = `after${dieAtRandom}`;
				const again = await program.run({ folder, operation: 'write', name, ...parts });
				expect(again).toMatchObject({ failure: '', result: [0] });
				const store = await open(parts);
				expect(await secretsIn(store)).toEqual([name]);
				await store.close();
				rmSync(folder, { recursive: true, force: true });
			}
			expect(deaths).toBeGreaterThanOrEqual(3);
		});

		it('loses nothing when it is killed several times in a row', async () => {
			for (const dieAtRandom of [1, 2, 3, 2, 1]) {
				await program.run({ folder, operation: 'open', name: 'a', dieAtRandom, ...parts });
			}
			const again = await program.run({ folder, operation: 'write', name: 'b', ...parts });
			expect(again).toMatchObject({ failure: '', result: [0] });
			expect(await secretsIn(await open(parts))).toEqual(['b']);
			expect(readdirSync(folder)).toContain('default.sqlite');
		});
	});
});
