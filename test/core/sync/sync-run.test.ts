import { systemClock } from '../../../core/base/clock';
import { silentLogger } from '../../../core/base/logger';
import type { Gateway } from '../../../core';
import { partsOf } from '../../../core/gateway/gateway-parts';
import type { SyncState } from '../../../core/model/record/sync';
import { SyncRunFetcher } from '../../../core/sync/sync-run';
import { mailTo, relate, SandboxNetwork, settle } from '../../support/gateways';
import { until } from '../../support/until';

jest.setTimeout(60_000);

let network: SandboxNetwork;
let own: Gateway;
let found: number[];

beforeAll(async () => {
	// The tests count events as the Backbone has them, which may come twice.
	network = await SandboxNetwork.open({ repeatedShare: 0, maxUnreceivedMessages: 1_000 });
});

beforeEach(async () => {
	own = await network.gateway();
	await settle(own);
	found = [];
	await change({ reconciliationNeeded: false });
});

afterEach(() => network.backbone.faults.clear());

afterAll(() => network.close());

/** As a new process has it. */
const newFetcher = (): SyncRunFetcher => {
	const { store, backbone } = partsOf(own);
	const eventsFound = (createdAt: readonly number[]) => void found.push(...createdAt);
	return new SyncRunFetcher({
		store,
		backbone,
		clock: systemClock,
		logger: silentLogger,
		push: { eventsFound },
	});
};

const stored = async (): Promise<SyncState | undefined> =>
	(await partsOf(own).store.read((tx) => tx.syncState.get('sync')))?.record;

async function change(more: Partial<SyncState>): Promise<void> {
	const state = await stored();
	if (state === undefined) throw new Error('The account was never synced');
	await partsOf(own).store.transact((tx) => tx.syncState.update({ ...state, ...more }));
}

const begin = async (
	fetcher: SyncRunFetcher,
	runId?: string,
	mayHaveLostEvents = false,
): Promise<SyncState> =>
	await partsOf(own).store.transact((tx) => fetcher.begin(tx, { runId, mayHaveLostEvents }));

const end = async (fetcher: SyncRunFetcher, state: SyncState): Promise<SyncState> =>
	await partsOf(own).store.transact((tx) => fetcher.end(tx, state));

const receivedMails = async (): Promise<number> => {
	const entries = await partsOf(own).store.read((tx) =>
		tx.inbox.list({ where: [{ field: 'state', op: 'eq', value: 'pending' }] }),
	);
	return entries.filter(({ record }) => record.type === 'MessageReceived').length;
};

async function mailArrives(): Promise<void> {
	const peer = await network.gateway();
	const { addressA: address } = await relate(own, peer);
	await settle(own);
	await peer.messages.send(mailTo(address));
	network.backbone.queues.deliverAll();
}

const rewriteEvents = (rewrite: (events: object[]) => unknown): void =>
	void network.backbone.faults.add({
		method: 'GET',
		path: /ExternalEvents/i,
		action: {
			kind: 'rewritten',
			rewrite: ({ result, ...rest }: { result: object[] }) => ({
				...rest,
				result: rewrite(result),
			}),
		},
	});

