import type { Cancellable } from '../base/abort';
import type { Clock } from '../base/clock';
import type { Logger } from '../base/logger';
import type { Backbone } from '../backbone/backbone';
import type { Account } from '../domain/identity/account';
import type { MessageService } from '../domain/message/message-service';
import { lastCallAt } from '../domain/message/send-claims';
import { newestMessages } from '../domain/message/sent-messages';
import type { RelationshipSettlement } from '../domain/relationship/relationship-settlement';
import type { InboxEvent } from '../model/record/sync';
import type { Store } from '../store/store';
import type { Touched } from './steps';

/** after this long without a trace at the Backbone, an interrupted send was never carried out */
const sendPatienceMs = 10 * 60_000;
/** messages compared when events may have been lost */
const reconcileLookBack = 1_000;

export interface SettleDependencies {
	readonly store: Store;
	readonly backbone: Backbone;
	readonly account: Account;
	readonly clock: Clock;
	readonly logger: Logger;
	readonly relationships: RelationshipSettlement;
	readonly messages: MessageService;
	/** interrupted changes of files and tokens; answers the ids of the objects */
	readonly settleObjects: (options: Cancellable) => Promise<string[]>;
	/** a deletion of our identity that may have ended; answers the ids of the processes */
	readonly settleDeletion: (options: Cancellable) => Promise<string[]>;
}

/**
 * What our own interrupted actions left open, and, with `reconcile`, what may have been lost at the
 * Backbone: it drops an event after three runs that nobody finalised (transport 13.3).
 */
export async function settle(
	deps: SettleDependencies,
	options: Cancellable & { readonly reconcile: boolean },
): Promise<Touched[]> {
	const relationshipIds = await deps.relationships.settle(options);
	const touched: Touched[] = relationshipIds.map((relationshipId) => ({ relationshipId }));
	touched.push(...(await settleSends(deps, options)));
	for (const id of await deps.messages.prepared.deliverWaiting(options)) {
		touched.push({ messageId: id });
	}
	for (const id of await deps.settleObjects(options)) touched.push({ fileId: id });
	for (const id of await deps.settleDeletion(options)) touched.push({ deletionProcessId: id });
	if (options.reconcile) await recoverMessages(deps, options);
	return touched;
}

async function settleSends(deps: SettleDependencies, options: Cancellable): Promise<Touched[]> {
	const touched: Touched[] = [];
	const open = (await deps.messages.unresolvedSends(options)).filter(
		({ mustArrive }) => mustArrive !== true,
	);
	const found = await deps.messages.findSent(open, options);
	for (const intent of open) {
		const sent = found.get(intent.id);
		if (sent !== undefined) {
			const message = await deps.messages.completeFromBackbone(intent, sent);
			touched.push({ messageId: message.id });
		} else if (intent.again === true) {
			const message = await deps.messages.repeated.settle(intent, options);
			if (message !== undefined) touched.push({ messageId: message.id });
		} else if (deps.clock.now() - Date.parse(lastCallAt(intent)) > sendPatienceMs) {
			deps.logger.warn('a message prepared by an interrupted process was not sent', {
				intentId: intent.id,
			});
			await deps.messages.giveUp(intent);
		}
	}
	return touched;
}

/** Received messages that we do not have become inbox events of their own. */
async function recoverMessages(deps: SettleDependencies, options: Cancellable): Promise<void> {
	const { store, account, logger } = deps;
	let seen = 0;
	const missing: InboxEvent[] = [];
	for await (const message of newestMessages(deps, options)) {
		if (++seen > reconcileLookBack) break;
		if (message.createdBy === account.address) continue;
		const known = await store.read(async (tx) => (await tx.messages.get(message.id)) !== undefined);
		if (known) continue;
		missing.push({
			id: `recovered:${message.id}`,
			runId: 'reconciliation',
			type: 'MessageReceived',
			index: -1,
			createdAt: message.createdAt,
			payload: { id: message.id },
			state: 'pending',
			attempts: 0,
		});
	}
	if (missing.length === 0) return;
	logger.info('messages found again after an interrupted sync', { count: missing.length });
	await store.transact(async (tx) => {
		for (const event of missing.reverse()) await tx.inbox.insert(event, undefined);
	}, options);
}
