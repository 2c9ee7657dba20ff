import * as z from 'zod';
import {
	bytesSchema,
	idSchema,
	instantSchema,
	optionalAddressSchema,
	shownTextSchema,
} from './wire';

/** `docs/protocol/backbone-api.md` 6. The creator is null when asked for without a token. */
export const wireChallengeSchema = z.object({
	id: idSchema('CHL'),
	expiresAt: instantSchema,
	createdBy: optionalAddressSchema,
	createdByDevice: shownTextSchema,
});
export type WireChallenge = z.infer<typeof wireChallengeSchema>;

export const signedChallengeSchema = z.object({
	/** the signed JSON text itself */
	challenge: z.string(),
	/** base64url of the JSON form of the signature */
	signature: bytesSchema(1),
});