describe('the mark that events may have been lost', () => {
	it.each([
		[false, false, false],
		[true, false, true],
		[false, true, true],
		[true, true, true],
	])('found now: %s, known before: %s, is stored as %s', async (now, before, expected) => {
		await change({ reconciliationNeeded: before });
		const begun = await begin(newFetcher(), undefined, now);
		expect(begun).toMatchObject({ reconciliationNeeded: expected, phase: 'idle' });
		expect(await stored()).toEqual(begun);
	});

	it.each([false, true])('of an account that never synced is what was found: %s', async (lost) => {
		await partsOf(own).store.transact((tx) => tx.syncState.delete('sync'));
		const begun = await begin(newFetcher(), undefined, lost);
		expect(begun).toMatchObject({ phase: 'idle', reconciliationNeeded: lost });
		expect(await stored()).toEqual(begun);
		const due = Date.parse(begun.reconciliation?.dueAt ?? '') - Date.now();
		expect(Math.round(due / 3_600_000)).toBe(24);
	});

	it.each([false, true])('stays as it was (%s) when a run brings its events', async (before) => {
		await mailArrives();
		await change({ reconciliationNeeded: before });
		const fetcher = newFetcher();
		const runId = await fetcher.ask({});
		const state = await fetcher.fetchAll(await begin(fetcher, runId), {});
		expect(state).toMatchObject({ reconciliationNeeded: before, phase: 'idle' });
		expect(state.runId).toBeUndefined();
		const ended = await end(fetcher, state);
		expect(await stored()).toEqual(ended);
		expect(await receivedMails()).toBe(1);
		expect(found).toHaveLength(1);
	});

	it.each<[string, (events: object[]) => unknown]>([
		[
			'says nothing of its object',
			(events) => events.map((event) => ({ ...event, type: undefined })),
		],
		['cannot be read', (events) => [...events, 'no event']],
	])('is set by an event that %s', async (_what, rewrite) => {
		await mailArrives();
		rewriteEvents(rewrite);
		const fetcher = newFetcher();
		const state = await fetcher.fetchAll(await begin(fetcher, await fetcher.ask({})), {});
		expect(state).toMatchObject({ reconciliationNeeded: true, phase: 'idle' });
		const ended = await end(fetcher, state);
		expect(await stored()).toEqual(ended);
	});

	it.each(['fetching', 'finalizing'] as const)(
		'is set when the Backbone has forgotten the run of which we were %s',
		async (phase) => {
			await change({ phase, runId: 'SYR00000000000000000' });
			const fetcher = newFetcher();
			const state = await fetcher.fetchAll(await begin(fetcher), {});
			expect(state).toMatchObject({ reconciliationNeeded: true, phase: 'idle' });
			expect(state.runId).toBeUndefined();
		},
	);

	it('is not set when a new process goes on with the run of a process that ended', async () => {
		await mailArrives();
		const former = newFetcher();
		await begin(former, await former.ask({}));
		const fetcher = newFetcher();
		const state = await fetcher.fetchAll(await begin(fetcher), {});
		expect(state).toMatchObject({ reconciliationNeeded: false, phase: 'idle' });
		expect(await receivedMails()).toBe(1);
	});

	it('is not set when the run was finalised, and its process ended before it knew', async () => {
		await mailArrives();
		const former = newFetcher();
		const runId = await former.ask({});
		await former.fetchAll(await begin(former, runId), {});
		await change({ phase: 'finalizing', runId: runId ?? '' });
		const fetcher = newFetcher();
		const state = await fetcher.fetchAll(await begin(fetcher), {});
		expect(state).toMatchObject({ reconciliationNeeded: false, phase: 'idle' });
	});

	it('is set while a run is open whose id we never saw', async () => {
		await mailArrives();
		await newFetcher().ask({});
		const stop = new AbortController();
		const fetcher = newFetcher();
		const fetching = fetcher.fetchAll(await begin(fetcher), { signal: stop.signal });
		const ended = expect(fetching).rejects.toThrow();
		await until(async () => (await stored())?.reconciliationNeeded === true);
		stop.abort();
		await ended;
		expect(fetcher.mayHaveLostRun).toBe(false);
	});

	it.each([
		[false, false, false],
		[true, false, true],
		[false, true, true],
	])(
		'known: %s, stored by another meanwhile: %s, ends as %s',
		async (known, meanwhile, expected) => {
			const fetcher = newFetcher();
			const begun = await begin(fetcher);
			await change({ reconciliationNeeded: meanwhile });
			const state = {
				...begun,
				reconciliationNeeded: known,
				phase: 'fetching',
				runId: 'SYR1',
			} as const;
			const ended = await partsOf(own).store.transact((tx) => fetcher.end(tx, state));
			expect(ended).toMatchObject({ reconciliationNeeded: expected, phase: 'idle' });
			expect(ended.runId).toBeUndefined();
			expect(await stored()).toEqual(ended);
		},
	);

	it.each([false, true])('stays as it was (%s) when a sync brings nothing', async (before) => {
		await change({ reconciliationNeeded: before, lastCompletedAt: '2020-01-01T00:00:00.000Z' });
		const fetcher = newFetcher();
		expect(await fetcher.ask({})).toBeUndefined();
		await partsOf(own).store.transact((tx) => fetcher.noteEmptySync(tx));
		const state = await stored();
		expect(state).toMatchObject({ reconciliationNeeded: before });
		expect(Date.parse(state?.lastCompletedAt ?? '')).toBeGreaterThan(Date.now() - 60_000);
	});

	it('is taken away by the comparison that it causes, and causes one only', async () => {
		const comparedAt = async () =>
			(await own.account.getSyncStatus()).lastReconciliation?.completedAt;
		await own.account.sync();
		expect(await comparedAt()).toBeUndefined();
		await change({ reconciliationNeeded: true });
		await own.account.sync();
		const first = await comparedAt();
		expect(first).toBeDefined();
		expect(await stored()).toMatchObject({ reconciliationNeeded: false });
		await own.account.sync();
		expect(await comparedAt()).toBe(first);
	});
});

