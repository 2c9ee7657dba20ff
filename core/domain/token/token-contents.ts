import * as z from 'zod';
import { parse } from '../../base/schema-parse';
import { decodeBase64Url } from '../../base/encoding';
import { isGatewayError } from '../../base/errors';
import { nested, secretKeySchema, writeSecretKey } from '../../crypto/json-forms';
import type { SecretKey } from '../../crypto/keys';
import { fileIdSchema, templateIdSchema } from '../../model/ids';
import type { JsonObject } from '../../model/json';
import { jsonObjectSchema } from '../../model/json';
import { isPasswordType } from '../../model/password-protection';
import { readEnvelopeValue } from '../envelope/envelope-content';

/*
 * Contents of tokens that refer to another object. The salt is in base64url here, unlike in
 * references. Source: docs/protocol/crypto-and-identity.md 5.5
 */
const passwordProtectionMembers = z.object({
	passwordType: z.string().refine(isPasswordType, 'not pw or pin4 to pin16'),
	salt: z.string().refine((text) => decodeBase64Url(text)?.length === 16, 'not 16 bytes'),
	passwordLocationIndicator: z.number().int().min(0).max(99).optional(),
});

const templateMembers = z.object({
	templateId: templateIdSchema,
	secretKey: secretKeySchema,
	/** full address, unlike the truncated one in references */
	forIdentity: z.string().max(100).optional(),
	passwordProtection: nested(['PasswordProtection', 'SharedPasswordProtection'], (value) =>
		readEnvelopeValue(value, passwordProtectionMembers, 'a password protection'),
	).optional(),
});

const fileMembers = z.object({ fileId: fileIdSchema, secretKey: secretKeySchema });

/** Object that a token refers to. */
export type TokenTarget =
	| ({ readonly kind: 'template' } & z.infer<typeof templateMembers>)
	| ({ readonly kind: 'file' } & z.infer<typeof fileMembers>);

/**
 * Reads the object that a token refers to; returns `undefined` for content of another kind.
 *
 * @param content as `openToken` returned it
 * @throws `error.runtime.requestDeserialization`, `error.crypto.*` for unreadable content of one of
 * these types
 */
export function readTokenTarget(content: JsonObject): TokenTarget | undefined {
	switch (content['@type']) {
		case 'TokenContentRelationshipTemplate': {
			const what = 'a token for a template';
			return { kind: 'template', ...readEnvelopeValue(content, templateMembers, what) };
		}
		case 'TokenContentFile':
			return { kind: 'file', ...readEnvelopeValue(content, fileMembers, 'a token for a file') };
		default:
			return undefined;
	}
}

/**
 * Schema of the content of a token for a template; unreadable content becomes an issue instead of
 * an exception.
 */
export const templateTokenContentSchema = z.unknown().transform((content, context) => {
	try {
		const target = readTokenTarget(parse(jsonObjectSchema, content));
		if (target?.kind === 'template') return target;
	} catch (error) {
		if (!isGatewayError(error) && !(error instanceof z.ZodError)) throw error;
	}
	context.addIssue({ code: 'custom', message: 'expected the content of a token for a template' });
	return z.NEVER;
});

/** Writes the content of a token for a template, with members in the official order. */
export function writeTemplateTokenContent(target: {
	readonly templateId: string;
	readonly secretKey: SecretKey;
	readonly forIdentity?: string | undefined;
	readonly passwordProtection?:
		| {
				readonly passwordType: string;
				readonly salt: string;
				readonly passwordLocationIndicator?: number | undefined;
		  }
		| undefined;
}): JsonObject {
	const { templateId, secretKey, forIdentity, passwordProtection } = target;
	const location = passwordProtection?.passwordLocationIndicator;
	const protection =
		passwordProtection === undefined
			? undefined
			: {
					...(location === undefined ? {} : { passwordLocationIndicator: location }),
					passwordType: passwordProtection.passwordType,
					salt: passwordProtection.salt,
				};
	return {
		'@type': 'TokenContentRelationshipTemplate',
		...(forIdentity === undefined ? {} : { forIdentity }),
		...(protection === undefined ? {} : { passwordProtection: protection }),
		secretKey: { ...writeSecretKey(secretKey) },
		templateId,
	};
}

/** @param secretKey metadata key of the file */
export function writeFileTokenContent(fileId: string, secretKey: SecretKey): JsonObject {
	return { '@type': 'TokenContentFile', fileId, secretKey: { ...writeSecretKey(secretKey) } };
}
