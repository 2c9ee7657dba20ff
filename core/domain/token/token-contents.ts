import { z } from 'zod';
import { decodeBase64Url } from '../../base/encoding';
import { nested, secretKeySchema } from '../../crypto/json-forms';
import { fileIdSchema, templateIdSchema } from '../../model/ids';
import { isPasswordType } from '../../model/password-protection';
import { readEnvelopeValue } from '../envelope/envelope-content';

/*
 * Contents of tokens that lead to another object. The salt is base64url here, unlike in references.
 * Source: docs/protocol/crypto-and-identity.md 5.5
 */
const passwordProtectionMembers = z.object({
	passwordType: z.string().refine(isPasswordType, 'not pw or pin4 to pin16'),
	salt: z.string().refine((text) => decodeBase64Url(text)?.length === 16, 'not 16 bytes'),
	passwordLocationIndicator: z.number().int().min(0).max(99).optional(),
});

export const templateTokenContentSchema = z.object({
	'@type': z.literal('TokenContentRelationshipTemplate'),
	templateId: templateIdSchema,
	secretKey: secretKeySchema,
	/** the full address, unlike the hint of references */
	forIdentity: z.string().max(100).optional(),
	passwordProtection: nested(['PasswordProtection', 'SharedPasswordProtection'], (value) =>
		readEnvelopeValue(value, passwordProtectionMembers, 'a password protection'),
	).optional(),
});
export type TemplateTokenContent = z.infer<typeof templateTokenContentSchema>;

export const fileTokenContentSchema = z.object({
	'@type': z.literal('TokenContentFile'),
	fileId: fileIdSchema,
	secretKey: secretKeySchema,
});
export type FileTokenContent = z.infer<typeof fileTokenContentSchema>;
