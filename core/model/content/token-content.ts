import * as z from 'zod';
import { decodeBase64Url } from '../../base/encoding';
import { isJsonObject, type JsonObject } from '../json';
import { isPasswordType } from '../password-protection';
import { contentType, unexpectedIssue, type ContentOf, type Flat } from './content-type';
import { addressField, idField, objectField } from './fields';
import { presentedShape } from './values/verifiable-credential';

const keyLength = 32;
const saltLength = 16;

type SecretKey = {
	/** base64url of 32 bytes */
	key: string;
	/** number of the algorithm */
	alg: 3;
};

/** Key, written with its members in the order of official software. */
function secretKey(): z.ZodType<SecretKey> {
	return z.transform((value, context) => {
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
		/** number of the place where the password is found; 50 to 99 are places of the organisation */
		passwordLocationIndicator: z.int().min(0).max(99).exactOptional(),
		/** `pw` for a password, `pin4` to `pin16` for a PIN */
		passwordType: z.string().refine(isPasswordType, 'expected pw or pin4 to pin16'),
		/** base64url of 16 bytes */
		salt: z
			.string()
			.refine((text) => decodeBase64Url(text)?.length === saltLength, 'expected 16 bytes'),
	});

/**
 * Token contents (docs/protocol/content.md 12, generation-7.md 11). A presentation is kept and
 * passed on; nothing in it is verified.
 */
export const tokenContents = [
	contentType('TokenContentFile', () => ({
		/** `FIL` id */
		fileId: idField,
		/** key of the file */
		secretKey: secretKey(),
	})),
	contentType('TokenContentRelationshipTemplate', () => ({
		/** `RLT` id */
		templateId: idField,
		/** key of the template */
		secretKey: secretKey(),
		/** address that alone may load the template */
		forIdentity: addressField.nullish(),
		/** set if a reader needs a password */
		passwordProtection: passwordProtection().nullish(),
	})),
	contentType('TokenContentDeviceSharedSecret', () => ({
		/** secrets with which a device joins an identity */
		sharedSecret: objectField,
	})),
	contentType('TokenContentVerifiablePresentation', presentedShape),
];

/** Content of a token. */
export type TokenContent = Flat<ContentOf<(typeof tokenContents)[number]>>;
