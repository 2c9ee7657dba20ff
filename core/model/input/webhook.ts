import * as z from 'zod';

const text = z.string().min(1).max(10_000);

/** Headers of the connection, and headers that this gateway sets itself. */
const ownHeaders = /^(host|connection|content-length|transfer-encoding|upgrade|webhook-.*)$/i;

/** Additional headers of the calls of a webhook. */
export const webhookHeadersSchema = z
	.record(
		z.string().regex(/^[!#$%&'*+.^_`|~\w-]+$/, 'is not a valid header name'),
		z.string().regex(/^[\t\x20-\x7e\x80-\xff]*$/, 'contains characters that headers do not allow'),
	)
	.refine(
		(headers) => !Object.keys(headers).some((name) => ownHeaders.test(name)),
		'names a header that the gateway itself sets',
	);

/** Signing secret: `whsec_` and Base64 as in Standard Webhooks, or any text. */
export const signingSecretSchema = z
	.string()
	.min(16, 'must have at least 16 characters')
	.refine(
		(secret) => !secret.startsWith('whsec_') || /^whsec_[A-Za-z0-9+/]{22,}={0,2}$/.test(secret),
		'begins with whsec_, but Base64 of at least 16 bytes does not follow',
	);

/** How the gateway proves itself to the target of a webhook. */
export const webhookAuthenticationInputSchema = z.discriminatedUnion('type', [
	z.strictObject({
		/** a key in a header */
		type: z.literal('ApiKey'),
		/** the key */
		apiKey: text.regex(/^[\t\x20-\x7e]*$/),
		/** name of the header */
		headerName: text.regex(/^[!#$%&'*+.^_`|~\w-]+$/).default('x-api-key'),
	}),
	z.strictObject({
		/** client credentials of OAuth 2 */
		type: z.literal('OAuth2'),
		/** address that gives out access tokens */
		accessTokenUrl: z.url({ protocol: /^https?$/ }).max(2_000),
		/** id of the client */
		clientId: text,
		/** secret of the client */
		clientSecret: text,
		/** scope of the access tokens */
		scope: text.optional(),
	}),
]);

const texts = z.array(z.string().min(1).max(300)).min(1).max(100);

/** Conditions on events beside their names, as in the filter of a consumer. */
export const webhookFilterSchema = z.strictObject({
	/** only events that concern one of these addresses */
	peers: texts.optional(),
	/** only events of templates, relationships and people with one of these purposes */
	purposes: texts.optional(),
	/** of all events about templates and relationships, only events of these templates */
	templateIds: texts.optional(),
	/** of all events about relationships, only those in one of these states */
	relationshipStatuses: z
		.array(z.enum(['Pending', 'Active', 'Rejected', 'Revoked', 'Terminated', 'DeletionProposed']))
		.min(1)
		.optional(),
	/** of all changes of relationships, only changes of these kinds */
	relationshipChanges: z
		.array(z.enum(['requested', 'accepted', 'ended']))
		.min(1)
		.optional(),
	/** of all events about messages, only those with content of these types */
	messageTypes: texts.optional(),
	/** of all events about requests, only those in one of these states */
	requestStatuses: texts.optional(),
	/** further kinds of events that pass, as in the filter of a consumer */
	only: z
		.array(z.enum(['answers', 'sharedByPeers', 'mails', 'contents']))
		.min(1)
		.optional(),
});
/** Conditions on events beside their names. */
export type WebhookFilterInput = z.input<typeof webhookFilterSchema>;

const members = {
	/** `http` or `https` address, in which `{{trigger}}` stands for the name of the event */
	url: z.string().min(1).max(2_000),
	/** names of events; `*` stands for one part of a name, `**` for any number of parts */
	events: z.array(z.string().min(1).max(200)).min(1).max(100),
	/** further conditions on the events */
	filter: webhookFilterSchema.optional(),
	/** version of the official gateway whose events are posted */
	version: z.literal([6, 7]).optional(),
	/** secret that signs the calls; without it, a new one is generated and shown once */
	secret: signingSecretSchema.max(1_000).optional(),
	/** additional headers of the calls */
	headers: webhookHeadersSchema
		.refine((headers) => JSON.stringify(headers).length <= 10_000, 'must be smaller than 10 kB')
		.optional(),
	/** how the gateway proves itself to the target */
	authentication: webhookAuthenticationInputSchema.optional(),
};

export const createWebhookSchema = z.strictObject(members);
/** Webhook to register. */
export type CreateWebhookInput = z.input<typeof createWebhookSchema>;

export const updateWebhookSchema = createWebhookSchema.partial().extend({
	/** null removes the conditions */
	filter: webhookFilterSchema.nullish(),
	/** null removes the authentication */
	authentication: webhookAuthenticationInputSchema.nullish(),
});
/** Members of a webhook to replace; absent ones stay. */
export type UpdateWebhookInput = z.input<typeof updateWebhookSchema>;
