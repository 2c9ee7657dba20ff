import type { Cancellable } from '../../../base/abort';
import { isGatewayError, type GatewayError } from '../../../base/errors';
import type { UnfinishedAttempts } from '../../unfinished/unfinished-attempts';
import type { MessageDependencies } from '../message-dependencies';
import type { MessageSending } from './message-sending';
import { claimedAt, openSends, sendStateOf, type SendIntent } from './send-states';
import type { SentMessage } from './sent-messages';

/** time without a trace at the Backbone after which a pending message counts as never sent */
const giveUpAfterMs = 10 * 60_000;

/** Determines for syncs the outcome of sends without an answer. */
export class SendSettlement {
	constructor(
		private readonly context: Pick<MessageDependencies, 'store' | 'logger'>,
		private readonly sending: MessageSending,
	) {}

	/** Settles pending and requested sends; returns the ids of messages that were found or sent. */
	async settle(attempts: UnfinishedAttempts, options: Cancellable): Promise<string[]> {
		const due = (await this.unresolved(options)).filter(
			({ record }) => sendStateOf(record) !== 'required' && attempts.isDue(record.retry),
		);
		let found: Map<string, SentMessage | GatewayError>;
		try {
			const records = due.map(({ record }) => record);
			found = await this.sending.search.findMany(records, options);
		} catch (error) {
			for (const { record } of due) {
				await attempts.recordFailure({ row: 'sendIntents', id: record.id }, error);
			}
			return [];
		}
		const messageIds: string[] = [];
		for (const intent of due) {
			const { id } = intent.record;
			const { result } = await attempts.attempt({ row: 'sendIntents', id }, () =>
				this.settleOne(intent, found.get(id), options),
			);
			if (result !== undefined) messageIds.push(result);
		}
		return messageIds;
	}

	/** Open sends without other work in this process. */
	private async unresolved(options: Cancellable): Promise<SendIntent[]> {
		const { store } = this.context;
		const open = await store.read((tx) => tx.sendIntents.list({ where: openSends }), options);
		this.sending.local.forgetAllBut(open.map(({ record }) => record.id));
		return open.filter(({ record }) => !this.sending.local.isActive(record.id));
	}

	/** Returns the id of a message that was found at the Backbone, or sent because a person requested it. */
	private async settleOne(
		intent: SendIntent,
		found: SentMessage | GatewayError | undefined,
		options: Cancellable,
	): Promise<string | undefined> {
		const { record } = intent;
		if (isGatewayError(found)) throw found;
		if (found !== undefined) return (await this.sending.intents.complete(intent, found)).id;
		if (sendStateOf(record) === 'requested') {
			return (await this.sending.resume(intent, 'claimRequested', options))?.id;
		}
		const { store, logger } = this.context;
		if (store.clock.now() - Date.parse(claimedAt(record)) <= giveUpAfterMs) return undefined;
		logger.warn('a message prepared by an interrupted process was not sent', {
			intentId: record.id,
		});
		await this.sending.intents.giveUp(record);
		return undefined;
	}
}
