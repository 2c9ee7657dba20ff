import { general } from '../../base/error-definitions';
import { defineErrors } from '../../base/errors';

/** Coded errors of relationships (docs/protocol/transport.md 6, 18.2). */
export const relationshipErrors = defineErrors({
	notFound: {
		...general.recordNotFound,
		remedy: 'Check the relationship ID; choose it from the list or run a sync first.',
	},
	wrongStatus: {
		code: 'error.transport.relationships.wrongRelationshipStatus',
		kind: 'conflict',
		meaning:
			'The status of the relationship does not allow this operation. The peer may have changed it meanwhile.',
		remedy: 'Run a sync and look at the status of the relationship before repeating the operation.',
	},
	onlyForPeer: {
		code: 'error.transport.relationships.operationOnlyAllowedForPeer',
		kind: 'forbidden',
		meaning: 'The operation belongs to the other side of the relationship.',
		remedy: 'Only the other side can do this; wait for it, or use the operation for the own side.',
	},
	reactivationNotRequested: {
		code: 'error.transport.relationships.reactivationNotRequested',
		kind: 'conflict',
		meaning: 'The reactivation of the relationship was not requested.',
		remedy: 'Request the reactivation first.',
	},
	reactivationAlreadyRequested: {
		code: 'error.transport.relationships.reactivationAlreadyRequested',
		kind: 'conflict',
		meaning: 'The reactivation of the relationship was requested already.',
		remedy: 'Answer the open reactivation request instead of making another one.',
	},
	currentlyExists: {
		code: 'error.transport.relationships.relationshipCurrentlyExists',
		kind: 'conflict',
		meaning: 'This account has a relationship with the peer already.',
		remedy: 'Use the existing relationship with this peer.',
	},
	templateExpired: {
		code: 'error.transport.relationships.relationshipTemplateIsExpired',
		kind: 'conflict',
		meaning: 'The template expired.',
		remedy: 'Ask the other side for a new template.',
	},
	notYetDecomposedByPeer: {
		code: 'error.transport.relationships.relationshipNotYetDecomposedByPeer',
		kind: 'conflict',
		meaning: 'The peer still holds a former relationship with this account.',
		remedy: 'Wait until the other side has decomposed the former relationship.',
	},
	ownerInDeletion: {
		code: 'error.transport.relationships.activeIdentityDeletionProcessOfOwnerOfRelationshipTemplate',
		kind: 'conflict',
		meaning: 'The owner of the template is deleting its identity.',
		remedy: 'The identity that made the template is being deleted; no relationship can begin.',
	},
	ownTemplate: {
		code: 'error.platform.validation.relationship.cannotCreateRelationshipWithYourself',
		kind: 'invalid',
		meaning: 'The template belongs to this account, and only others can use it.',
		remedy: 'Load the template of a peer by its reference, and use its ID.',
	},
	refusedByBackbone: {
		code: 'error.gateway.relationships.refusedByBackbone',
		kind: 'conflict',
		meaning: 'The Backbone does not allow a relationship with this peer.',
		remedy: 'The Backbone gives the reason; ask its operator if it is not clear.',
	},
	signatureNotValid: {
		...general.signatureNotValid,
		remedy: 'The data does not come from the identity that it names; do not trust the sender.',
	},
	unknownTemplate: {
		code: 'error.gateway.relationships.unknownTemplate',
		kind: 'notFound',
		meaning:
			'A person has connected by a template that this copy of the account does not have, because it was created after the backup that was restored.',
		remedy:
			'The relationship cannot be opened here. Decompose the relationship with the ID that the problem names: that ends it, and the person can connect anew by a new template.',
	},
	transportRecordNotFound: general.neededRecordNotFound,
});
