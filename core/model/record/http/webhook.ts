import * as z from 'zod';
import { webhookFilterSchema } from '../../input/webhook';

/** Way in which the gateway proves itself to the target. */
export const webhookAuthenticationSchema = z.discriminatedUnion('type', [
	z.object({ type: z.literal('ApiKey'), apiKey: z.string(), headerName: z.string() }),
	z.object({
		type: z.literal('OAuth2'),
		accessTokenUrl: z.string(),
		clientId: z.string(),
		clientSecret: z.string(),
		scope: z.string().optional(),
	}),
]);

export const webhookSecretsSchema = z.object({
	/** signs every call */
	secret: z.string(),
	/** values of the headers by their names */
	headers: z.record(z.string(), z.string()),
	authentication: webhookAuthenticationSchema.optional(),
});
export type WebhookSecrets = z.infer<typeof webhookSecretsSchema>;

/** Progress of the deliveries of a webhook. */
export const webhookDeliverySchema = z.object({
	/** number of events that are not yet delivered, of the newest 200 events of the account */
	waiting: z.int(),
	/** true if older events wait, too */
	hasOlder: z.boolean(),
	/** number of events that the target did not accept and that wait for a person */
	parked: z.int(),
	/** ISO time of the latest accepted delivery; absent before the first one */
	lastSuccessAt: z.string().optional(),
	/** latest delivery that was not accepted; absent if there was none */
	lastFailure: z
		.object({
			/** ISO time of the attempt */
			at: z.string(),
			/** what the target answered, or why it was not reached */
			reason: z.string(),
		})
		.optional(),
});
/** Progress of the deliveries of a webhook. */
export type WebhookDeliveryDto = z.infer<typeof webhookDeliverySchema>;

/** Webhook as clients see it, without its secrets. */
export const webhookDtoSchema = z.object({
	/** id of the webhook, generated here */
	id: z.string(),
	/** target of the calls; `{{trigger}}` stands for the name of the event */
	url: z.string(),
	/** names and patterns of events */
	events: z.array(z.string()),
	/** further conditions on the events; absent: none */
	filter: webhookFilterSchema.optional(),
	/** version of the official gateway whose events are posted */
	version: z.literal([6, 7]),
	/** names of additional headers; the values are never shown */
	headers: z.array(z.string()),
	/** how the gateway proves itself to the target; secrets are never shown */
	authentication: z
		.object({
			/** a key in a header, or a token that the gateway gets by OAuth 2 */
			type: z.enum(['ApiKey', 'OAuth2']),
			/** header that carries the key; absent for OAuth 2 */
			headerName: z.string().optional(),
			/** where the gateway gets its token; absent for a key */
			accessTokenUrl: z.string().optional(),
			/** client id with which it gets the token; absent for a key */
			clientId: z.string().optional(),
			/** scope that it asks for; absent: none */
			scope: z.string().optional(),
		})
		.optional(),
	/** ISO time of the creation */
	createdAt: z.string(),
	/** ISO time of the latest change */
	changedAt: z.string(),
	/** progress of its deliveries */
	delivery: webhookDeliverySchema,
	/** what may be a mistake, for example a pattern that no event matches; absent: nothing */
	warnings: z.array(z.string()).optional(),
});
/** Webhook as clients see it, without its secrets. */
export type WebhookDto = z.infer<typeof webhookDtoSchema>;

/** Webhook that a client has registered (docs/adr/0049). */
export const webhookRecordSchema = webhookDtoSchema
	.pick({
		...{ id: true, url: true, events: true, filter: true, version: true },
		...{ createdAt: true, changedAt: true },
	})
	.extend({
		/** names of the headers whose values are among the secrets */
		headerNames: z.array(z.string()),
		/** number of changes, by which processes notice a change */
		revision: z.int(),
	});
export type WebhookRecord = z.infer<typeof webhookRecordSchema>;

export const createdWebhookDtoSchema = webhookDtoSchema.extend({
	/** generated secret, shown this once; absent if the client gave one */
	secret: z.string().optional(),
});
/** New webhook. */
export type CreatedWebhookDto = z.infer<typeof createdWebhookDtoSchema>;

export const webhookTestDtoSchema = z.object({
	/** true if the target answered with a status from 200 to 299 */
	isAccepted: z.boolean(),
	/** why the target counts as not reached, or what it answered; absent if it accepted */
	reason: z.string().optional(),
});
/** Outcome of a test call. */
export type WebhookTestDto = z.infer<typeof webhookTestDtoSchema>;
