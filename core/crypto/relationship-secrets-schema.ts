import * as z from 'zod';
import { safeParse } from '../base/schema-parse';
import { cryptoErrors } from './crypto-errors';
import {
	asExchangePrivateKey,
	asExchangePublicKey,
	asNonce,
	asSecretKey,
	asSignaturePrivateKey,
	asSignaturePublicKey,
} from './keys';
import type { RelationshipSecrets, RequestSecrets } from './relationship-secrets';

/* Readers of stored secrets, which have arbitrary JSON form until they are validated here. */
const exchangePublicKey = z.string().transform(asExchangePublicKey);
const signaturePublicKey = z.string().transform(asSignaturePublicKey);
const secretKey = z.string().transform(asSecretKey);
const nonce = z.string().transform(asNonce);
const exchangePair = z.object({
	publicKey: exchangePublicKey,
	privateKey: z.string().transform(asExchangePrivateKey),
});
const signaturePair = z.object({
	publicKey: signaturePublicKey,
	privateKey: z.string().transform(asSignaturePrivateKey),
});
const transmission = z.object({ key: secretKey, nonce });

export const requestSecretsSchema = z.object({
	exchange: exchangePair,
	ephemeral: exchangePair,
	signature: signaturePair,
	nonce,
	requestKey: secretKey,
	peerTemplateKey: exchangePublicKey,
	peerIdentityKey: signaturePublicKey,
}) satisfies z.ZodType<RequestSecrets>;

export const relationshipSecretsSchema = z.object({
	role: z.enum(['templator', 'requestor']),
	exchange: exchangePair,
	signature: signaturePair,
	transmit: transmission,
	receive: transmission,
	requestKey: secretKey,
	peerExchangeKey: exchangePublicKey,
	peerSignatureKey: signaturePublicKey,
}) satisfies z.ZodType<RelationshipSecrets>;

/**
 * @param stored `request` of the relationship's sealed secrets
 * @throws `error.transport.secrets.wrongSecretType` for anything else
 */
export function readRequestSecrets(stored: unknown): RequestSecrets {
	return read(requestSecretsSchema, stored, 'secrets of a pending own relationship');
}

const readBefore = new WeakMap<object, RelationshipSecrets>();

/**
 * @param stored `established` of the relationship's sealed secrets
 * @throws `error.transport.secrets.wrongSecretType` for anything else, such as the secrets from
 * before the acceptance
 */
export function readRelationshipSecrets(stored: unknown): RelationshipSecrets {
	const isObject = typeof stored === 'object' && stored !== null;
	// The store returns the same object while nothing has changed, so parsing is cached by identity.
	const known = isObject ? readBefore.get(stored) : undefined;
	if (known !== undefined) return known;
	const secrets = read(
		relationshipSecretsSchema,
		stored,
		'secrets for both directions of a relationship',
	);
	if (isObject) readBefore.set(stored, secrets);
	return secrets;
}

/** Errors do not quote the invalid value, which may be a key. */
function read<Secrets>(schema: z.ZodType<Secrets>, stored: unknown, what: string): Secrets {
	const parsed = safeParse(schema, stored);
	if (parsed.success) return parsed.data;
	throw cryptoErrors.create('wrongSecretType', {
		message: `The stored data is not ${what}.`,
	});
}
