import type { Cancellable } from '../base/abort';
import type { ChallengeDto, ChallengeVerdictDto } from '../model/record/challenge';

export interface ChallengeUseCases {
	/** `challengeType`: Identity, Device, or Relationship with the id as `relationship`. */
	create(input: unknown, options?: Cancellable): Promise<ChallengeDto>;
	/** `challengeString` and `signature` of a peer (crypto-and-identity 10). */
	validate(input: unknown, options?: Cancellable): Promise<ChallengeVerdictDto>;
}
