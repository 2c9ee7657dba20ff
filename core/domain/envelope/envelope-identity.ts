import * as z from 'zod';
import { nested, signaturePublicKeySchema, writePublicKey } from '../../crypto/json-forms';
import type { PublicKeyJson } from '../../crypto/json-forms';
import type { SignaturePublicKey } from '../../crypto/keys';
import { addressFitsPublicKey, isDeletedIdentity } from '../../model/address';
import { readEnvelopeValue, shortText } from './envelope-content';
import { envelopeErrors } from './envelope-errors';

/** An identity as it stands inside signed objects. */
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
 * Our hardening: the identity inside the signed object must be the one that the Backbone names as
 * its creator, and its address must come from its key; official software checks neither. A creator
 * that was deleted meanwhile is shown as a pseudonym, which says nothing.
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
