import * as z from 'zod';
import { relationshipDtoSchema } from './relationship';

/**
 * Signed challenge. A peer validates it as a whole, or `challengeString` and `signature`
 * (docs/protocol/http-api.md 7.1).
 */
export const challengeDtoSchema = z.object({
	/** id at the Backbone */
	id: z.string(),
	/** ISO time, ten minutes after the creation */
	expiresAt: z.string(),
	/** address of the identity that proves itself */
	createdBy: z.string(),
	/** id of the device that asked for the challenge */
	createdByDevice: z.string(),
	/** key that signed: of the identity, the device, or a relationship */
	type: z.enum(['Identity', 'Device', 'Relationship']),
	/** base64url of the signature's JSON */
	signature: z.string(),
	/** signed JSON text */
	challengeString: z.string(),
});
/** Signed challenge, which proves to a peer who its creator is. */
export type ChallengeDto = z.infer<typeof challengeDtoSchema>;

export const challengeVerdictDtoSchema = z.object({
	/** true if the signature fits and the Backbone knows the challenge */
	isValid: z.boolean(),
	/** relationship with the creator; present for a valid challenge only */
	correspondingRelationship: relationshipDtoSchema.optional(),
});
/** Verdict on the challenge of a peer. */
export type ChallengeVerdictDto = z.infer<typeof challengeVerdictDtoSchema>;
