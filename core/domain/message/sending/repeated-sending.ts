import { sleep, type Cancellable } from '../../../base/abort';
import { isGatewayError } from '../../../base/errors';
import type { WireMessage } from '../../../backbone/dto';
import type { MessageDto } from '../../../model/record/message';
import type { ReadTransaction } from '../../../store/store';
import type { Account } from '../../identity/account';
import type { MessageDependencies } from '../message-dependencies';
import { toMessageDto } from '../message-dto';
import { outcomeUnknown, unknownMessage } from '../message-failures';
import type { MessageReceipt } from '../message-receipt';
import { markOfKey } from './key-mark';
import type { MessageSending, SendingParts } from './message-sending';
import { sendStateOf, type SendIntent } from './send-states';
import { matching } from '../../query/conditions';

/** limit of waiting for another process that may be sending the same message */
const longestWaitMs = 5 * 60_000;

const lookAgainMs = 500;

/** Handles sends that a caller repeats with the same idempotency key. */
export class RepeatedSending {
	constructor(
		private readonly dependencies: MessageDependencies,
		private readonly parts: Pick<SendingParts, 'sendClaims' | 'sendIntents'>,
		private readonly sending: MessageSending,
		private readonly receipt: MessageReceipt,
	) {}

	/**
	 * Returns the message that was sent under the key. Waits for another process that may be sending
	 * it, and resumes the send when that process is dead or its claim has expired. Undefined when
	 * there is no such send, or it has failed.
	 *
	 * @throws `error.gateway.messages.outcomeUnknown`, and the refusal of the Backbone
	 */
	async findOrResume(
		idempotencyKey: string,
		options: Cancellable,
	): Promise<MessageDto | undefined> {
		const { store, clock, account } = this.dependencies;
		const giveUpAt = clock.now() + longestWaitMs;
		for (let isFirst = true; ; isFirst = false) {
			const intent = await store.read((tx) => findByKey(tx, account, idempotencyKey), options);
			if (intent === undefined) return undefined;
			const { record } = intent;
			const state = sendStateOf(record);
			if (state === 'sent') return await this.stored(record.messageId ?? '', options);
			if (state === 'failed') {
				await store.transact((tx) => this.parts.sendIntents.forget(tx, record.id));
				return undefined;
			}
			// Later rounds search only with a claimable call, because each search costs a call of the
			// Backbone.
			if (isFirst || (await this.parts.sendClaims.mayClaim(record, options))) {
				const message = await this.sending.resume(intent, 'claim', options);
				if (message !== undefined) return message;
			}
			// Requested sends are left to syncs.
			if (state === 'requested' || clock.now() >= giveUpAt) throw outcomeUnknown(record);
			await sleep(lookAgainMs, options);
		}
	}

	/** Reads the message; after a restored backup it may be stored at the Backbone only. */
	private async stored(id: string, options: Cancellable): Promise<MessageDto> {
		const { store } = this.dependencies;
		const known = await store.read((tx) => tx.messages.get(id), options);
		if (known !== undefined) return toMessageDto(known.record);
		const wire = await this.fetch(id, options);
		const record = await store.transact((tx) => this.receipt.receiveOwn(tx, wire), options);
		if (record === undefined) throw unknownMessage(id);
		return toMessageDto(record);
	}

	private async fetch(id: string, options: Cancellable): Promise<WireMessage> {
		try {
			return await this.receipt.fetch(id, options);
		} catch (error) {
			throw isGatewayError(error) && error.kind === 'notFound' ? unknownMessage(id) : error;
		}
	}
}

/** Finds the send with this idempotency key, also a send that was found at the Backbone. */
export async function findByKey(
	tx: Pick<ReadTransaction, 'sendIntents'>,
	account: Pick<Account, 'deviceKeys'>,
	key: string,
): Promise<SendIntent | undefined> {
	const value = [key, markOfKey(account, key)];
	return await tx.sendIntents.first({ where: matching({ idempotencyKey: value }) });
}
