import * as z from 'zod';
import { judgedLater } from './schemas';

/** Challenge to create; `relationship` is the id of an active one. */
export type CreateChallengeInput =
	| {
			/** key that signs */
			readonly challengeType: 'Identity' | 'Device';
			/** never set */
			readonly relationship?: undefined;
	  }
	| {
			/** the own key of a relationship signs */
			readonly challengeType: 'Relationship';
			/** id of an active relationship */
			readonly relationship: string;
	  };

/** Rejects other members; invalid values of these members have an error code of their own. */
export const createChallengeInputSchema = z.strictObject({
	challengeType: judgedLater<CreateChallengeInput['challengeType']>().optional(),
	relationship: judgedLater<string>().optional(),
});

export const validateChallengeInputSchema = z.strictObject({
	/** signed JSON text */
	challengeString: z.string().min(1).max(2_000),
	/** base64url of the signature's JSON */
	signature: z.string().min(1).max(2_000),
});
/** Challenge of a peer, as it signed it. */
export type ValidateChallengeInput = z.input<typeof validateChallengeInputSchema>;
