import type {
	ReconciliationDto,
	ReconciliationState,
} from '../../../../core/model/record/reconciliation';
import type { SyncState } from '../../../../core/model/record/sync';
import { orderReconciliation } from '../../../../core/sync/reconciliation/order-reconciliation';
import type { Store } from '../../../../core/store/store';
import { openMemoryStore } from '../../../support/store';
import { failureOf } from '../../backbone/fixture-server';

const none = { compared: 0, found: 0 };

const report = (startedAt: string, completedAt = startedAt): ReconciliationDto => ({
	...{ startedAt, completedAt, isFull: false },
	...{ relationships: none, messages: none, files: none, templates: none },
	deletionProcesses: none,
});

let store: Store;
beforeEach(async () => {
	store = await openMemoryStore();
});
afterEach(() => store.close());

const stored = async (): Promise<SyncState | undefined> =>
	(await store.read((tx) => tx.syncState.get('sync')))?.record;

async function write(more: Partial<SyncState>): Promise<void> {
	await store.transact(async (tx) => {
		const state = (await tx.syncState.get('sync'))?.record;
		const idle = { id: 'sync', phase: 'idle', reconciliationNeeded: false } as const;
		if (state === undefined) await tx.syncState.insert({ ...idle, ...more }, undefined);
		else await tx.syncState.update({ ...state, ...more });
	});
}

/** Ends the requested comparison with this state. */
const endsWith = (reconciliation: Partial<ReconciliationState>) => () =>
	write({ reconciliationNeeded: false, reconciliation: { dueAt: '', ...reconciliation } });

/** Orders a comparison; the syncs do one thing after the other, then nothing. */
async function order(input: unknown, ...syncs: ReadonlyArray<() => Promise<void>>) {
	let count = 0;
	const sync = async (): Promise<void> => {
		await syncs[count++]?.();
	};
	const outcome = orderReconciliation(store, sync, input, {});
	const settled = await outcome.catch((error: unknown) => error);
	return { outcome, settled, count: () => count };
}

const notReconciled = 'error.gateway.sync.notReconciled';

describe('ordering a comparison with the Backbone', () => {
	it.each([
		[undefined, undefined],
		[{}, undefined],
		[{ full: false }, undefined],
		[{ full: true }, true],
	])('with %j asks the next sync for it', async (input, isFullWanted) => {
		await write({ reconciliation: { dueAt: 'some day', messages: { surplus: 1 } } });
		let asked: SyncState | undefined;
		const last = report('now');
		const { settled, count } = await order(input, async () => {
			asked = await stored();
			await endsWith({ last })();
		});
		expect(settled).toEqual(last);
		expect(count()).toBe(1);
		expect(asked).toStrictEqual({
			...{ id: 'sync', phase: 'idle', reconciliationNeeded: true },
			reconciliation: {
				...{ dueAt: 'some day', messages: { surplus: 1 } },
				...(isFullWanted === undefined ? {} : { isFullWanted }),
			},
		});
	});

	it('of an account that never synced begins with a sync', async () => {
		const { settled, count } = await order(
			{},
			() => write({}),
			async () => {
				expect(await stored()).toMatchObject({
					reconciliationNeeded: true,
					reconciliation: { dueAt: '' },
				});
				await endsWith({ last: report('now') })();
			},
		);
		expect(settled).toEqual(report('now'));
		expect(count()).toBe(2);
	});

	it.each(['yes', 1, null])('refuses %j for full', async (full) => {
		const { settled, count } = await order({ full });
		expect(settled).toMatchObject({
			code: 'error.runtime.validation.invalidPropertyValue',
			facts: { field: 'full' },
		});
		expect(count()).toBe(0);
	});

	it.each([
		['a sync that was past its comparison', () => Promise.resolve()],
		['a comparison that is not over', endsWith({ progress: begun(), last: report('other') })],
		['a report that another follows', endsWith({ isAgainWanted: true, last: report('other') })],
		['one without a report', endsWith({})],
		[
			'one after which events may have been lost again',
			() => write({ reconciliation: { dueAt: '', last: report('other') } }),
		],
		['the report that was known', endsWith({ last: report('before', 'before') })],
	])('waits on after %s', async (_situation, first) => {
		await write({ reconciliation: { dueAt: '', last: report('before', 'before') } });
		const { settled, count } = await order({}, first, endsWith({ last: report('now') }));
		expect(settled).toEqual(report('now'));
		expect(count()).toBe(2);
	});

	it.each([
		['begun later', report('later', 'before')],
		['over later', report('before', 'later')],
	])('takes a report of a comparison that was %s', async (_kind, last) => {
		await write({ reconciliation: { dueAt: '', last: report('before') } });
		expect((await order({}, endsWith({ last }))).settled).toEqual(last);
	});

	it('tells why a comparison failed', async () => {
		await write({});
		const failure = { code: 'error.of.list', message: 'The list is odd.' };
		const { settled, count } = await order({}, endsWith({ failure }));
		expect(settled).toMatchObject({
			code: notReconciled,
			message: expect.stringMatching(/error\.of\.list: The list is odd\.$/),
		});
		expect(count()).toBe(1);
	});

	it('gives up after three syncs of which none has compared', async () => {
		await write({});
		const { outcome, count } = await order({});
		const error = await failureOf(outcome);
		expect(error['code']).toBe(notReconciled);
		expect(error.message).toMatch(/: another process is synchronising this account\.$/);
		expect(count()).toBe(3);
	});

	it('gives up if the state is gone', async () => {
		const { settled } = await order({});
		expect(settled).toMatchObject({ code: notReconciled });
	});
});

function begun() {
	return { startedAt: 'now', isFull: false, kind: 'files' as const, counts: {} };
}
