import * as z from 'zod';
import {
	bytesSchema,
	idSchema,
	instantSchema,
	optionalAddressSchema,
	shownTextSchema,
} from './wire';

/**
 * `docs/protocol/backbone-api.md` 6. The creator is null if the challenge was
 * created without an access token.
 */
export const wireChallengeSchema = z.object({
	id: idSchema('CHL'),
	expiresAt: instantSchema,
	createdBy: optionalAddressSchema,
	createdByDevice: shownTextSchema,
});
export type WireChallenge = z.infer<typeof wireChallengeSchema>;

export const signedChallengeSchema = z.object({
	/** JSON text whose bytes are signed */
	challenge: z.string(),
	/** base64url of the JSON form of the signature */
	signature: bytesSchema(1),
});
