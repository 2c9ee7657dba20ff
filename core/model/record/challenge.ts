import * as z from 'zod';
import { relationshipDtoSchema } from './relationship';

/**
 * Signed challenge. A peer validates it as a whole, or `challengeString` and `signature`
 * (docs/protocol/http-api.md 7.1).
 */
export const challengeDtoSchema = z.object({
	id: z.string(),
	expiresAt: z.string(),
	createdBy: z.string(),
	createdByDevice: z.string(),
	type: z.enum(['Identity', 'Device', 'Relationship']),
	/** base64url of the signature's JSON */
	signature: z.string(),
	/** signed JSON text */
	challengeString: z.string(),
});
export type ChallengeDto = z.infer<typeof challengeDtoSchema>;

export const challengeVerdictDtoSchema = z.object({
	isValid: z.boolean(),
	/** relationship with the creator; present for a valid challenge only */
	correspondingRelationship: relationshipDtoSchema.optional(),
});
export type ChallengeVerdictDto = z.infer<typeof challengeVerdictDtoSchema>;
