import { general } from '../../base/error-definitions';
import { defineErrors } from '../../base/errors';

/** Coded errors of requests (docs/protocol/consumption.md 14). */
export const requestErrors = defineErrors({
	notFound: {
		...general.recordNotFound,
		remedy: 'Check the request ID; choose it from the list.',
	},
	expiresAfterTemplate: {
		code: 'error.runtime.relationshipTemplates.requestCannotExpireAfterRelationshipTemplate',
		kind: 'invalid',
		meaning: 'The request in the template expires later than the template.',
		remedy: 'Let the request expire with the template or earlier, or leave its expiry empty.',
	},
	withYourself: {
		code: 'error.consumption.requests.cannotShareRequestWithYourself',
		kind: 'invalid',
		meaning: 'The peer of the request is this identity itself.',
		remedy: 'Name another identity as the peer.',
	},
	expired: {
		code: 'error.consumption.requests.cannotCreateRequestWithExpirationDateInPast',
		kind: 'invalid',
		meaning: 'The request has expired, or its expiry lies in the past.',
		remedy: "Set 'expiresAt' to a time in the future, or leave it empty.",
	},
	missingRelationship: {
		code: 'error.consumption.requests.missingRelationship',
		kind: 'conflict',
		meaning: 'This account has no relationship with the peer of the request.',
		remedy: 'Establish a relationship with the peer first.',
	},
	wrongRelationshipStatus: {
		code: 'error.consumption.requests.wrongRelationshipStatus',
		kind: 'conflict',
		meaning: 'The status of the relationship does not allow requests.',
		remedy: 'The relationship with the peer must be pending or active.',
	},
	peerIsInDeletion: {
		code: 'error.consumption.requests.peerIsInDeletion',
		kind: 'conflict',
		meaning: 'The peer of the request is deleting its identity.',
		remedy: 'The peer is deleting its identity.',
	},
	peerIsDeleted: {
		code: 'error.consumption.requests.peerIsDeleted',
		kind: 'conflict',
		meaning: 'The peer of the request has deleted its identity.',
		remedy: 'The peer deleted its identity.',
	},
	invalidItem: {
		code: 'error.consumption.requests.invalidRequestItem',
		kind: 'invalid',
		meaning: 'An item of the request is not valid. The message says why.',
		remedy: 'Correct the named item of the request.',
	},
	inheritedFromItem: {
		code: 'error.consumption.validation.inheritedFromItem',
		kind: 'invalid',
		meaning: 'An item inside a request or a group is not valid.',
		remedy: 'Look at the items inside; at least one of them is not valid.',
	},
	violatedKeyUniqueness: {
		code: 'error.consumption.requests.violatedKeyUniquenessOfRelationshipAttributes',
		kind: 'invalid',
		meaning: 'The request asks for the same relationship attribute twice.',
		remedy: 'Ask for each relationship attribute (owner, key and value type) only once.',
	},
	pendingRelationshipAttribute: {
		code: 'error.consumption.requests.cannotShareRelationshipAttributeOfPendingRelationship',
		kind: 'conflict',
		meaning: 'The attribute belongs to a relationship that is not active yet.',
		remedy: 'Wait until the relationship that the attribute belongs to is accepted.',
	},
	attributeQueryMismatch: {
		code: 'error.consumption.requests.attributeQueryMismatch',
		kind: 'invalid',
		meaning: 'The attribute does not match the query.',
		remedy: 'Choose an attribute that matches the query.',
	},
	responseMismatch: {
		code: 'error.gateway.requests.responseMismatch',
		kind: 'invalid',
		meaning: 'The answer of the peer does not fit the request.',
		remedy: 'The answer of the peer does not match the question; treat its data with care.',
	},
	answeredAlready: {
		code: 'error.gateway.requests.answeredAlready',
		kind: 'conflict',
		meaning: 'The peer has answered the request or template before. The first answer counts.',
		remedy: 'Ask again with a new request or template if the answer may change.',
	},
	answerFromOther: {
		code: 'error.gateway.requests.answerFromOther',
		kind: 'forbidden',
		meaning: 'An identity answered a request or template that was meant for another identity.',
		remedy: 'Nothing is to be done; the answer does not count.',
	},
	templateDeleted: {
		code: 'error.gateway.requests.templateDeleted',
		kind: 'conflict',
		meaning: 'The template had been deleted when the peer answered it.',
		remedy: 'Create a new template to ask again.',
	},
	templateUsedUp: {
		code: 'error.gateway.requests.templateUsedUp',
		kind: 'conflict',
		meaning: 'As many people have answered the template as it allows.',
		remedy: 'Create a template for more people, or one for each person.',
	},
	unprovenAnswer: {
		code: 'error.gateway.requests.unprovenAnswer',
		kind: 'forbidden',
		meaning:
			'A connected peer answered a template with a password or PIN. The answer came by message, which cannot prove that its sender knows the password.',
		remedy:
			"If connected people may answer all the same, create the template with 'Accept Unproven Answers' (acceptUnprovenAnswers).",
	},
	answerToLostRequest: {
		code: 'error.gateway.requests.answerToLostRequest',
		kind: 'notFound',
		meaning:
			'A person has answered a request that this copy of the account does not know, because it was sent after the backup that was restored.',
		remedy:
			'The answer is kept: read the message that the problem names, or ask the person again. It is applied by itself when the request is found at the Backbone. Then discard the problem.',
	},
	unknownRequest: {
		...general.neededRecordNotFound,
		remedy: 'Check the request ID; choose it from the list.',
	},
	unknownAttribute: {
		...general.neededRecordNotFound,
		remedy: 'Choose an attribute of this account.',
	},
	invalidContent: {
		...general.unreadableContent,
		remedy: 'Correct the named member of the input.',
	},
	noList: {
		...general.servalError,
		remedy: 'Give a list of decisions, one for each item of the request.',
	},
	wrongStatus: {
		...general.unknown,
		kind: 'conflict',
		remedy: 'Read the request again; its status shows what is still possible.',
	},
	invalidDecision: {
		...general.unknown,
		remedy:
			"Use 'Check answer' with the same decisions: it names the items whose decisions are not valid.",
	},
	duplicateId: {
		code: 'error.consumption.requests.cannotCreateRequestWithDuplicateId',
		kind: 'conflict',
		meaning: 'A peer sent a request with an ID that is in use already.',
		remedy: 'The peer has to send the request with an ID that is new.',
	},
	notExpired: {
		code: 'error.consumption.requests.canOnlyDeleteIncomingRequestThatIsExpired',
		kind: 'conflict',
		meaning: 'The request of the peer has not expired, so it cannot be deleted.',
		remedy: 'Decide about the request, or wait until it expires.',
	},
	invalidAcceptParameters: {
		code: 'error.consumption.requests.invalidAcceptParameters',
		kind: 'invalid',
		meaning: 'The answer to an item does not fit the item. The message says why.',
		remedy: 'Answer the item with what it asks for.',
	},
	invalidNumberOfItems: {
		code: 'error.consumption.requests.decide.validation.invalidNumberOfItems',
		kind: 'invalid',
		meaning: 'The number of decisions differs from the number of items.',
		remedy: 'Give one decision for each item, and a list of decisions for each group.',
	},
	itemAcceptedButRequestNotAccepted: {
		code: 'error.consumption.requests.decide.validation.itemAcceptedButRequestNotAccepted',
		kind: 'invalid',
		meaning: 'An item was accepted although the request is rejected.',
		remedy: 'Reject every item of a request that is rejected.',
	},
	mustBeAcceptedItemNotAccepted: {
		code: 'error.consumption.requests.decide.validation.mustBeAcceptedItemNotAccepted',
		kind: 'invalid',
		meaning: 'The request is accepted without an item that must be accepted.',
		remedy: 'Accept every item that must be accepted, or reject the request.',
	},
	itemAnsweredAsGroup: {
		code: 'error.consumption.requests.decide.validation.requestItemAnsweredAsRequestItemGroup',
		kind: 'invalid',
		meaning: 'A single item was answered like a group.',
		remedy: 'Give one decision for the item, not a list.',
	},
	groupAnsweredAsItem: {
		code: 'error.consumption.requests.decide.validation.requestItemGroupAnsweredAsRequestItem',
		kind: 'invalid',
		meaning: 'A group was answered like a single item.',
		remedy: 'Give a list of decisions for the items of the group.',
	},
	malformedParameters: {
		code: 'error.consumption.requests.servalErrorDuringRequestItemProcessing',
		kind: 'invalid',
		meaning: 'The decision about an item does not have the expected form.',
		remedy: 'Correct the named part of the decision.',
	},
	unexpectedDuringItem: {
		code: 'error.consumption.requests.unexpectedErrorDuringRequestItemProcessing',
		kind: 'invalid',
		meaning: 'An item cannot be processed. The message says why.',
		remedy: 'This item cannot be accepted as it is.',
	},
	configMismatch: {
		code: 'error.runtime.decide.requestConfigDoesNotMatchResponseConfig',
		kind: 'invalid',
		meaning: 'The response of an automation rule does not fit the items that the rule names.',
		remedy:
			'Complete the response of the rule with the members that the item type of the rule requires.',
	},
	keyOfOtherVersion: {
		...general.invalidConfiguration,
		remedy: 'Leave the key or the rule out, or name the items by other keys.',
	},
	notInvited: {
		code: 'error.runtime.relationships.noAcceptedIncomingRequest',
		kind: 'conflict',
		meaning: 'The template holds a request that was not accepted.',
		remedy: 'Accept the request of the template; that creates the relationship.',
	},
	otherResponse: {
		code: 'error.runtime.relationships.wrongResponseProvidedAsCreationContent',
		kind: 'invalid',
		meaning: 'The creation content differs from the response to the accepted request.',
		remedy: 'Give the response of the accepted request unchanged.',
	},
	invalidRequestMessage: {
		...general.invalidPropertyValue,
		remedy: 'Create the request, and send its content unchanged to its peer alone.',
	},
	sendingExpired: {
		code: 'error.runtime.messages.cannotSendMessageWithExpiredRequest',
		kind: 'conflict',
		meaning: 'The request in the message expired.',
		remedy: 'Create a new request; this one has expired.',
	},
	alreadySent: {
		code: 'error.runtime.messages.cannotSendRequestThatWasAlreadySent',
		kind: 'conflict',
		meaning: 'The request in the message was sent already.',
		remedy: 'Create a new request to ask again.',
	},
	sendingUnderWay: {
		...general.outcomeUnknown,
		remedy: 'Syncs find out within minutes whether the request was sent.',
	},
	unknownAttributeTypes: {
		code: 'error.gateway.requests.unknownAttributeTypes',
		kind: 'invalid',
		meaning: 'A text asks for attribute types that do not exist. The message names similar ones.',
		remedy: "Use types such as GivenName or EMailAddress, or the labels of the field 'Type'.",
	},
	notUnderstoodByPeer: {
		code: 'error.gateway.requests.notUnderstoodByPeer',
		kind: 'invalid',
		meaning: 'The wallet of the peer does not support a part of the request or answer.',
		remedy:
			'Leave out the named part, or use another kind of item: the wallet of the peer has another version.',
	},
});
