import type { Cancellable } from '../base/abort';
import type { Clock } from '../base/clock';
import type { Logger } from '../base/logger';
import type { Backbone } from '../backbone/port/backbone';
import type { MessageService } from '../domain/message/message-service';
import type { RelationshipSettlement } from '../domain/relationship/relationship-settlement';
import { UnfinishedAttempts } from '../domain/unfinished/unfinished-attempts';
import { deletionPiece } from '../domain/unfinished/unfinished-rows';
import type { Store } from '../store/store';
import type { ChangedIds } from './steps/step';

export interface SettleDependencies {
	readonly store: Store;
	readonly backbone: Backbone;
	readonly clock: Clock;
	readonly logger: Logger;
	readonly relationships: RelationshipSettlement;
	readonly messages: MessageService;
	/** completes interrupted changes of files and tokens; returns the ids of the objects */
	readonly settleObjects: (attempts: UnfinishedAttempts, options: Cancellable) => Promise<string[]>;
	/** checks for a completed deletion of the own identity; returns the ids of the processes */
	readonly settleDeletion: (options: Cancellable) => Promise<string[]>;
}

/**
 * Completes interrupted actions of this account, each separately: a failing one blocks neither the
 * others nor the inbox.
 */
export async function settle(
	deps: SettleDependencies,
	options: Cancellable,
): Promise<ChangedIds[]> {
	const attempts = new UnfinishedAttempts(deps, options);
	const relationshipIds = await deps.relationships.settle({ ...options, attempts });
	const touched: ChangedIds[] = relationshipIds.map((relationshipId) => ({ relationshipId }));
	for (const id of await deps.messages.settlement.settle(attempts, options)) {
		touched.push({ messageId: id });
	}
	for (const id of await deps.messages.prepared.deliverWaiting(attempts, options)) {
		touched.push({ messageId: id });
	}
	for (const id of await deps.settleObjects(attempts, options)) touched.push({ fileId: id });
	const { result: processIds = [] } = await attempts.attempt(deletionPiece, () =>
		deps.settleDeletion(options),
	);
	for (const id of processIds) touched.push({ deletionProcessId: id });
	return touched;
}
