import * as z from 'zod';
import { safeParse } from '../../base/schema-parse';
import { isGatewayError } from '../../base/errors';
import { readSignatureField, writeSignatureField } from '../../crypto/json-forms';
import type { Signature } from '../../crypto/json-forms';
import type { SignaturePrivateKey } from '../../crypto/keys';
import { sign, signatureLabels } from '../../crypto/signature-keys';
import { parseWireJson } from '../../crypto/wire-json';
import { parseInstant } from '../../model/instant';
import { envelopeErrors } from '../envelope/envelope-errors';

/*
 * A signed challenge proves control of a key at a moment that the Backbone has timestamped.
 * Source: docs/protocol/crypto-and-identity.md 8.2, 10
 */
const challengeTypes = ['Identity', 'Device', 'Relationship'] as const;
/** What signs a challenge: the identity, a device, or the keys of a relationship. */
export type ChallengeType = (typeof challengeTypes)[number];

const challengeSchema = z.object({
	id: z.string().max(100),
	/** kept as received, because the text is signed */
	expiresAt: z.string().refine((text) => parseInstant(text) !== undefined, 'not a date'),
	type: z.enum(challengeTypes),
	createdBy: z.string().max(100).optional(),
	createdByDevice: z.string().max(100).optional(),
});
export type Challenge = z.infer<typeof challengeSchema>;

const labels = {
	Identity: signatureLabels.identity,
	Device: signatureLabels.device,
	Relationship: signatureLabels.relationship,
} as const satisfies Record<ChallengeType, number>;

/** Writes the text to sign. The creator is absent before the identity exists. */
export function writeChallenge(challenge: {
	readonly id: string;
	readonly expiresAt: string;
	readonly type: ChallengeType;
	readonly createdBy?: string | null | undefined;
	readonly createdByDevice?: string | null | undefined;
}): string {
	const { createdBy, createdByDevice, expiresAt, id, type } = challenge;
	return JSON.stringify({
		...(typeof createdBy === 'string' ? { createdBy } : {}),
		...(typeof createdByDevice === 'string' ? { createdByDevice } : {}),
		expiresAt,
		id,
		type,
	});
}

/** @param privateKey the identity, device or relationship signature key, by type */
export function signChallenge(
	challenge: string,
	privateKey: SignaturePrivateKey,
	type: ChallengeType,
): Signature {
	return sign(challenge, privateKey, labels[type]);
}

/** Writes the `signedChallenge` of the identity creation. */
export function writeSignedChallenge(
	challenge: string,
	signature: Signature,
): { challenge: string; signature: string } {
	return { challenge, signature: writeSignatureField(signature) };
}

/** @throws `error.runtime.validation.invalidPropertyValue` */
export function readChallenge(challengeString: string): Challenge {
	const result = safeParse(challengeSchema, parseWireJson(challengeString));
	if (result.success) return result.data;
	const message = 'Expected a challenge with id, expiresAt and type, found something else';
	throw envelopeErrors.create('invalidChallenge', { message, cause: result.error });
}

/** @throws `error.runtime.validation.invalidPropertyValue` */
export function readChallengeSignature(text: string): Signature {
	try {
		return readSignatureField(text);
	} catch (cause) {
		if (!isGatewayError(cause)) throw cause;
		const message = 'Expected a signature as base64url of JSON, found something else';
		throw envelopeErrors.create('invalidChallenge', { message, cause });
	}
}
