import * as z from 'zod';
import { retrySchema } from '../../events/delivery/delivery-queue';
import { eventVersionSchema } from '../../events/event-names';
import {
	signingSecretSchema,
	webhookHeadersSchema,
	type webhookAuthenticationInputSchema,
} from '../../model/input/webhook';

const text = z.string().min(1);

export const webhookTargetSchema = z.strictObject({
	/** `{{trigger}}` stands for the name of the event */
	url: text,
	headers: webhookHeadersSchema.optional(),
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

export type WebhookAuthentication = z.infer<typeof webhookAuthenticationInputSchema>;

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
