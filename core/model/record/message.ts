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
	/** of a received message: ids and metadata keys of its files, for those not loaded with it */
	attachments: z.array(z.object({ id: z.string(), key: z.string() })).optional(),
});
export type MessageSecrets = z.infer<typeof messageSecretsSchema>;

/** transport 16.3; a message with content of another kind shows it wrapped */
export const messageDtoSchema = messageRecordSchema;
export type MessageDto = z.infer<typeof messageDtoSchema>;

/**
 * The intent to send: committed before the Backbone is called, with the reserved counters already
 * used inside `body`, so that a crash wastes numbers and never reuses a nonce (docs/adr/0006).
 */
export const sendIntentRecordSchema = z.object({
	/** our own id of the intent */
	id: z.string(),
	/** of the caller, unique; absent when the caller gave none */
	idempotencyKey: z.string().optional(),
	/** belongs to a change that is committed already: it is tried until it was taken or refused */
	mustArrive: z.literal(true).optional(),
	/** a person wants it sent if the Backbone does not have it: it is not given up any more */
	again: z.literal(true).optional(),
	/** of the newest call, by the store's clock */
	triedAt: z.string().optional(),
	/** the process of the newest call, as leases mark it */
	caller: z.string().optional(),
	/** `prepared`: the call may or may not have happened; `sent`: `messageId` is known; `failed`: refused */
	state: z.enum(['prepared', 'sent', 'failed']),
	createdAt: z.string(),
	/** by the Backbone's clock, as far as it was known: it has the message from then on at the earliest */
	preparedAt: z.string().optional(),
	/** SHA-256 (base64url) of the sealed `body` field: recognises the message at the Backbone */
	bodyHash: z.string(),
	/** what is posted, sealed for the recipients already; dropped once the outcome is known */
	postBody: jsonObjectSchema.optional(),
	/** failed tries to send it, or to find out whether it was sent */
	retry: retryStateSchema.optional(),
	/** without relationship once it was decomposed: the address is a pseudonym then */
	recipients: z.array(z.object({ address: z.string(), relationshipId: z.string().optional() })),
	content: jsonObjectSchema,
	attachments: z.array(z.string()),
	messageId: z.string().optional(),
	failure: z.object({ code: z.string(), message: z.string() }).optional(),
});
export type SendIntentRecord = z.infer<typeof sendIntentRecordSchema>;

/** A message that was to be sent and never was; whoever wants it to arrive sends it again. */
export const messageNotSentSchema = z.object({
	intentId: z.string(),
	idempotencyKey: z.string().optional(),
	/** when it was prepared */
	createdAt: z.string(),
	recipients: z.array(z.string()),
	content: jsonObjectSchema,
	attachments: z.array(z.string()),
	/** why: `error.gateway.messages.notSent` */
	code: z.string(),
	message: z.string(),
});

export const sendIntentSecretsSchema = messageSecretsSchema;
export type SendIntentSecrets = z.infer<typeof sendIntentSecretsSchema>;
