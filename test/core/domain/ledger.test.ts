import { workIn } from '../../support/records';
import { silentLogger } from '../../../core/base/logger';
import { Ledger, openWork, wantedNow } from '../../../core/domain/unfinished/ledger';
import { WorkAttempts } from '../../../core/domain/unfinished/work-attempts';
import type { WorkRecord } from '../../../core/model/record/work';
import type { AccountStore } from '../../../core/store/open-store';
import { openStore } from '../../../core/store/open-store';
import { systemRandom } from '../../../core/base/random';
import { TestClock } from '../../support/clock';
import { temporaryFolder, testAccount } from '../../support/store';
import { FixtureServer, failureOf, problem } from '../backbone/fixture-server';

/* Every kind of work goes through these steps; test/scenario/unfinished plays each kind. */

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const id = 'FIL1';

interface Process {
	readonly store: AccountStore;
	readonly ledger: Ledger;
}

let clock: TestClock;
let folder: string;
let server: FixtureServer;
let processes: Process[];

const start = async (): Promise<Process> => {
	const store = await openStore(testAccount(folder), { clock, random: systemRandom });
	const process = { store, ledger: new Ledger({ store, clock }) };
	processes.push(process);
	return process;
};

let one: Process;
beforeEach(async () => {
	clock = new TestClock();
	folder = temporaryFolder();
	processes = [];
	server = await FixtureServer.open({ 'GET /api/v2/Any': problem(404, 'error.platform.some') });
	one = await start();
});
afterEach(async () => {
	for (const { store } of processes) await store.close();
	await server.close();
});

const work = (): Promise<WorkRecord | undefined> => workIn(one.store, id);

const open = (): Promise<void> =>
	one.store.transact((tx) =>
		openWork(tx, { id, kind: 'deleteFile', since: new Date(clock.now()).toISOString() }),
	);

const begin = ({ store, ledger }: Process): Promise<void> =>
	store.transact((tx) => ledger.begin(tx, id, 'deleteFile'));

/** One attempt of a sync; whether it was made. */
async function attempt({ store, ledger }: Process, error?: Error): Promise<boolean> {
	const backbone = server.connect({ clock });
	const pass = new WorkAttempts({ store, ledger, backbone, clock, logger: silentLogger }, {});
	let isMade = false;
	await pass.attempt(id, async () => {
		isMade = true;
		if (error !== undefined) throw error;
		await store.transact((tx) => tx.work.delete(id));
	});
	return isMade;
}

const failing = new Error('It failed.');

describe('unfinished work', () => {
	it('is tried twice at once, then by the plan, then every 6 hours, without a limit', async () => {
		await open();
		const waits: number[] = [];
		for (let attempts = 0; attempts < 10; attempts++) {
			expect(await attempt(one, failing)).toBe(true);
			const dueAt = (await work())?.dueAt ?? '';
			const waitMs = dueAt === '' ? 0 : Date.parse(dueAt) - clock.now();
			waits.push(waitMs);
			if (waitMs > 0) {
				clock.advance(waitMs - 1);
				expect(await attempt(one, failing)).toBe(false);
				clock.advance(1);
			}
		}
		const [plan, longest] = [[2_000, 30_000, 10 * minuteMs, hourMs], 6 * hourMs];
		expect(waits).toEqual([0, 0, ...plan, longest, longest, longest, longest]);
	});

	it('is reported once, after an hour of failures', async () => {
		await open();
		const reports = async () =>
			(await one.store.read((tx) => tx.outbox.readAfter(0, 10))).map(({ name }) => name);
		for (let attempts = 0; attempts < 6; attempts++) {
			await attempt(one, failing);
			expect(await reports()).toEqual([]);
			clock.advance(hourMs / 8);
		}
		clock.advance(hourMs);
		for (let attempts = 0; attempts < 3; attempts++) {
			await attempt(one, failing);
			clock.advance(6 * hourMs);
		}
		expect(await reports()).toEqual(['gateway.changeUnfinished']);
	});

	it('is tried at once when a person wants it, and when it is begun anew', async () => {
		await open();
		for (let attempts = 0; attempts < 3; attempts++) await attempt(one, failing);
		expect(await attempt(one, failing)).toBe(false);
		await one.store.transact(async (tx) => {
			const entry = await tx.work.get(id);
			if (entry !== undefined) await tx.work.update(wantedNow(entry.record));
		});
		expect(await attempt(one, failing)).toBe(true);
		expect(await attempt(one, failing)).toBe(false);
		await open();
		expect(await work()).toMatchObject({ attempts: 4 });
		expect(await attempt(one)).toBe(true);
		expect(await work()).toBeUndefined();
	});
});

describe('work that one process tries', () => {
	it('is left alone by all others and by its own syncs, until the call has failed', async () => {
		const other = await start();
		await begin(one);
		const call = one.ledger.whileClaimed(id, async () => {
			expect([await attempt(one), await attempt(other)]).toEqual([false, false]);
			throw failing;
		});
		expect(await failureOf(call)).toBe(failing);
		expect(await attempt(other)).toBe(true);
	});

	it('is taken over when the process is gone', async () => {
		const other = await start();
		await begin(one);
		expect(await attempt(other)).toBe(false);
		await one.store.close();
		processes = [other];
		expect(await attempt(other)).toBe(true);
	});

	it('is taken over when it takes too long, and stays with the process that has it then', async () => {
		const [other, third] = [await start(), await start()];
		await begin(one);
		clock.advance(2 * minuteMs);
		const begunBy = ({ store, ledger }: Process): Promise<void> =>
			store.transact((tx) => ledger.begin(tx, id, 'deleteFile', openWork));
		await begunBy(other);
		expect(await failureOf(one.ledger.whileClaimed(id, () => Promise.reject(failing)))).toBe(
			failing,
		);
		expect(await attempt(third)).toBe(false);
		clock.advance(2 * minuteMs);
		expect(await attempt(third)).toBe(true);
	});
});