describe('asking for a run', () => {
	const failAsking = (action: Parameters<typeof network.backbone.faults.add>[0]['action']): void =>
		void network.backbone.faults.add({ method: 'POST', path: /SyncRuns$/i, times: 20, action });

	it('leaves it open whether there is one when the answer is lost, until that is stored', async () => {
		await mailArrives();
		failAsking({ kind: 'cutAfter' });
		const fetcher = newFetcher();
		await expect(fetcher.ask({})).rejects.toThrow();
		expect(fetcher.mayHaveLostRun).toBe(true);
		network.backbone.faults.clear();
		await expect(fetcher.ask({})).rejects.toThrow();
		expect(fetcher.mayHaveLostRun).toBe(true);
		fetcher.markLossRecorded();
		expect(fetcher.mayHaveLostRun).toBe(false);
	});

	it('leaves nothing open when it was refused, or one was open already', async () => {
		await mailArrives();
		failAsking({ kind: 'status', status: 403, body: {} });
		const fetcher = newFetcher();
		await expect(fetcher.ask({})).rejects.toThrow();
		expect(fetcher.mayHaveLostRun).toBe(false);
		network.backbone.faults.clear();
		expect(await fetcher.ask({})).toMatch(/^SYR/);
		await expect(fetcher.ask({})).rejects.toThrow();
		expect(fetcher.mayHaveLostRun).toBe(false);
	});

	it('is not begun when the caller has given up', async () => {
		const asked = () =>
			network.backbone.calls.entries.filter(({ path }) => /SyncRuns$/i.test(path)).length;
		const before = asked();
		const fetcher = newFetcher();
		await expect(fetcher.ask({ signal: AbortSignal.abort() })).rejects.toThrow();
		expect([asked() - before, fetcher.mayHaveLostRun]).toEqual([0, false]);
	});
});

describe('a run of several pages', () => {
	const mails = 120;

	async function manyMailsArrive(): Promise<void> {
		const peer = await network.gateway();
		const { addressA: address } = await relate(own, peer);
		await settle(own);
		await Promise.all(Array.from({ length: mails }, () => peer.messages.send(mailTo(address))));
		network.backbone.queues.deliverAll();
	}

	it('is stored with every event once', async () => {
		await manyMailsArrive();
		const fetcher = newFetcher();
		const state = await fetcher.fetchAll(await begin(fetcher, await fetcher.ask({})), {});
		expect(state).toMatchObject({ phase: 'idle', reconciliationNeeded: false });
		expect(await receivedMails()).toBe(mails);
		expect(found).toHaveLength(mails);
	});

	it('goes on after a page that could not be read', async () => {
		await manyMailsArrive();
		const fetcher = newFetcher();
		const begun = await begin(fetcher, await fetcher.ask({}));
		network.backbone.faults.add({
			method: 'GET',
			path: /ExternalEvents.*pageNumber=3/i,
			action: { kind: 'status', status: 403 },
		});
		await expect(fetcher.fetchAll(begun, {})).rejects.toThrow();
		expect(await stored()).toMatchObject({ phase: 'fetching', runId: begun.runId });
		expect(await receivedMails()).toBe(50);
		const next = newFetcher();
		const state = await next.fetchAll(await begin(next), {});
		expect(state).toMatchObject({ phase: 'idle', reconciliationNeeded: false });
		expect(await receivedMails()).toBe(mails);
	});
});
