import type { Cancellable } from '../../../base/abort';
import { isGatewayError } from '../../../base/errors';
import type { UnfinishedAttempts } from '../../unfinished/unfinished-attempts';
import type { MessageDependencies } from '../message-dependencies';
import type { MessageSending } from './message-sending';
import { openSends, sendStateOf, type SendIntent } from './send-states';
import type { SearchResult } from './sent-messages';

/** Determines for syncs the outcome of sends without an answer. */
export class SendSettlement {
	constructor(
		private readonly dependencies: Pick<MessageDependencies, 'store' | 'logger'>,
		private readonly sending: MessageSending,
	) {}

	/** Settles pending and requested sends; returns the ids of messages that were found or sent. */
	async settle(attempts: UnfinishedAttempts, options: Cancellable): Promise<string[]> {
		const due = (await this.unresolved(options)).filter(
			({ record }) => sendStateOf(record) !== 'required' && attempts.isDue(record.retry),
		);
		let search: SearchResult;
		try {
			const records = due.map(({ record }) => record);
			search = await this.sending.search.findMany(records, options);
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
				this.settleOne(intent, search, options),
			);
			if (result !== undefined) messageIds.push(result);
		}
		return messageIds;
	}

	/** Open sends without other work in this process. */
	private async unresolved(options: Cancellable): Promise<SendIntent[]> {
		const { store } = this.dependencies;
		const open = await store.read((tx) => tx.sendIntents.list({ where: openSends }), options);
		this.sending.local.forgetAllBut(open.map(({ record }) => record.id));
		return open.filter(({ record }) => !this.sending.local.isActive(record.id));
	}

	/** Returns the id of a message that was found at the Backbone, or sent because a person requested it. */
	private async settleOne(
		intent: SendIntent,
		{ found, readAtMs }: SearchResult,
		options: Cancellable,
	): Promise<string | undefined> {
		const { record } = intent;
		const sent = found.get(record.id);
		if (isGatewayError(sent)) throw sent;
		if (sent !== undefined) return (await this.sending.intents.complete(intent, sent)).id;
		if (sendStateOf(record) === 'requested') {
			return (await this.sending.resume(intent, 'claimRequested', options))?.id;
		}
		if (!(await this.sending.claims.isProvenAbsent(record, readAtMs))) return undefined;
		this.dependencies.logger.warn('a message without an answer was not sent', {
			intentId: record.id,
		});
		await this.sending.intents.giveUp(record);
		return undefined;
	}
}
