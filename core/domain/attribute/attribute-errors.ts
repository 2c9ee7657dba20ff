import { defineErrors } from '../../base/errors';

/** Coded errors of attributes (docs/protocol/consumption.md 8, 14). */
export const attributeErrors = defineErrors({
	notFound: {
		code: 'error.runtime.recordNotFound',
		kind: 'notFound',
		remedy: 'Check the attribute ID; choose it from the list.',
	},
	transportRecordNotFound: {
		code: 'error.transport.recordNotFound',
		kind: 'notFound',
		remedy: 'Check the attribute ID; choose it from the list.',
	},
	invalidInput: {
		code: 'error.runtime.validation.invalidPropertyValue',
		kind: 'invalid',
		remedy: 'Correct the named field.',
	},
	duplicate: {
		code: 'error.runtime.attributes.cannotCreateDuplicateRepositoryAttribute',
		kind: 'conflict',
		remedy: 'Use the attribute that exists already.',
	},
	wrongOwner: {
		code: 'error.consumption.attributes.wrongOwnerOfRepositoryAttribute',
		kind: 'invalid',
		remedy: 'Give our own address as the owner.',
	},
	isNotRepositoryAttribute: {
		code: 'error.runtime.attributes.isNotRepositoryAttribute',
		kind: 'invalid',
		remedy: 'Choose an own attribute that is no shared copy.',
	},
	isNotOwnSharedAttribute: {
		code: 'error.runtime.attributes.isNotOwnSharedAttribute',
		kind: 'invalid',
		remedy: 'Choose an attribute of our own that is shared with a peer.',
	},
	isNotPeerSharedAttribute: {
		code: 'error.runtime.attributes.isNotPeerSharedAttribute',
		kind: 'invalid',
		remedy: 'Choose an attribute that a peer has shared of its own.',
	},
	isNotThirdPartyRelationshipAttribute: {
		code: 'error.runtime.attributes.isNotThirdPartyRelationshipAttribute',
		kind: 'invalid',
		remedy: 'Choose a relationship attribute of another relationship.',
	},
	cannotDeleteChild: {
		code: 'error.runtime.attributes.cannotSeparatelyDeleteChildOfComplexAttribute',
		kind: 'invalid',
		remedy: 'Delete the attribute that this one is a part of.',
	},
	pendingRelationship: {
		code: 'error.runtime.attributes.cannotDeleteSharedAttributeWhileRelationshipIsPending',
		kind: 'conflict',
		remedy: 'Wait until the relationship was accepted or rejected.',
	},
	hasSuccessor: {
		code: 'error.runtime.attributes.hasSuccessor',
		kind: 'conflict',
		remedy: 'Choose the newest version of the attribute.',
	},
	defaultsAreOff: {
		code: 'error.runtime.attributes.setDefaultRepositoryAttributesIsDisabled',
		kind: 'conflict',
		remedy: 'Switch default attributes on in the configuration of the gateway.',
	},
	notSharedBefore: {
		code: 'error.runtime.attributes.noPreviousVersionOfRepositoryAttributeHasBeenSharedWithPeerBefore',
		kind: 'conflict',
		remedy: 'Share the attribute with the peer instead.',
	},
	alreadyShared: {
		code: 'error.runtime.attributes.repositoryAttributeHasAlreadyBeenSharedWithPeer',
		kind: 'conflict',
		remedy: 'Nothing has to be done: the peer has this version.',
	},
	sharedCopyIsDeleted: {
		code: 'error.runtime.attributes.cannotSucceedAttributesWithDeletionInfo',
		kind: 'conflict',
		remedy: 'The peer has deleted its copy, or is about to; share the attribute again.',
	},
	deletionInfoOfRepository: {
		code: 'error.consumption.attributes.cannotSetDeletionInfoOfRepositoryAttributes',
		kind: 'invalid',
		remedy: 'Only attributes that are shared can be marked as deleted on one side.',
	},
	invalidDeletionInfoOfOwnShared: {
		code: 'error.consumption.attributes.invalidDeletionInfoOfOwnSharedAttribute',
		kind: 'invalid',
		remedy: 'An attribute of our own can only be deleted by its peer.',
	},
	invalidDeletionInfoOfPeerShared: {
		code: 'error.consumption.attributes.invalidDeletionInfoOfPeerSharedAttribute',
		kind: 'invalid',
		remedy: 'An attribute of a peer can only be deleted by its owner, or by us.',
	},
	invalidDeletionInfoOfThirdParty: {
		code: 'error.consumption.attributes.invalidDeletionInfoOfThirdPartyRelationshipAttribute',
		kind: 'invalid',
		remedy: 'An attribute of a third party can only be deleted by the peer it was shared with.',
	},
	successorIsMissing: {
		code: 'error.consumption.attributes.successorDoesNotExist',
		kind: 'internal',
		remedy: 'The chain of versions is damaged; restore a backup of the account.',
	},
});
