import * as z from 'zod';
import type { MessageContent } from '../content/message-content';
import { objectOf, type UnknownContent } from '../json';
import { fileDtoSchema } from './file';

/**
 * Message as callers receive it (docs/protocol/transport.md 16.3); content of another kind is shown
 * wrapped.
 */
export const messageDtoSchema = z.object({
	/** `MSG` id */
	id: z.string(),
	/** true if this identity sent the message */
	isOwn: z.boolean(),
	/** address of the sender */
	createdBy: z.string(),
	/** id of the device that sent it */
	createdByDevice: z.string(),
	/** ISO time at which the Backbone accepted the message */
	createdAt: z.string(),
	/** JSON with `@type`: Mail, Request, ResponseWrapper, Notification or ArbitraryMessageContent */
	content: objectOf<MessageContent>(),
	/** all recipients of a sent message; of a received one, only this identity */
	recipients: z.array(
		z.object({
			/** address of the recipient */
			address: z.string(),
			/** ISO time at which the recipient fetched it; absent while it has not */
			receivedAt: z.string().optional(),
			/** id of the device that fetched it */
			receivedByDevice: z.string().optional(),
			/** relationship whose keys encrypt the message; absent once it has ended */
			relationshipId: z.string().optional(),
		}),
	),
	/** ids of the attached files; may be empty */
	attachments: z.array(z.string()),
	/** ISO time at which it was marked as read; absent for an unread message */
	wasReadAt: z.string().optional(),
});
/** Message, sent or received. */
export type MessageDto = z.infer<typeof messageDtoSchema>;

export const messageRecordSchema = messageDtoSchema.extend({
	content: objectOf<MessageContent | UnknownContent>(),
	/**
	 * by which a message is known under any id: of what was signed, or of an own message the hash of
	 * its sealed body
	 */
	identity: z.string().optional(),
	/** received messages: time at which they were signed, by the clock of the sender */
	signedAt: z.string().optional(),
});
export type MessageRecord = z.infer<typeof messageRecordSchema>;

/** Checks the type of a message's content. */
export function carries<
	Type extends MessageContent['@type'],
	Of extends Pick<MessageRecord, 'content'>,
>(
	message: Of,
	type: Type,
): message is Of & { readonly content: Extract<MessageContent, { '@type': Type }> } {
	return message.content['@type'] === type;
}

export const messageSecretsSchema = z.object({
	/** base64url of the message key */
	messageKey: z.string(),
	/**
	 * set for received messages: ids and metadata keys of files that were not loaded with the message
	 */
	attachments: z.array(z.object({ id: z.string(), key: z.string() })).optional(),
});
export type MessageSecrets = z.infer<typeof messageSecretsSchema>;

/** Message that shows its attached files instead of their ids. */
export const messageWithFilesDtoSchema = messageDtoSchema.extend({
	/** attached files; may be empty */
	attachments: z.array(fileDtoSchema),
});

/**
 * Intent to send a message: committed before the Backbone is called, with the reserved counters
 * already used inside `body`, so that a crash wastes counters and never reuses a nonce
 * (docs/adr/0006).
 */
export const sendIntentRecordSchema = z.object({
	/** id of the send, generated here */
	id: z.string(),
	/** idempotency key of the caller, unique; absent if the caller gave none */
	idempotencyKey: z.string().optional(),
	/**
	 * set for a message that belongs to a committed change: retried until it is accepted or refused
	 */
	mustArrive: z.literal(true).optional(),
	/**
	 * set when a person requests another attempt: the message is sent if the Backbone does not have
	 * it, and no longer given up
	 */
	again: z.literal(true).optional(),
	/** time of the latest call, by the store's clock */
	triedAt: z.string().optional(),
	/** process of the latest call, in the notation of leases */
	caller: z.string().optional(),
	/**
	 * time, by the Backbone's clock, of the first list without the message after the end of the
	 * latest call; the epoch if the Backbone has refused that call
	 */
	absentSince: z.string().optional(),
	/**
	 * `prepared`: the call may or may not have happened; `sent`: `messageId` is known; `failed`:
	 * refused
	 */
	state: z.enum(['prepared', 'sent', 'failed']),
	/** ISO time of the call that sends */
	createdAt: z.string(),
	/** lower bound for the creation of the message, by the Backbone's clock as far as it was known */
	preparedAt: z.string().optional(),
	/** SHA-256 (base64url) of the sealed `body` field; identifies the message at the Backbone */
	bodyHash: z.string(),
	/** request body, already sealed for the recipients; removed once the outcome is known */
	postBody: objectOf<{
		/** attached files */
		attachments: Array<{
			/** `FIL` id of the file */
			id: string;
		}>;
		/** sealed content */
		body: string;
		/** peers who get the message */
		recipients: Array<{
			/** address of the peer */
			address: string;
			/** message key, sealed for the peer */
			encryptedKey: string;
		}>;
	}>().optional(),
	/** recipients; an address is a pseudonym once its relationship is decomposed */
	recipients: z.array(
		z.object({
			/** address of the recipient */
			address: z.string(),
			/** relationship whose keys encrypt the message; absent once it is decomposed */
			relationshipId: z.string().optional(),
		}),
	),
	/** content of the message, with `@type` */
	content: objectOf<MessageContent | UnknownContent>(),
	/** ids of the attached files; may be empty */
	attachments: z.array(z.string()),
	/** id of the message; absent unless it was sent */
	messageId: z.string().optional(),
	/** newest message of the recipient that was stored before, if its answer is awaited */
	latestReceived: z.string().optional(),
	/** reason for which the message was refused */
	failure: z
		.object({
			code: z.string(),
			message: z.string(),
		})
		.optional(),
});
export type SendIntentRecord = z.infer<typeof sendIntentRecordSchema>;

/** Send whose outcome is unknown. */
export type SendIntentDto = Omit<
	z.infer<typeof sendIntentRecordSchema>,
	'state' | 'messageId' | 'failure'
> & {
	/** the call may or may not have happened */
	readonly state: 'prepared';
};

/** Message that was never sent; to deliver it, the caller has to send it again. */
export const messageNotSentSchema = z.object({
	/** id of the send */
	intentId: z.string(),
	/** key of the caller; absent if it gave none */
	idempotencyKey: z.string().optional(),
	/** time of preparation */
	createdAt: z.string(),
	/** addresses of the recipients */
	recipients: z.array(z.string()),
	/** content of the message, with `@type` */
	content: objectOf<MessageContent | UnknownContent>(),
	/** ids of the files to attach */
	attachments: z.array(z.string()),
	/** reason: `error.gateway.messages.notSent` */
	code: z.string(),
	/** reason */
	message: z.string(),
});

export const sendIntentSecretsSchema = messageSecretsSchema;
export type SendIntentSecrets = z.infer<typeof sendIntentSecretsSchema>;
