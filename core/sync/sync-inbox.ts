import type { Cancellable } from '../base/abort';
import { isoInstant, type Clock } from '../base/clock';
import { isGatewayError } from '../base/errors';
import { eventDelaysMs, predecessorDelaysMs } from '../domain/unfinished/back-off';
import { appendEvent } from '../events/outbox';
import { pagesOf } from '../facade/list-pages';
import { subjectOf, type ExternalEventFailure, type InboxEvent } from '../model/record/sync';
import type { InboxField, Query, ReadTransaction, Store, WriteTransaction } from '../store/store';
import { isPermanent, waitsForPredecessor } from './waiting-events';
import { matching } from '../domain/query/conditions';

/** Pages of the inbox: a single sync may bring a hundred thousand events. */
export function inboxPages(
	store: Store,
	query: Omit<Query<InboxField>, 'after' | 'limit' | 'offset'>,
	options: Cancellable = {},
): AsyncGenerator<InboxEvent[], void> {
	return pagesOf<InboxField, InboxEvent>(async (page) => {
		const entries = await store.read((tx) => tx.inbox.list(page), options);
		return entries.map(({ record }) => record);
	}, query);
}

/**
 * Yields due pending events in the order in which the Backbone created them, which the index alone
 * does not tell, because it restarts with each run (`docs/protocol/backbone-api.md` 12.1).
 */
export async function* dueEvents(
	store: Store,
	clock: Clock,
	options: Cancellable,
): AsyncGenerator<InboxEvent[], void> {
	const now = isoInstant(clock.now());
	const pending = {
		where: matching({ state: 'pending' }),
		orderBy: { field: 'createdAt', direction: 'asc' },
	} as const;
	for await (const page of inboxPages(store, pending, options)) {
		yield page
			.filter(({ notBefore }) => notBefore === undefined || notBefore <= now)
			.sort(byCreation);
	}
}

function byCreation(one: InboxEvent, other: InboxEvent): number {
	if (one.createdAt < other.createdAt) return -1;
	if (one.createdAt > other.createdAt) return 1;
	return one.index - other.index;
}

export async function markDone(tx: WriteTransaction, event: InboxEvent): Promise<void> {
	// The payload is erased: the row only records that the id was handled.
	const { notBefore: _notBefore, lastFailure: _failure, leftPeers: _leftPeers, ...rest } = event;
	await tx.inbox.update({ ...rest, payload: {}, state: 'done', attempts: event.attempts + 1 });
}

/**
 * Counts the failure and either plans the next attempt or parks the event for a person, which is
 * published as an event itself. Returns undefined when another failed event has the same content:
 * the Backbone repeats events under other ids, and one of them is enough to retry and to show.
 */
export async function recordFailure(
	store: Store,
	clock: Clock,
	event: InboxEvent,
	error: unknown,
): Promise<(ExternalEventFailure & { readonly parked: boolean }) | undefined> {
	const failure = {
		code: isGatewayError(error) ? error.code : 'error.transport.unknown',
		message: isGatewayError(error) ? error.message : 'The event could not be processed.',
	};
	const report = { eventId: event.id, type: event.type, ...failure };
	const now = clock.now();
	const soonMs = waitsForPredecessor(failure.code)
		? predecessorDelaysMs[event.attempts]
		: undefined;
	const delaysMs = isPermanent(failure.code) ? predecessorDelaysMs : eventDelaysMs;
	const delayMs = soonMs ?? delaysMs[event.attempts];
	const isRepetition = await store.transact(async (tx) => {
		// The event was handled in the meantime, for example because its relationship was decomposed.
		const current = (await tx.inbox.get(event.id))?.record;
		if (current?.state !== 'pending') return false;
		if (await isToldByAnother(tx, current)) {
			await markDone(tx, current);
			return true;
		}
		await tx.inbox.update({
			...current,
			attempts: event.attempts + 1,
			lastFailure: failure,
			...(delayMs === undefined
				? { state: 'parked' as const }
				: { notBefore: isoInstant(now + delayMs) }),
		});
		// An event that a person retried without success was already reported.
		if (event.attempts !== delaysMs.length) return false;
		await appendEvent(tx, {
			name: 'gateway.externalEventGivenUp',
			createdAt: isoInstant(now),
			subject: event.id,
			data: report,
		});
		return false;
	});
	return isRepetition ? undefined : { ...report, parked: delayMs === undefined };
}

async function isToldByAnother(tx: ReadTransaction, event: InboxEvent): Promise<boolean> {
	const failed = await tx.inbox.list({ where: matching({ failedSubject: subjectOf(event) }) });
	return failed.some(({ record }) => record.id !== event.id);
}

/** Schedules a waiting or parked event for the next sync. */
export async function tryAgain(tx: WriteTransaction, event: InboxEvent): Promise<void> {
	if (event.state === 'done') return;
	const { notBefore: _notBefore, ...rest } = event;
	await tx.inbox.update({ ...rest, state: 'pending' });
}
