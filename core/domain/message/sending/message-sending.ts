import type { Cancellable } from '../../../base/abort';
import { codeOf, isGatewayError } from '../../../base/errors';
import type { MessageDto, SendIntentRecord } from '../../../model/record/message';
import { isOutcomeUnknown } from '../../unfinished/outcome';
import type { MessageAttachments } from '../message-attachments';
import type { MessageDependencies } from '../message-dependencies';
import { outcomeUnknown } from '../message-failures';
import { LocalSends } from './local-sends';
import { SendClaims } from './send-claims';
import { SendIntents } from './send-intents';
import { SendPreparation } from './send-preparation';
import type { SendIntent } from './send-states';
import { SentMessageSearch, type SentMessage } from './sent-messages';

/**
 * Sends one message in three steps (docs/adr/0006): commits its intent with reserved counters and sealed
 * body, calls the Backbone, stores the message.
 */
export class MessageSending {
	readonly local = new LocalSends();

	readonly claims: SendClaims;

	readonly search: SentMessageSearch;

	readonly intents: SendIntents;

	readonly preparation: SendPreparation;

	constructor(
		private readonly dependencies: MessageDependencies,
		attachments: MessageAttachments,
	) {
		const { local } = this;
		this.claims = new SendClaims(dependencies, local);
		this.search = new SentMessageSearch(dependencies, local);
		this.intents = new SendIntents(dependencies, local);
		this.preparation = new SendPreparation(dependencies, attachments, this.claims, local);
	}

	/**
	 * Sends a message for which this process has not called the Backbone yet.
	 *
	 * @throws `error.gateway.messages.outcomeUnknown`, and the refusal of the Backbone
	 */
	async sendFirst(intent: SendIntent, options: Cancellable): Promise<MessageDto> {
		const { id } = intent.record;
		// No effect after a transaction that prepared this message alone and has begun the send already.
		this.local.begin(id);
		try {
			return await this.send(intent, options);
		} finally {
			this.local.end(id);
		}
	}

	/**
	 * Completes the send if the Backbone has the message; calls the Backbone otherwise. Undefined when other
	 * work of this process, another process, or the state of the send forbids the call, and while the Backbone
	 * may still carry out the latest call.
	 *
	 * @throws as {@link sendFirst}, and errors of the Backbone while the message is searched
	 */
	async resume(
		intent: SendIntent,
		transition: 'claim' | 'claimRequested',
		options: Cancellable,
	): Promise<MessageDto | undefined> {
		const { record } = intent;
		return await this.local.alone(record.id, async () => {
			const { sent, readAtMs } = await this.search.find(record, options);
			if (sent !== undefined) return await this.intents.complete(intent, sent);
			if (!(await this.claims.isProvenAbsent(record, readAtMs))) return undefined;
			const claimed = await this.claims.claim(record, transition);
			return claimed === undefined ? undefined : await this.send(claimed, options);
		});
	}

	private async send(intent: SendIntent, options: Cancellable): Promise<MessageDto> {
		for (let current = intent; ;) {
			current = await this.claims.renew(current);
			const sent = await this.call(current.record, options);
			if (sent !== undefined) return await this.intents.complete(current, sent);
		}
	}

	/**
	 * Calls the Backbone; undefined when no byte was sent by the deadline, because another process may have
	 * claimed the call since.
	 */
	private async call(
		record: SendIntentRecord,
		options: Cancellable,
	): Promise<SentMessage | undefined> {
		try {
			const { postBody } = record;
			if (postBody === undefined) throw new TypeError('A prepared message has no body');
			const sendBefore = this.claims.beginBefore(record);
			return await this.dependencies.backbone.messages.send(postBody, { ...options, sendBefore });
		} catch (error) {
			if (codeOf(error) === 'error.gateway.backbone.tooLate') return undefined;
			if (!isGatewayError(error) || isOutcomeUnknown(error)) throw outcomeUnknown(record, error);
			const outcome = await this.intents.refuse(record, error);
			throw outcome === 'deferred' ? outcomeUnknown(record, error) : error;
		}
	}
}
