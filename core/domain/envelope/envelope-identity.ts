import * as z from 'zod';
import { nested, signaturePublicKeySchema, writePublicKey } from '../../crypto/json-forms';
import type { PublicKeyJson } from '../../crypto/json-forms';
import type { SignaturePublicKey } from '../../crypto/keys';
import { addressFitsPublicKey, isDeletedIdentity } from '../../model/address';
import { readEnvelopeValue, shortText } from './envelope-content';
import { envelopeErrors } from './envelope-errors';

/** Identity inside a signed object. */
export interface EnvelopeIdentity {
	readonly address: string;
	readonly publicKey: SignaturePublicKey;
}

const identityMembers = z.object({ address: shortText, publicKey: signaturePublicKeySchema });

export const envelopeIdentitySchema = nested(['Identity'], (value): EnvelopeIdentity =>
	readEnvelopeValue(value, identityMembers, 'an identity'),
);

export function writeEnvelopeIdentity(identity: EnvelopeIdentity): {
	address: string;
	publicKey: PublicKeyJson;
} {
	return { address: identity.address, publicKey: writePublicKey(identity.publicKey) };
}

/**
 * Checks that the identity inside a signed object is the creator named by the Backbone, and that
 * its address is derived from its key. Official software checks neither; the gateway adds both
 * checks. For a creator deleted in the meantime the Backbone names a pseudonym, which is not
 * compared.
 *
 * @throws `error.transport.signatureNotValid`
 * @see docs/protocol/transport.md 20.3
 */
export function requireIdentityOf(identity: EnvelopeIdentity, createdBy: string): void {
	if (!addressFitsPublicKey(identity.address, identity.publicKey)) {
		const message = 'Expected an address that belongs to its public key, found another';
		throw envelopeErrors.create('signatureNotValid', { message });
	}
	if (identity.address === createdBy || isDeletedIdentity(createdBy)) return;
	const message = `Expected an object of ${createdBy}, found one of ${identity.address}`;
	throw envelopeErrors.create('signatureNotValid', { message });
}
