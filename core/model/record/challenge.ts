import * as z from 'zod';
import { relationshipDtoSchema } from './relationship';

/** What a peer validates: hand over all of it, or `challengeString` and `signature` (http-api 7.1). */
export const challengeDtoSchema = z.object({
	id: z.string(),
	expiresAt: z.string(),
	createdBy: z.string(),
	createdByDevice: z.string(),
	type: z.enum(['Identity', 'Device', 'Relationship']),
	/** base64url of the signature's JSON */
	signature: z.string(),
	/** the JSON text that was signed */
	challengeString: z.string(),
});
export type ChallengeDto = z.infer<typeof challengeDtoSchema>;

export const challengeVerdictDtoSchema = z.object({
	isValid: z.boolean(),
	/** with its creator; only of a valid challenge */
	correspondingRelationship: relationshipDtoSchema.optional(),
});
export type ChallengeVerdictDto = z.infer<typeof challengeVerdictDtoSchema>;
