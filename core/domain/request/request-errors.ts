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
	unknownRequest: {
		code: 'error.transport.recordNotFound',
		kind: 'notFound',
		remedy: 'Check the request ID; choose it from the list.',
	},
	unknownAttribute: {
		code: 'error.transport.recordNotFound',
		kind: 'notFound',
		remedy: 'Choose an attribute of this account.',
	},
	invalidContent: {
		code: 'error.runtime.requestDeserialization',
		kind: 'invalid',
		remedy: 'Correct the named member of the input.',
	},
	noList: {
		code: 'error.runtime.servalError',
		kind: 'invalid',
		remedy: 'Give a list of decisions, one for each item of the request.',
	},
	wrongStatus: {
		code: 'error.runtime.unknown',
		kind: 'conflict',
		remedy: 'Read the request again; its status tells what can be done with it.',
	},
	invalidDecision: {
		code: 'error.runtime.unknown',
		kind: 'invalid',
		remedy: "Use 'Check answer' with the same decisions: it names the items that are not in order.",
	},
	duplicateId: {
		code: 'error.consumption.requests.cannotCreateRequestWithDuplicateId',
		kind: 'conflict',
		remedy: 'The peer has to send the request with an ID that is new.',
	},
	notExpired: {
		code: 'error.consumption.requests.canOnlyDeleteIncomingRequestThatIsExpired',
		kind: 'conflict',
		remedy: 'Decide about the request, or wait until it expires.',
	},
	invalidAcceptParameters: {
		code: 'error.consumption.requests.invalidAcceptParameters',
		kind: 'invalid',
		remedy: 'Answer the item with what it asks for.',
	},
	invalidNumberOfItems: {
		code: 'error.consumption.requests.decide.validation.invalidNumberOfItems',
		kind: 'invalid',
		remedy: 'Give one decision for each item, and a list of decisions for each group.',
	},
	itemAcceptedButRequestNotAccepted: {
		code: 'error.consumption.requests.decide.validation.itemAcceptedButRequestNotAccepted',
		kind: 'invalid',
		remedy: 'Reject every item of a request that is rejected.',
	},
	mustBeAcceptedItemNotAccepted: {
		code: 'error.consumption.requests.decide.validation.mustBeAcceptedItemNotAccepted',
		kind: 'invalid',
		remedy: 'Accept every item that must be accepted, or reject the request.',
	},
	itemAnsweredAsGroup: {
		code: 'error.consumption.requests.decide.validation.requestItemAnsweredAsRequestItemGroup',
		kind: 'invalid',
		remedy: 'Give one decision for the item, not a list.',
	},
	groupAnsweredAsItem: {
		code: 'error.consumption.requests.decide.validation.requestItemGroupAnsweredAsRequestItem',
		kind: 'invalid',
		remedy: 'Give a list of decisions for the items of the group.',
	},
	malformedParameters: {
		code: 'error.consumption.requests.servalErrorDuringRequestItemProcessing',
		kind: 'invalid',
		remedy: 'Correct the named part of the decision.',
	},
	unexpectedDuringItem: {
		code: 'error.consumption.requests.unexpectedErrorDuringRequestItemProcessing',
		kind: 'invalid',
		remedy: 'This item cannot be accepted as it is.',
	},
	configMismatch: {
		code: 'error.runtime.decide.requestConfigDoesNotMatchResponseConfig',
		kind: 'invalid',
		remedy: 'Give the response what the type of item that the rule names needs.',
	},
	notInvited: {
		code: 'error.runtime.relationships.noAcceptedIncomingRequest',
		kind: 'conflict',
		remedy: 'Accept the request of the template; that creates the relationship.',
	},
	otherResponse: {
		code: 'error.runtime.relationships.wrongResponseProvidedAsCreationContent',
		kind: 'invalid',
		remedy: 'Give the response of the accepted request unchanged.',
	},
	invalidRequestMessage: {
		code: 'error.runtime.validation.invalidPropertyValue',
		kind: 'invalid',
		remedy: 'Create the request, and send its content unchanged to its peer alone.',
	},
	sendingExpired: {
		code: 'error.runtime.messages.cannotSendMessageWithExpiredRequest',
		kind: 'conflict',
		remedy: 'Create a new request; this one has expired.',
	},
	alreadySent: {
		code: 'error.runtime.messages.cannotSendRequestThatWasAlreadySent',
		kind: 'conflict',
		remedy: 'Create a new request to ask again.',
	},
	sendingUnderWay: {
		code: 'error.gateway.messages.outcomeUnknown',
		kind: 'unavailable',
		remedy: 'Whether the request was sent is found out at the next sync.',
	},
	notUnderstoodByPeer: {
		code: 'error.gateway.requests.notUnderstoodByPeer',
		kind: 'invalid',
		remedy:
			'Leave out what is named, or use another kind of item: the wallet of the peer is of another version.',
	},
});
