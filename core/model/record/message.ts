import * as z from 'zod';
import { jsonObjectSchema } from '../json';
import { retryStateSchema } from './retry-state';

const messageRecipientSchema = z.object({
	address: z.string(),
	receivedAt: z.string().optional(),
	receivedByDevice: z.string().optional(),
	relationshipId: z.string().optional(),
});

export const messageRecordSchema = z.object({
	id: z.string(),
	isOwn: z.boolean(),
	createdBy: z.string(),
	createdByDevice: z.string(),
	createdAt: z.string(),
	content: jsonObjectSchema,
	recipients: z.array(messageRecipientSchema),
	attachments: z.array(z.string()),
	wasReadAt: z.string().optional(),
});
export type MessageRecord = z.infer<typeof messageRecordSchema>;

export const messageSecretsSchema = z.object({
	/** base64url of the message key */
	messageKey: z.string(),
	/**
	 * set for received messages: ids and metadata keys of files that were not loaded with the message
	 */
	attachments: z.array(z.object({ id: z.string(), key: z.string() })).optional(),
});
export type MessageSecrets = z.infer<typeof messageSecretsSchema>;

/**
 * Message as callers receive it (docs/protocol/transport.md 16.3); content of another kind is shown
 * wrapped.
 */
export const messageDtoSchema = messageRecordSchema;
export type MessageDto = z.infer<typeof messageDtoSchema>;

/**
 * Intent to send a message: committed before the Backbone is called, with the reserved counters
 * already used inside `body`, so that a crash wastes counters and never reuses a nonce
 * (docs/adr/0006).
 */
export const sendIntentRecordSchema = z.object({
	/** id of the intent, generated here */
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
	 * `prepared`: the call may or may not have happened; `sent`: `messageId` is known; `failed`:
	 * refused
	 */
	state: z.enum(['prepared', 'sent', 'failed']),
	createdAt: z.string(),
	/** lower bound for the creation of the message, by the Backbone's clock as far as it was known */
	preparedAt: z.string().optional(),
	/** SHA-256 (base64url) of the sealed `body` field; identifies the message at the Backbone */
	bodyHash: z.string(),
	/** request body, already sealed for the recipients; removed once the outcome is known */
	postBody: jsonObjectSchema.optional(),
	/** failed attempts to send the message, or to find out whether it was sent */
	retry: retryStateSchema.optional(),
	/** without relationship once that is decomposed; the address is then a pseudonym */
	recipients: z.array(z.object({ address: z.string(), relationshipId: z.string().optional() })),
	content: jsonObjectSchema,
	attachments: z.array(z.string()),
	messageId: z.string().optional(),
	failure: z.object({ code: z.string(), message: z.string() }).optional(),
});
export type SendIntentRecord = z.infer<typeof sendIntentRecordSchema>;

/** Message that was never sent; to deliver it, the caller has to send it again. */
export const messageNotSentSchema = z.object({
	intentId: z.string(),
	idempotencyKey: z.string().optional(),
	/** time of preparation */
	createdAt: z.string(),
	recipients: z.array(z.string()),
	content: jsonObjectSchema,
	attachments: z.array(z.string()),
	/** reason: `error.gateway.messages.notSent` */
	code: z.string(),
	message: z.string(),
});

export const sendIntentSecretsSchema = messageSecretsSchema;
export type SendIntentSecrets = z.infer<typeof sendIntentSecretsSchema>;
