import {
	reconciledKinds,
	type ReconciliationProgress,
	type ReconciliationState,
} from '../../../../core/model/record/reconciliation';
import type { SyncState } from '../../../../core/model/record/sync';
import {
	begun,
	continued,
	hasLosses,
	isFresh,
	isReconciliationDue,
	over,
	withCounts,
} from '../../../../core/sync/reconciliation/reconciliation-state';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
const now = Date.parse('2030-01-02T12:00:00.000Z');
const at = (passedMs: number): string => new Date(now + passedMs).toISOString();

const failure = { code: 'error.some', message: 'A failure.' };

const progressWith = (more: Partial<ReconciliationProgress>): ReconciliationProgress => ({
	startedAt: at(0),
	isFull: false,
	kind: 'relationships',
	counts: {},
	...more,
});

describe('a comparison with the Backbone', () => {
	const stateWith = (more: Partial<SyncState>): SyncState => ({
		id: 'sync',
		phase: 'idle',
		reconciliationNeeded: false,
		...more,
	});

	it.each([
		['of an account that never synced', undefined, false],
		['that was never planned', stateWith({}), true],
		['planned for later', stateWith({ reconciliation: { dueAt: at(1) } }), false],
		['planned for now', stateWith({ reconciliation: { dueAt: at(0) } }), true],
		[
			'planned for later, with events that may be lost',
			stateWith({ reconciliation: { dueAt: at(1) }, reconciliationNeeded: true }),
			true,
		],
	])('%s', (_situation, state, expected) => {
		expect(isReconciliationDue(state, now)).toBe(expected);
	});

	it('begins with the first kind, and keeps what earlier comparisons have reached', () => {
		const progress = progressWith({ kind: reconciledKinds[0] });
		expect(begun(undefined, at(0))).toEqual({ dueAt: at(0), progress });
		const kept = { askedTo: { files: 1, peers: 2 }, messages: { surplus: 3 } };
		const before: ReconciliationState = {
			...kept,
			dueAt: at(-dayMs),
			isFullWanted: true,
			isAgainWanted: true,
			failure,
			progress: progressWith({ kind: 'files' }),
		};
		expect(begun(before, at(0))).toEqual({
			...kept,
			dueAt: at(0),
			progress: { ...progress, isFull: true },
		});
	});

	it.each([
		[true, { isAgainWanted: true }],
		[false, {}],
	])('goes on; events may have been lost since its beginning: %s', (mayHaveLost, more) => {
		const progress = progressWith({ kind: 'files' });
		const state: ReconciliationState = { dueAt: at(-dayMs), failure, progress };
		expect(continued(state, mayHaveLost, at(0))).toEqual({ dueAt: at(0), progress, ...more });
	});

	it.each([
		[dayMs - 1, true],
		[dayMs, false],
	])('of %i ms ago goes on: %s', (passedMs, expected) => {
		expect(isFresh(progressWith({ startedAt: at(-passedMs) }), now)).toBe(expected);
	});

	it.each([
		['an ordinary one without findings', { counts: { files: { compared: 5, found: 0 } } }, false],
		['before its first page', {}, false],
		['a kind without counts', { counts: { files: undefined } }, false],
		['a full one', { isFull: true }, true],
		[
			'one of whose kinds has findings',
			{ counts: { relationships: { compared: 5, found: 0 }, files: { compared: 1, found: 1 } } },
			true,
		],
	])('calls for objects without a list: %s', (_situation, progress, expected) => {
		expect(hasLosses(progressWith(progress))).toBe(expected);
	});
});

describe('after a page of a comparison', () => {
	it('the next page of the same kind follows, and its counts are added up', () => {
		const first = withCounts(progressWith({}), { compared: 50, found: [], next: 51 }, 2);
		const counts = { relationships: { compared: 50, found: 2 } };
		expect(first).toEqual(progressWith({ counts, position: 51 }));
		const second = withCounts(
			progressWith({ counts, position: 51 }),
			{ compared: 7, found: [], next: 60 },
			1,
		);
		expect(second).toEqual(
			progressWith({ counts: { relationships: { compared: 57, found: 3 } }, position: 60 }),
		);
	});

	it('the next kind follows the last page, from its beginning', () => {
		const after = withCounts(progressWith({ position: 51 }), { compared: 1, found: [] }, 0);
		const counts = { relationships: { compared: 1, found: 0 } };
		expect(after).toEqual(progressWith({ kind: 'messages', counts }));
	});

	it('of the last kind the comparison is over', () => {
		const last = progressWith({ kind: 'deletionProcesses' });
		const counts = { deletionProcesses: { compared: 0, found: 0 } };
		const ended = { ...last, counts };
		expect(withCounts(last, { compared: 0, found: [] }, 0)).toEqual({ ended });
	});
});

describe('a comparison that is over', () => {
	const ended = progressWith({ startedAt: at(-hourMs) });
	const none = { compared: 0, found: 0 };
	const report = {
		startedAt: at(-hourMs),
		completedAt: at(0),
		isFull: false,
		relationships: none,
		messages: none,
		files: none,
		templates: none,
		deletionProcesses: none,
	};

	it('is followed by the next one a day later', () => {
		const before: ReconciliationState = { dueAt: at(-hourMs), progress: ended };
		expect(over(before, ended, now)).toEqual({ dueAt: at(dayMs), last: report });
	});

	it('is followed by the next one at once if events may have been lost meanwhile', () => {
		const before: ReconciliationState = { dueAt: at(-hourMs), isAgainWanted: true };
		expect(over(before, ended, now)).toMatchObject({ dueAt: at(0), isAgainWanted: true });
	});

	it.each([
		[false, {}],
		[true, { isFullWanted: true }],
	])('is repeated an hour later if a kind was skipped; in full: %s', (isFull, more) => {
		const before: ReconciliationState = { dueAt: at(-hourMs), last: report };
		expect(over(before, { ...ended, isFull, failure }, now)).toEqual({
			dueAt: at(hourMs),
			last: report,
			failure,
			...more,
		});
	});

	it('reports each kind, and changes of peers as changes of their relationships', () => {
		const counts = {
			relationships: { compared: 10, found: 1 },
			messages: { compared: 20, found: 2 },
			files: { compared: 30, found: 3 },
			templates: { compared: 40, found: 4 },
			peers: { compared: 5, found: 5 },
			deletionProcesses: { compared: 50, found: 6 },
		};
		const { last } = over({ dueAt: at(0) }, { ...ended, counts, isFull: true }, now);
		const { peers: _peers, ...others } = counts;
		expect(last).toEqual({
			...report,
			isFull: true,
			...others,
			relationships: { compared: 10, found: 6 },
		});
	});
});
