import type { Cancellable } from '../base/abort';
import type { CreateChallengeInput, ValidateChallengeInput } from '../model/input/challenge';
import type { ChallengeDto, ChallengeVerdictDto } from '../model/record/challenge';

/** Challenges by which this identity proves to a peer who it is, and the reverse. */
export interface ChallengeUseCases {
	/** `challengeType`: Identity, Device, or Relationship with the id as `relationship`. */
	create(input: CreateChallengeInput, options?: Cancellable): Promise<ChallengeDto>;
	/** `challengeString` and `signature` of a peer (crypto-and-identity 10). */
	validate(input: ValidateChallengeInput, options?: Cancellable): Promise<ChallengeVerdictDto>;
}

export type { CreateChallengeInput, ValidateChallengeInput } from '../model/input/challenge';
