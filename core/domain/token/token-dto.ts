import { asSecretKey } from '../../crypto/keys';
import { publicMembers, type JsonObject } from '../../model/json';
import type { StoredPasswordProtection } from '../../model/password-protection';
import type { Reference } from '../../model/reference';
import {
	tokenDtoSchema,
	type TokenDto,
	type TokenRecord,
	type TokenSecrets,
} from '../../model/record/token';
import type { Entry } from '../../store/store';
import { referenceTo, toPasswordProtectionDto, toReferenceDto } from '../password-protection';

/**
 * Token as stored: `record` holds its metadata, `secrets` its content and the data that opens it.
 */
export type OpenedToken = Entry<TokenRecord, TokenSecrets>;

/** Metadata of a token, as the Backbone returns it. */
interface ShownToken {
	readonly createdBy: string;
	readonly createdByDevice: string;
	readonly createdAt: string;
	readonly expiresAt: string;
	readonly forIdentity?: string | null | undefined;
}

export function toOpenedToken(
	reference: Pick<Reference, 'id' | 'key'>,
	protection: StoredPasswordProtection | undefined,
	{ createdBy, createdByDevice, createdAt, expiresAt, forIdentity }: ShownToken,
	content: JsonObject,
	ownAddress: string,
): OpenedToken {
	return {
		record: {
			id: reference.id,
			isOwn: createdBy === ownAddress,
			createdBy,
			createdByDevice,
			createdAt,
			expiresAt,
			...(forIdentity == null ? {} : { forIdentity }),
		},
		secrets: {
			secretKey: asSecretKey(reference.key),
			content,
			...(protection === undefined ? {} : { passwordProtection: protection }),
		},
	};
}

/** Converts a token to the form that callers receive (docs/protocol/transport.md 16.5). */
export function toTokenDto(
	{ record, secrets }: OpenedToken,
	isEphemeral: boolean,
	backboneBaseUrl: string,
): TokenDto {
	const { passwordProtection, content } = secrets;
	return publicMembers(tokenDtoSchema, {
		...record,
		passwordProtection: passwordProtection && toPasswordProtectionDto(passwordProtection),
		content,
		...toReferenceDto(referenceTo(record, secrets, backboneBaseUrl)),
		isEphemeral,
	});
}

/**
 * Returns the given password, or else the one in the reference, where some newer runtimes put it
 * (crypto-and-identity 19).
 */
export function passwordFor(
	reference: Pick<Reference, 'passwordProtection'>,
	given: string | undefined,
): string | undefined {
	return given ?? reference.passwordProtection?.password;
}
