import { isoInstant } from '../../../base/clock';
import { alphanumeric } from '../../../base/random';
import { readRelationshipSecrets } from '../../../crypto/relationship-secrets-schema';
import { toDialect } from '../../../model/content/dialects';
import type { MessageContent } from '../../../model/content/message-content';
import type { SendIntentRecord, SendIntentSecrets } from '../../../model/record/message';
import type { WorkRecord } from '../../../model/record/work';
import type { WriteTransaction } from '../../../store/store';
import { currentRelationships } from '../../current-relationship';
import { generationIn } from '../../peer-version';
import { reserveTransmitCounter } from '../../relationship/transmit-counter';
import type { MessageAttachments } from '../message-attachments';
import type { MessageDependencies } from '../message-dependencies';
import { sealMessage } from '../message-envelope';
import { checkRecipients } from '../message-rules';
import { nonceOfKey } from './key-mark';
import type { SendClaims } from './send-claims';
import { fieldsOf, type SendIntent } from './send-states';
import { sendTransitions } from './send-transitions';
import { sealedBodyHash } from './sent-messages';

export interface NewMessage {
	readonly recipients: readonly string[];
	/** content after parsing */
	readonly content: MessageContent;
	/** ids of files */
	readonly attachments: readonly string[];
	readonly idempotencyKey?: string | undefined;
	/** newest stored message of the recipient, if its answer is awaited */
	readonly latestReceived?: string | undefined;
}

const newSend = ({ id, createdAt: since }: SendIntentRecord): WorkRecord => ({
	...{ id, kind: 'sendMessage', state: 'waiting', since, dueAt: '', attempts: 0 },
});

/** Largest time by which messages are signed later than they are prepared. */
const mostAheadMs = 1_000;

/** Stores messages as intents, with reserved counters and the sealed body, before they are sent. */
export class SendPreparation {
	/** time at which the latest message was signed */
	private signedMs = 0;

	constructor(
		private readonly dependencies: MessageDependencies,
		private readonly attachments: MessageAttachments,
		private readonly claims: SendClaims,
	) {}

	/**
	 * Checks the recipients, seals the message, and stores it with a claim of this process. The
	 * caller has made sure that the idempotency key is free.
	 */
	async prepare(
		tx: WriteTransaction,
		message: NewMessage,
		transition: 'prepare' | 'prepareRequired',
	): Promise<SendIntent> {
		const { random, clock, backbone } = this.dependencies;
		const { recipients, content, attachments, idempotencyKey, latestReceived } = message;
		const createdAt = isoInstant(clock.now());
		const { sealed, named } = await this.seal(tx, message, this.nextSigningTime());
		const record: SendIntentRecord = {
			id: `SND${random.text(17, alphanumeric)}`,
			...(idempotencyKey === undefined ? {} : { idempotencyKey }),
			...fieldsOf(sendTransitions[transition].to),
			createdAt,
			preparedAt: isoInstant(backbone.serverTimeMs ?? clock.now()),
			...this.claims.newClaim(tx),
			bodyHash: sealedBodyHash(sealed.postBody.body),
			postBody: sealed.postBody,
			recipients: named,
			content,
			attachments: [...attachments],
			...(latestReceived === undefined ? {} : { latestReceived }),
		};
		const secrets: SendIntentSecrets = { messageKey: sealed.messageKey };
		await tx.sendIntents.insert(record, secrets);
		await tx.work.insert(newSend(record), undefined);
		const intentId = record.id;
		await this.dependencies.observers.review('messagePrepared', tx, {
			content,
			recipients,
			intentId,
		});
		return { record, secrets };
	}

	/**
	 * Receivers take equal texts that were signed at the same time for one message, so that each
	 * message is signed at a time of its own.
	 */
	private nextSigningTime(): string {
		const now = this.dependencies.clock.now();
		const ahead = this.signedMs - now;
		this.signedMs = ahead < 0 || ahead > mostAheadMs ? now : this.signedMs + 1;
		return isoInstant(this.signedMs);
	}

	private async seal(
		tx: WriteTransaction,
		{ recipients, content, attachments: fileIds, idempotencyKey }: NewMessage,
		createdAt: string,
	): Promise<{
		readonly sealed: ReturnType<typeof sealMessage>;
		readonly named: SendIntentRecord['recipients'];
	}> {
		const relationships = await currentRelationships(tx, recipients);
		const records = new Map([...relationships].map(([peer, entry]) => [peer, entry.record]));
		const problem = checkRecipients(content, recipients, records);
		if (problem !== undefined) throw problem;
		const attachments = await this.attachments.toSend(tx, fileIds);
		const sealable = [];
		const named = [];
		for (const address of recipients) {
			const entry = relationships.get(address);
			if (entry === undefined) throw new TypeError('A checked recipient has no relationship');
			const counter = await reserveTransmitCounter(tx, entry.record.id, this.dependencies);
			const secrets = readRelationshipSecrets(entry.secrets.established);
			sealable.push({ address, secrets, counter });
			named.push({ address, relationshipId: entry.record.id });
		}
		const generations = new Set(recipients.map((peer) => generationIn(records.get(peer))));
		const [dialect] = generations.size === 1 ? generations : [];
		const bodyNonce =
			idempotencyKey === undefined
				? undefined
				: nonceOfKey(this.dependencies.account, idempotencyKey);
		const envelope = { attachments, createdAt, recipients: sealable, bodyNonce };
		const sealed = sealMessage(
			{ content: toDialect(dialect, content), ...envelope },
			this.dependencies.random,
		);
		return { sealed, named };
	}
}
