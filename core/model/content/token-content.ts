import * as z from 'zod';
import { decodeBase64Url } from '../../base/encoding';
import { isJsonObject, type Json, type JsonObject } from '../json';
import { isPasswordType } from '../password-protection';
import { contentType, namedType, unexpectedIssue, type ContentType } from './content-type';
import { version7TokenContentTypes } from './content-types';
import { addressField, idField, objectField } from './fields';

const keyLength = 32;
const saltLength = 16;

/** Key, written with its members in the order of official software. */
function secretKey(): z.ZodType<Json> {
	return z.transform((value, context): Json => {
		const { alg, key } = isJsonObject(value) ? value : ({} as JsonObject);
		if (alg === 3 && typeof key === 'string' && decodeBase64Url(key)?.length === keyLength) {
			return { key, alg };
		}
		const isMissing = value === undefined || value === null;
		context.addIssue({
			code: 'custom',
			message: isMissing ? 'is missing' : 'expected a key with algorithm 3',
			...(isMissing ? {} : { params: unexpectedIssue }),
		});
		return z.NEVER;
	});
}

const passwordProtection = () =>
	z.object({
		passwordLocationIndicator: z.int().min(0).max(99).optional(),
		passwordType: z.string().refine(isPasswordType, 'expected pw or pin4 to pin16'),
		salt: z
			.string()
			.refine((text) => decodeBase64Url(text)?.length === saltLength, 'expected 16 bytes'),
	});

/** Token contents (docs/protocol/content.md 12). */
export const tokenContents: readonly ContentType[] = [
	contentType('TokenContentFile', () => ({ fileId: idField, secretKey: secretKey() })),
	contentType('TokenContentRelationshipTemplate', () => ({
		templateId: idField,
		secretKey: secretKey(),
		forIdentity: addressField.nullish(),
		passwordProtection: passwordProtection().nullish(),
	})),
	contentType('TokenContentDeviceSharedSecret', () => ({ sharedSecret: objectField })),
	...version7TokenContentTypes.map((name) => namedType(name)),
];
