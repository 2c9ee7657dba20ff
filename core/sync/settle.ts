import type { Cancellable } from '../base/abort';
import type { MessageServices } from '../domain/message/open-messages';
import { dueWork } from '../domain/unfinished/ledger';
import { WorkAttempts, type WorkAttemptsDependencies } from '../domain/unfinished/work-attempts';
import type { WorkKind, WorkRecord } from '../model/record/work';
import type { ChangedIds } from './steps/step';

/** Kinds with passes of their own, because several pieces of work are looked at together. */
type SeparateKind = 'sendMessage' | 'decideRequest' | 'acceptRequest' | 'rejectRequest';

/** Attempt at one piece of work; returns the ids of the objects that have changed. */
export type Attempt = (work: WorkRecord, options: Cancellable) => Promise<ChangedIds[]>;

export interface SettleDependencies
	extends WorkAttemptsDependencies, Pick<MessageServices, 'sendSettlement' | 'preparedMessages'> {
	readonly attempts: Readonly<Record<Exclude<WorkKind, SeparateKind>, Attempt>>;
}

/**
 * Tries the due work of this account, each separately: a failing attempt blocks neither the others
 * nor the inbox.
 */
export async function settle(
	deps: SettleDependencies,
	options: Cancellable,
): Promise<ChangedIds[]> {
	const { store, clock, sendSettlement, preparedMessages } = deps;
	const attempts: Readonly<Partial<Record<WorkKind, Attempt>>> = deps.attempts;
	const pass = new WorkAttempts(deps, options);
	const touched: ChangedIds[] = [];
	for (const work of await store.read((tx) => dueWork(tx, clock.now()), options)) {
		const attempt = attempts[work.kind];
		if (attempt === undefined) continue;
		const { result = [] } = await pass.attempt(work.id, (row) => attempt(row, options));
		touched.push(...result);
	}
	for (const id of await sendSettlement.settle(pass, options)) touched.push({ messageId: id });
	for (const id of await preparedMessages.deliverWaiting(pass, options)) {
		touched.push({ messageId: id });
	}
	return touched;
}
