import { defineErrors } from '../../base/errors';

/** Coded errors of requests (docs/protocol/consumption.md 14). */
export const requestErrors = defineErrors({
	notFound: {
		code: 'error.runtime.recordNotFound',
		kind: 'notFound',
		remedy: 'Check the request ID; choose it from the list.',
	},
	invalidInput: {
		code: 'error.runtime.validation.invalidPropertyValue',
		kind: 'invalid',
		remedy: 'Correct the named field.',
	},
	expiresAfterTemplate: {
		code: 'error.runtime.relationshipTemplates.requestCannotExpireAfterRelationshipTemplate',
		kind: 'invalid',
		remedy: 'Let the request expire with the template or earlier, or leave its expiry empty.',
	},
	withYourself: {
		code: 'error.consumption.requests.cannotShareRequestWithYourself',
		kind: 'invalid',
		remedy: 'Name another identity as the peer.',
	},
	expired: {
		code: 'error.consumption.requests.cannotCreateRequestWithExpirationDateInPast',
		kind: 'invalid',
		remedy: "Set 'expiresAt' to a time in the future, or leave it empty.",
	},
	missingRelationship: {
		code: 'error.consumption.requests.missingRelationship',
		kind: 'conflict',
		remedy: 'Establish a relationship with the peer first.',
	},
	wrongRelationshipStatus: {
		code: 'error.consumption.requests.wrongRelationshipStatus',
		kind: 'conflict',
		remedy: 'The relationship with the peer must be pending or active.',
	},
	peerIsInDeletion: {
		code: 'error.consumption.requests.peerIsInDeletion',
		kind: 'conflict',
		remedy: 'The peer is deleting its identity.',
	},
	peerIsDeleted: {
		code: 'error.consumption.requests.peerIsDeleted',
		kind: 'conflict',
		remedy: 'The peer deleted its identity.',
	},
	invalidItem: {
		code: 'error.consumption.requests.invalidRequestItem',
		kind: 'invalid',
		remedy: 'Correct the named item of the request.',
	},
	inheritedFromItem: {
		code: 'error.consumption.validation.inheritedFromItem',
		kind: 'invalid',
		remedy: 'Look at the items inside; at least one of them is not valid.',
	},
	violatedKeyUniqueness: {
		code: 'error.consumption.requests.violatedKeyUniquenessOfRelationshipAttributes',
		kind: 'invalid',
		remedy: 'Ask for each relationship attribute (owner, key and value type) only once.',
	},
	pendingRelationshipAttribute: {
		code: 'error.consumption.requests.cannotShareRelationshipAttributeOfPendingRelationship',
		kind: 'conflict',
		remedy: 'Wait until the relationship that the attribute belongs to is accepted.',
	},
	attributeQueryMismatch: {
		code: 'error.consumption.requests.attributeQueryMismatch',
		kind: 'invalid',
		remedy: 'The attribute must fit the query that asked for it.',
	},
	responseMismatch: {
		code: 'error.gateway.requests.responseMismatch',
		kind: 'invalid',
		remedy: 'The peer answered with something else than was asked; treat its data with care.',
	},
	notSupportedYet: {
		code: 'error.gateway.notSupportedYet',
		kind: 'invalid',
		remedy:
			'Use ReadAttributeRequestItem or ShareAttributeRequestItem; others come with a later version.',
	},
});
