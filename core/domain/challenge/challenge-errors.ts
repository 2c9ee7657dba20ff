import { general } from '../../base/error-definitions';
import { defineErrors } from '../../base/errors';

/** Coded errors of challenges (docs/protocol/transport.md 10, 18; http-api.md 8.5). */
export const challengeErrors = defineErrors({
	/** reports an invalid type of challenge, or a missing relationship, which one type requires */
	invalidPayload: {
		code: 'error.runtime.validation.invalidPayload',
		kind: 'invalid',
		meaning: 'The type of the challenge or its relationship is missing or not valid.',
		remedy:
			"Give 'challengeType' as Identity, Device or Relationship, and with the last the ID of the relationship.",
	},
	relationshipNotFound: {
		...general.recordNotFound,
		remedy: 'Check the relationship ID; choose it from the list or run a sync first.',
	},
	requiresActiveRelationship: {
		code: 'error.transport.challenges.challengeTypeRequiresActiveRelationship',
		kind: 'conflict',
		meaning: 'A challenge for a relationship was requested, and the relationship is not active.',
		remedy: 'Wait until the relationship is active, or use a challenge of the type Identity.',
	},
	/** covers own challenges as well: an identity has no relationship with itself */
	noActiveRelationship: {
		...general.neededRecordNotFound,
		remedy: 'Only challenges of peers with an active relationship can be validated.',
	},
	notSupported: {
		code: 'error.runtime.notSupported',
		kind: 'invalid',
		meaning: 'Challenges of the type Device cannot be validated.',
		remedy: 'Ask the peer for a challenge of the type Identity or Relationship.',
	},
	otherChallenge: general.unexpectedAnswer,
});
