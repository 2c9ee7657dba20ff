import { defineErrors } from '../../base/errors';

/** Coded errors of challenges (docs/protocol/transport.md 10, 18; http-api.md 8.5). */
export const challengeErrors = defineErrors({
	/** the kind of challenge, and the relationship that one kind needs */
	invalidPayload: {
		code: 'error.runtime.validation.invalidPayload',
		kind: 'invalid',
		remedy:
			"Give 'challengeType' as Identity, Device or Relationship, and with the last the ID of the relationship.",
	},
	invalidInput: {
		code: 'error.runtime.validation.invalidPropertyValue',
		kind: 'invalid',
		remedy: 'Correct the named field.',
	},
	relationshipNotFound: {
		code: 'error.runtime.recordNotFound',
		kind: 'notFound',
		remedy: 'Check the relationship ID; choose it from the list or run a sync first.',
	},
	requiresActiveRelationship: {
		code: 'error.transport.challenges.challengeTypeRequiresActiveRelationship',
		kind: 'conflict',
		remedy: 'Wait until the relationship is active, or use a challenge of the type Identity.',
	},
	/** also our own challenges: nobody has a relationship with themselves */
	noActiveRelationship: {
		code: 'error.transport.recordNotFound',
		kind: 'notFound',
		remedy: 'Only challenges of peers with an active relationship can be validated.',
	},
	notSupported: {
		code: 'error.runtime.notSupported',
		kind: 'invalid',
		remedy: 'Ask the peer for a challenge of the type Identity or Relationship.',
	},
	otherChallenge: {
		code: 'error.gateway.backbone.unexpectedAnswer',
		kind: 'unavailable',
		remedy: 'The Backbone does not keep to the protocol; report it to its operator.',
	},
});
