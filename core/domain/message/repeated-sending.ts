import type { Cancellable } from '../../base/abort';
import { isoInstant } from '../../base/clock';
import { codeOf, isGatewayError } from '../../base/errors';
import type { MessageDto, SendIntentRecord } from '../../model/record/message';
import type { WriteTransaction } from '../../store/store';
import type { MessageContext } from './message-context';
import type { MessageSending, SendIntent } from './message-sending';
import { findSentMessage } from './sent-messages';

/** another process may be in the middle of its call; calls do not take longer */
const patienceMs = 2 * 60_000;

/** Sends whose outcome nobody knows: looked for at the Backbone before anything is sent again. */
export class RepeatedSending {
	constructor(
		private readonly context: MessageContext,
		private readonly sending: MessageSending,
	) {}

	/** Has the next sync send it if the Backbone does not have it. */
	async ask(tx: WriteTransaction, { record }: SendIntent): Promise<void> {
		if (record.state !== 'prepared' || record.mustArrive === true) return;
		await tx.sendIntents.update({ ...record, again: true });
	}

	/** Of one that was asked for; undefined when it still waits, or was refused for good. */
	async settle(intent: SendIntentRecord, options: Cancellable): Promise<MessageDto | undefined> {
		const since = Date.parse(intent.triedAt ?? intent.createdAt);
		const mayCall = this.context.clock.now() - since >= patienceMs;
		try {
			return await this.findOrSend(intent.id, mayCall, options);
		} catch (error) {
			options.signal?.throwIfAborted();
			if (!isGatewayError(error)) throw error;
			const facts = { intentId: intent.id, code: codeOf(error), reason: error.message };
			this.context.logger.warn('a message could not be sent again', facts);
			return undefined;
		}
	}

	/**
	 * The very same bytes are sent again: no counter is used for a second content. Undefined when
	 * somebody else is at it, or it may not be sent yet.
	 */
	async findOrSend(
		intentId: string,
		mayCall: boolean,
		options: Cancellable,
	): Promise<MessageDto | undefined> {
		return await this.sending.alone(intentId, async () => {
			const { store } = this.context;
			const intent = await store.read((tx) => tx.sendIntents.get(intentId), options);
			if (intent?.record.state !== 'prepared') return undefined;
			const found = await findSentMessage(this.context, intent.record, options);
			if (found !== undefined) return await this.sending.complete(intent, found);
			if (!mayCall) return undefined;
			await this.noteCall(intentId);
			return await this.sending.deliver(intent, options);
		});
	}

	/** Committed before it, so that whoever comes after a crash waits for its end. */
	private async noteCall(intentId: string): Promise<void> {
		const { store, clock } = this.context;
		await store.transact(async (tx) => {
			const entry = await tx.sendIntents.get(intentId);
			if (entry === undefined) return;
			await tx.sendIntents.update({ ...entry.record, triedAt: isoInstant(clock.now()) });
		});
	}
}
