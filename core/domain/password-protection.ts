import type { Cancellable } from '../base/abort';
import { decodeBase64Url, encodeBase64Url } from '../base/encoding';
import type { Random } from '../base/random';
import { hashPasswordForBackbone } from '../crypto/password-hash';
import {
	passwordLocationDto,
	readPasswordProtectionInput,
	type PasswordProtectionDto,
	type PasswordProtectionInput,
	type SharedPasswordProtection,
	type StoredPasswordProtection,
} from '../model/password-protection';
import {
	truncateForIdentity,
	writeReferenceUrl,
	writeTruncatedReference,
	type Reference,
} from '../model/reference';

/*
 * Protection and personalisation of templates and tokens (docs/protocol/crypto-and-identity.md 15).
 */

/** Creates the protection of a new object, with a fresh salt. */
export function newProtection(
	input: PasswordProtectionInput,
	random: Random,
): StoredPasswordProtection {
	return { ...readPasswordProtectionInput(input), salt: encodeBase64Url(random.bytes(16)) };
}

/** Combines the protection stated in a reference with the password given for it. */
export function protectionOfReference(
	reference: Pick<Reference, 'passwordProtection'>,
	password: string | undefined,
): StoredPasswordProtection | undefined {
	const shared = reference.passwordProtection;
	if (shared === undefined || password === undefined) return undefined;
	return { ...withoutPassword(shared), password };
}

/**
 * Computes the Argon2id hash that the Backbone compares; the Backbone never receives the password.
 */
export async function passwordForBackbone(
	protection: StoredPasswordProtection | undefined,
	options: Cancellable,
): Promise<string | undefined> {
	if (protection === undefined) return undefined;
	const salt = decodeBase64Url(protection.salt) ?? new Uint8Array();
	return await hashPasswordForBackbone(protection.password, salt, options);
}

/**
 * Returns the protection as callers receive it, including the password, also for objects of peers.
 */
export function toPasswordProtectionDto(stored: StoredPasswordProtection): PasswordProtectionDto {
	return {
		password: stored.password,
		...(stored.passwordType.startsWith('pin') ? { passwordIsPin: true as const } : {}),
		...(stored.passwordLocationIndicator === undefined
			? {}
			: { passwordLocationIndicator: passwordLocationDto(stored.passwordLocationIndicator) }),
	};
}

/**
 * Builds the reference of an object; it contains the configured Backbone address, also for objects
 * of peers.
 */
export function referenceTo(
	record: { readonly id: string; readonly forIdentity?: string | undefined },
	secrets: {
		readonly secretKey: string;
		readonly passwordProtection?: StoredPasswordProtection | undefined;
	},
	backboneBaseUrl: string,
): Omit<Reference, 'kind'> {
	const { forIdentity } = record;
	const { passwordProtection } = secrets;
	return {
		id: record.id,
		backboneBaseUrl,
		key: secrets.secretKey,
		...(forIdentity === undefined
			? {}
			: { forIdentityTruncated: truncateForIdentity(forIdentity) }),
		...(passwordProtection === undefined
			? {}
			: { passwordProtection: withoutPassword(passwordProtection) }),
	};
}

/** Returns both forms of a reference, as included in each object that has one. */
export function toReferenceDto(reference: Omit<Reference, 'kind'>): {
	truncatedReference: string;
	reference: { truncated: string; url: string };
} {
	const truncated = writeTruncatedReference(reference);
	return {
		truncatedReference: truncated,
		reference: { truncated, url: writeReferenceUrl(reference) },
	};
}

function withoutPassword(
	protection: Omit<StoredPasswordProtection, 'password'>,
): SharedPasswordProtection {
	const { passwordType, salt, passwordLocationIndicator } = protection;
	return {
		passwordType,
		salt,
		...(passwordLocationIndicator === undefined ? {} : { passwordLocationIndicator }),
	};
}
