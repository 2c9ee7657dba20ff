import type { Cancellable } from '../../../base/abort';
import { codeOf, isGatewayError } from '../../../base/errors';
import type { MessageDto, SendIntentRecord } from '../../../model/record/message';
import { isOutcomeUnknown } from '../../unfinished/outcome';
import type { MessageDependencies } from '../message-dependencies';
import { outcomeUnknown } from '../message-failures';
import type { LocalSends } from './local-sends';
import type { SendClaims } from './send-claims';
import type { SendIntents } from './send-intents';
import type { SendPreparation } from './send-preparation';
import type { SendIntent } from './send-states';
import type { SentMessage, SentMessageSearch } from './sent-messages';

/** What the services for sends share. */
export interface SendingParts {
	readonly localSends: LocalSends;
	readonly sendClaims: SendClaims;
	readonly sendIntents: SendIntents;
	readonly search: SentMessageSearch;
	readonly preparation: SendPreparation;
}

/**
 * Sends one message in three steps (docs/adr/0006): commits its intent with reserved counters and
 * sealed body, calls the Backbone, stores the message.
 */
export class MessageSending {
	constructor(
		private readonly dependencies: Pick<MessageDependencies, 'backbone'>,
		private readonly parts: SendingParts,
	) {}

	/**
	 * Sends a message for which this process has not called the Backbone yet.
	 *
	 * @throws `error.gateway.messages.outcomeUnknown`, and the refusal of the Backbone
	 */
	async sendFirst(intent: SendIntent, options: Cancellable): Promise<MessageDto> {
		const { id } = intent.record;
		// No effect after a transaction that prepared this message alone and has begun the send
		// already.
		this.parts.localSends.begin(id);
		try {
			return await this.send(intent, options);
		} finally {
			this.parts.localSends.end(id);
		}
	}

	/**
	 * Completes the send if the Backbone has the message; calls the Backbone otherwise. Undefined
	 * when other work of this process, another process, or the state of the send forbids the call,
	 * and while the Backbone may still carry out the latest call.
	 *
	 * @throws as {@link sendFirst}, and errors of the Backbone while the message is searched
	 */
	async resume(
		intent: SendIntent,
		transition: 'claim' | 'claimRequested',
		options: Cancellable,
	): Promise<MessageDto | undefined> {
		const { record } = intent;
		return await this.parts.localSends.alone(record.id, async () => {
			const { sent, readAtMs } = await this.parts.search.find(record, options);
			if (sent !== undefined) return await this.parts.sendIntents.complete(intent, sent);
			if (!(await this.parts.sendClaims.isProvenAbsent(record, readAtMs))) return undefined;
			const claimed = await this.parts.sendClaims.claim(record, transition);
			return claimed === undefined ? undefined : await this.send(claimed, options);
		});
	}

	private async send(intent: SendIntent, options: Cancellable): Promise<MessageDto> {
		for (let current = intent; ;) {
			current = await this.parts.sendClaims.renew(current);
			const sent = await this.call(current.record, options);
			if (sent !== undefined) return await this.parts.sendIntents.complete(current, sent);
		}
	}

	/**
	 * Calls the Backbone; undefined when no byte was sent by the deadline, because another process
	 * may have claimed the call since.
	 */
	private async call(
		record: SendIntentRecord,
		options: Cancellable,
	): Promise<SentMessage | undefined> {
		try {
			const { postBody } = record;
			if (postBody === undefined) throw new TypeError('A prepared message has no body');
			const sendBefore = this.parts.sendClaims.beginBefore(record);
			return await this.dependencies.backbone.messages.send(postBody, { ...options, sendBefore });
		} catch (error) {
			if (codeOf(error) === 'error.gateway.backbone.tooLate') return undefined;
			if (!isGatewayError(error) || isOutcomeUnknown(error)) throw outcomeUnknown(record, error);
			const outcome = await this.parts.sendIntents.refuse(record, error);
			throw outcome === 'deferred' ? outcomeUnknown(record, error) : error;
		}
	}
}
