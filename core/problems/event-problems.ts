import { dropProblem } from '../domain/parked-problem';
import type { ProblemDto } from '../model/record/problem';
import type { InboxEvent } from '../model/record/sync';
import { tryAgain } from '../sync/sync-inbox';
import type { ProblemSource } from './problem-source';

/** External events that could not be applied. */
export const eventProblems: ProblemSource = {
	kind: 'receivedEvent',
	isSynced: true,
	list: async (tx) => {
		const events = await tx.inbox.list({
			where: [{ field: 'state', op: 'in', value: ['pending', 'parked'] }],
		});
		return events
			.filter(({ record }) => record.lastFailure !== undefined)
			.map(({ record }) => problemOf(record));
	},
	// Failures are indexed by their subject.
	count: (tx) => tx.inbox.count({ where: [{ field: 'failedSubject', op: 'exists' }] }),
	retry: async (tx, id) => {
		const event = await tx.inbox.get(id);
		if (event !== undefined) await tryAgain(tx, event.record);
		return event !== undefined;
	},
	judge: async (tx, id) => {
		const event = (await tx.inbox.get(id))?.record;
		// The event was discarded, or erased with its relationship.
		if (event === undefined || event.state === 'done') return { outcome: 'solved' };
		// The attempt failed: its next one is scheduled, or it was given up again.
		const isTried = event.state === 'parked' || event.notBefore !== undefined;
		return { outcome: isTried ? 'failed' : 'waiting', ...event.lastFailure };
	},
	discard: dropProblem,
};

function problemOf(event: InboxEvent): ProblemDto {
	const { id, type, createdAt, lastFailure, state, notBefore } = event;
	const isRetriedAutomatically = state === 'pending';
	return {
		id,
		kind: 'receivedEvent',
		subject: type,
		since: createdAt,
		...(lastFailure === undefined ? {} : { code: lastFailure.code }),
		message: lastFailure?.message ?? 'It was not applied yet.',
		isRetriedAutomatically,
		isDiscardable: state === 'parked',
		...(isRetriedAutomatically && notBefore !== undefined ? { nextTryAt: notBefore } : {}),
	};
}
