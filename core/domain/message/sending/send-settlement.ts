import type { Cancellable } from '../../../base/abort';
import { isGatewayError } from '../../../base/errors';
import { isDue } from '../../unfinished/ledger';
import type { WorkAttempts } from '../../unfinished/work-attempts';
import type { MessageDependencies } from '../message-dependencies';
import type { MessageSending, SendingParts } from './message-sending';
import { openSendsWithWork, sendStateOf, type OpenSend, type SendIntent } from './send-states';
import type { SearchResult } from './sent-messages';

/** Determines for syncs the outcome of sends without an answer. */
export class SendSettlement {
	constructor(
		private readonly dependencies: Pick<MessageDependencies, 'store' | 'clock' | 'logger'>,
		private readonly parts: SendingParts,
		private readonly sending: MessageSending,
	) {}

	/** Settles pending and requested sends; returns the ids of messages that were found or sent. */
	async settle(attempts: WorkAttempts, options: Cancellable): Promise<string[]> {
		const now = this.dependencies.clock.now();
		const due = (await this.unresolved(options)).filter(
			({ record, work }) => sendStateOf(record) !== 'required' && isDue(work, now),
		);
		let search: SearchResult;
		try {
			const records = due.map(({ record }) => record);
			search = await this.parts.search.findMany(records, options);
		} catch (error) {
			for (const { record } of due) await attempts.recordFailure(record.id, error);
			return [];
		}
		const messageIds: string[] = [];
		for (const intent of due) {
			const { id } = intent.record;
			const { result } = await attempts.attempt(id, () => this.settleOne(intent, search, options));
			if (result !== undefined) messageIds.push(result);
		}
		return messageIds;
	}

	/** Open sends without other work in this process. */
	private async unresolved(options: Cancellable): Promise<OpenSend[]> {
		const open = await this.dependencies.store.read(openSendsWithWork, options);
		this.parts.localSends.forgetAllBut(open.map(({ record }) => record.id));
		return open.filter(({ record }) => !this.parts.localSends.isActive(record.id));
	}

	/**
	 * Returns the id of a message that was found at the Backbone, or sent because a person requested
	 * it.
	 */
	private async settleOne(
		intent: SendIntent,
		{ found, readAtMs }: SearchResult,
		options: Cancellable,
	): Promise<string | undefined> {
		const { record } = intent;
		const sent = found.get(record.id);
		if (isGatewayError(sent)) throw sent;
		if (sent !== undefined) return (await this.parts.sendIntents.complete(intent, sent)).id;
		if (sendStateOf(record) === 'requested') {
			return (await this.sending.resume(intent, 'claimRequested', options))?.id;
		}
		if (!(await this.parts.sendClaims.isProvenAbsent(record, readAtMs))) return undefined;
		this.dependencies.logger.warn('a message without an answer was not sent', {
			intentId: record.id,
		});
		await this.parts.sendIntents.giveUp(record);
		return undefined;
	}
}
