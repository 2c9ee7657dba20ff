import * as z from 'zod';
import { retrySchema } from '../../events/delivery-queue';
import { eventVersionSchema } from '../../events/event-names';

const text = z.string().min(1);

/** Headers of the connection, and headers that this gateway sets itself. */
const ownHeaders = /^(host|connection|content-length|transfer-encoding|upgrade|webhook-.*)$/i;

const headersSchema = z
	.record(
		z.string().regex(/^[!#$%&'*+.^_`|~\w-]+$/, 'is not a valid header name'),
		z.string().regex(/^[\t\x20-\x7e\x80-\xff]*$/, 'contains characters that headers do not allow'),
	)
	.refine(
		(headers) => !Object.keys(headers).some((name) => ownHeaders.test(name)),
		'names a header that the gateway itself sets',
	);

/** Signing secret: `whsec_` and Base64 as in Standard Webhooks, or any text. */
const signingSecretSchema = z
	.string()
	.min(16, 'must have at least 16 characters')
	.refine(
		(secret) => !secret.startsWith('whsec_') || /^whsec_[A-Za-z0-9+/]{22,}={0,2}$/.test(secret),
		'begins with whsec_, but Base64 of at least 16 bytes does not follow',
	);

export const webhookTargetSchema = z.strictObject({
	/** `{{trigger}}` stands for the name of the event */
	url: text,
	headers: headersSchema.optional(),
	/** validated separately, because its errors have a code of their own */
	authentication: z.unknown().optional(),
	/** extension of this gateway: replaces the secret for all targets */
	signingSecret: signingSecretSchema.optional(),
	/**
	 * extension of this gateway: version whose events are posted; default: the version below
	 * `/api/core/v1`
	 */
	version: eventVersionSchema.optional(),
});
export type WebhookTargetConfig = z.infer<typeof webhookTargetSchema>;

export const authenticationSchema = z.discriminatedUnion('type', [
	z.strictObject({
		type: z.literal('ApiKey'),
		apiKey: text.regex(/^[\t\x20-\x7e]*$/),
		headerName: text.regex(/^[!#$%&'*+.^_`|~\w-]+$/).default('x-api-key'),
	}),
	z.strictObject({
		type: z.literal('OAuth2'),
		accessTokenUrl: z.url({ protocol: /^https?$/ }),
		clientId: text,
		clientSecret: text,
		scope: text.optional(),
	}),
]);
export type WebhookAuthentication = z.infer<typeof authenticationSchema>;

/** Settings of `modules.webhooks` beside `enabled` (docs/protocol/http-api.md 11). */
export const webhookSettings = {
	targets: z.record(text, webhookTargetSchema).default({}),
	webhooks: z
		.array(
			z.strictObject({
				triggers: z.array(text),
				/** name of one of the targets, or a target defined in place */
				target: z.union([text, webhookTargetSchema], 'expected a name or a target'),
			}),
		)
		.default([]),
	/** accepts any certificate */
	skipTlsCheck: z.boolean().default(false),
	/** extension of this gateway: signs every call */
	signingSecret: signingSecretSchema.optional(),
	/** extension of this gateway: milliseconds for one call */
	timeout: z.number().int().min(1).max(300_000).default(10_000),
	/** extension of this gateway */
	retry: retrySchema.prefault({}),
};
export type WebhooksConfig = z.infer<z.ZodObject<typeof webhookSettings>>;
