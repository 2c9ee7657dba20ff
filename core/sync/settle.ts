import type { Cancellable } from '../base/abort';
import type { Clock } from '../base/clock';
import { isGatewayError, type GatewayError } from '../base/errors';
import type { Logger } from '../base/logger';
import type { Backbone } from '../backbone/backbone';
import type { MessageService } from '../domain/message/message-service';
import { lastCallAt } from '../domain/message/send-claims';
import type { SentMessage } from '../domain/message/sent-messages';
import type { RelationshipSettlement } from '../domain/relationship/relationship-settlement';
import { UnfinishedAttempts } from '../domain/unfinished/unfinished-attempts';
import type { SendIntentRecord } from '../model/record/message';
import type { Store } from '../store/store';
import type { Touched } from './steps';

/** after this long without a trace at the Backbone, an interrupted send was never carried out */
const sendPatienceMs = 10 * 60_000;

export interface SettleDependencies {
	readonly store: Store;
	readonly backbone: Backbone;
	readonly clock: Clock;
	readonly logger: Logger;
	readonly relationships: RelationshipSettlement;
	readonly messages: MessageService;
	/** interrupted changes of files and tokens; answers the ids of the objects */
	readonly settleObjects: (attempts: UnfinishedAttempts, options: Cancellable) => Promise<string[]>;
	/** a deletion of our identity that may have ended; answers the ids of the processes */
	readonly settleDeletion: (options: Cancellable) => Promise<string[]>;
}

/**
 * What our own interrupted actions left open, each piece by itself: nothing that cannot be finished is
 * in the way of other pieces, or of the inbox.
 */
export async function settle(deps: SettleDependencies, options: Cancellable): Promise<Touched[]> {
	const attempts = new UnfinishedAttempts(deps, options);
	const relationshipIds = await deps.relationships.settle({ ...options, attempts });
	const touched: Touched[] = relationshipIds.map((relationshipId) => ({ relationshipId }));
	touched.push(...(await settleSends(deps, attempts, options)));
	for (const id of await deps.messages.prepared.deliverWaiting(attempts, options)) {
		touched.push({ messageId: id });
	}
	for (const id of await deps.settleObjects(attempts, options)) touched.push({ fileId: id });
	const { result: processIds = [] } = await attempts.attempt({ row: 'syncState', id: 'sync' }, () =>
		deps.settleDeletion(options),
	);
	for (const id of processIds) touched.push({ deletionProcessId: id });
	return touched;
}

async function settleSends(
	deps: SettleDependencies,
	attempts: UnfinishedAttempts,
	options: Cancellable,
): Promise<Touched[]> {
	const due = (await deps.messages.unresolvedSends(options)).filter(
		({ mustArrive, retry }) => mustArrive !== true && attempts.isDue(retry),
	);
	let found: Awaited<ReturnType<MessageService['findSent']>>;
	try {
		found = await deps.messages.findSent(due, options);
	} catch (error) {
		for (const { id } of due) await attempts.recordFailure({ row: 'sendIntents', id }, error);
		return [];
	}
	const touched: Touched[] = [];
	for (const intent of due) {
		const { result: messageId } = await attempts.attempt(
			{ row: 'sendIntents', id: intent.id },
			() => settleSend(deps, intent, found.get(intent.id), options),
		);
		if (messageId !== undefined) touched.push({ messageId });
	}
	return touched;
}

/** Answers the id of a message that was found, or sent at a person's wish. */
async function settleSend(
	deps: SettleDependencies,
	intent: SendIntentRecord,
	sent: SentMessage | GatewayError | undefined,
	options: Cancellable,
): Promise<string | undefined> {
	const { messages, store, logger } = deps;
	if (isGatewayError(sent)) throw sent;
	if (sent !== undefined) return (await messages.completeFromBackbone(intent, sent)).id;
	if (intent.again === true) return (await messages.repeated.settle(intent, options))?.id;
	if (store.clock.now() - Date.parse(lastCallAt(intent)) <= sendPatienceMs) return undefined;
	logger.warn('a message prepared by an interrupted process was not sent', {
		intentId: intent.id,
	});
	await messages.giveUp(intent);
	return undefined;
}
