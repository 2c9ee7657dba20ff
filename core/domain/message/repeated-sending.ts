import type { Cancellable } from '../../base/abort';
import type { MessageDto, SendIntentRecord } from '../../model/record/message';
import type { WriteTransaction } from '../../store/store';
import type { MessageContext } from './message-context';
import type { MessageSending, SendIntent } from './message-sending';

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

	/**
	 * Nobody wants it sent any more. Whether it was sent already is still to be found out: the next
	 * sync looks for it at the Backbone, and gives it up if it is not there.
	 */
	async dismiss(tx: WriteTransaction, { record }: SendIntent): Promise<void> {
		const { again: _again, ...rest } = record;
		if (record.again === true) await tx.sendIntents.update(rest);
	}

	/** The message of a requested repetition; undefined while it waits for the end of another call. */
	async settle(intent: SendIntentRecord, options: Cancellable): Promise<MessageDto | undefined> {
		return await this.findOrSend(
			intent.id,
			(record) => this.sending.claims.claimAsked(record),
			options,
		);
	}

	/**
	 * Of one that is named by its idempotency key once more. One that a sync was asked to send is the
	 * business of syncs alone.
	 */
	async repeat(intent: SendIntentRecord, options: Cancellable): Promise<MessageDto | undefined> {
		const claim = async (record: SendIntentRecord): Promise<SendIntent | undefined> =>
			record.again === true ? undefined : await this.sending.claims.claimNext(record);
		return await this.findOrSend(intent.id, claim, options);
	}

	/** Undefined when somebody else is at it, or it may not be sent yet. */
	private async findOrSend(
		intentId: string,
		claim: (record: SendIntentRecord) => Promise<SendIntent | undefined>,
		options: Cancellable,
	): Promise<MessageDto | undefined> {
		return await this.sending.alone(intentId, async () => {
			const { store } = this.context;
			const intent = await store.read((tx) => tx.sendIntents.get(intentId), options);
			if (intent?.record.state !== 'prepared') return undefined;
			const found = await this.sending.search.find(intent.record, options);
			if (found !== undefined) return await this.sending.complete(intent, found);
			const claimed = await claim(intent.record);
			return claimed === undefined ? undefined : await this.sending.deliver(claimed, options);
		});
	}
}
