import * as z from 'zod';
import { addressPatternSchema } from '../../model/address';
import { instantSchema } from '../../model/instant';
import type { PasswordProtectionInput } from '../../model/password-protection';
import type { Reference } from '../../model/reference';
import type { JsonObject } from '../../model/json';
import { templateTokenContentSchema } from '../token/token-contents';
import { templateErrors } from './template-errors';

/** Input of a caller who creates a template (docs/protocol/http-api.md 8.12). */
export const createTemplateInputSchema = z.strictObject({
	content: z.unknown(),
	expiresAt: instantSchema,
	maxNumberOfAllocations: z.number().int().min(1).optional(),
	forIdentity: addressPatternSchema.optional(),
	/** validated by a separate reader, which throws the exact codes */
	passwordProtection: z.custom<PasswordProtectionInput>().optional(),
});

export const loadTemplateInputSchema = z.strictObject({
	reference: z.string().min(1).max(4_000),
	password: z.string().min(1).max(1_000).optional(),
});

/**
 * Reads the template reference in a token (docs/protocol/crypto-and-identity.md 5.5).
 *
 * @throws `error.runtime.invalidTokenContent`
 */
export function readTokenContent(content: JsonObject): Reference & { forIdentity?: string } {
	const parsed = templateTokenContentSchema.safeParse(content);
	if (!parsed.success) {
		throw templateErrors.create('invalidTokenContent', {
			message: 'The token does not hold a relationship template.',
		});
	}
	const { templateId, secretKey, forIdentity, passwordProtection: shared } = parsed.data;
	return {
		kind: 'template',
		id: templateId,
		key: secretKey,
		...(forIdentity === undefined ? {} : { forIdentity }),
		...(shared === undefined
			? {}
			: {
					passwordProtection: {
						passwordType: shared.passwordType,
						salt: shared.salt,
						...(shared.passwordLocationIndicator === undefined
							? {}
							: { passwordLocationIndicator: shared.passwordLocationIndicator }),
					},
				}),
	};
}
