import { general } from '../../base/error-definitions';
import { defineErrors } from '../../base/errors';

/** Coded errors of attributes (docs/protocol/consumption.md 8, 14). */
export const attributeErrors = defineErrors({
	notFound: {
		...general.recordNotFound,
		remedy: 'Check the attribute ID; choose it from the list.',
	},
	transportRecordNotFound: {
		...general.neededRecordNotFound,
		remedy: 'Check the attribute ID; choose it from the list.',
	},
	duplicate: {
		code: 'error.runtime.attributes.cannotCreateDuplicateRepositoryAttribute',
		kind: 'conflict',
		meaning: 'This account has an attribute with the same value already.',
		remedy: 'Use the attribute that exists already.',
	},
	wrongOwner: {
		code: 'error.consumption.attributes.wrongOwnerOfRepositoryAttribute',
		kind: 'invalid',
		meaning: 'The new attribute names another identity as its owner.',
		remedy: 'Enter the own address as the owner.',
	},
	isNotRepositoryAttribute: {
		code: 'error.runtime.attributes.isNotRepositoryAttribute',
		kind: 'invalid',
		meaning: 'The attribute is a shared copy, or belongs to a peer.',
		remedy: 'Choose an own attribute that is not a shared copy.',
	},
	isNotOwnSharedAttribute: {
		code: 'error.runtime.attributes.isNotOwnSharedAttribute',
		kind: 'invalid',
		meaning: 'The attribute is not an own attribute that is shared with a peer.',
		remedy: 'Choose an own attribute that is shared with a peer.',
	},
	isNotPeerSharedAttribute: {
		code: 'error.runtime.attributes.isNotPeerSharedAttribute',
		kind: 'invalid',
		meaning: 'The attribute was not shared by a peer that owns it.',
		remedy: 'Choose an attribute that its owner, a peer, has shared.',
	},
	isNotThirdPartyRelationshipAttribute: {
		code: 'error.runtime.attributes.isNotThirdPartyRelationshipAttribute',
		kind: 'invalid',
		meaning: 'The attribute is not a relationship attribute of another relationship.',
		remedy: 'Choose a relationship attribute of another relationship.',
	},
	cannotDeleteChild: {
		code: 'error.runtime.attributes.cannotSeparatelyDeleteChildOfComplexAttribute',
		kind: 'invalid',
		meaning: 'The attribute is a part of another attribute and cannot be deleted alone.',
		remedy: 'Delete the composite attribute; its parts are deleted with it.',
	},
	pendingRelationship: {
		code: 'error.runtime.attributes.cannotDeleteSharedAttributeWhileRelationshipIsPending',
		kind: 'conflict',
		meaning: 'The attribute is shared in a relationship that is pending.',
		remedy: 'Wait until the relationship was accepted or rejected.',
	},
	hasSuccessor: {
		code: 'error.runtime.attributes.hasSuccessor',
		kind: 'conflict',
		meaning: 'The attribute is an old version: it has a newer one.',
		remedy: 'Choose the newest version of the attribute.',
	},
	defaultsAreOff: {
		code: 'error.runtime.attributes.setDefaultRepositoryAttributesIsDisabled',
		kind: 'conflict',
		meaning: 'Default attributes are switched off in this gateway.',
		remedy: 'Switch default attributes on in the configuration of the gateway.',
	},
	notSharedBefore: {
		code: 'error.runtime.attributes.noPreviousVersionOfRepositoryAttributeHasBeenSharedWithPeerBefore',
		kind: 'conflict',
		meaning:
			'The peer cannot be notified of a new version, because it has no earlier version of the attribute.',
		remedy: 'Share the attribute with the peer instead.',
	},
	alreadyShared: {
		code: 'error.runtime.attributes.repositoryAttributeHasAlreadyBeenSharedWithPeer',
		kind: 'conflict',
		meaning: 'The peer has this version of the attribute already.',
		remedy: 'Nothing needs to be done: the peer has this version.',
	},
	sharedCopyIsDeleted: {
		code: 'error.runtime.attributes.cannotSucceedAttributesWithDeletionInfo',
		kind: 'conflict',
		meaning:
			'The peer cannot be notified of a new version, because its copy is deleted or will be.',
		remedy: 'The peer has deleted its copy, or is about to; share the attribute again.',
	},
	deletionInfoOfRepository: {
		code: 'error.consumption.attributes.cannotSetDeletionInfoOfRepositoryAttributes',
		kind: 'invalid',
		meaning: 'A deletion was recorded for an attribute that is not shared.',
		remedy: 'Only attributes that are shared can be marked as deleted on one side.',
	},
	invalidDeletionInfoOfOwnShared: {
		code: 'error.consumption.attributes.invalidDeletionInfoOfOwnSharedAttribute',
		kind: 'invalid',
		meaning: 'The recorded deletion does not fit an own attribute that is shared with a peer.',
		remedy: 'A copy of an own attribute can only be deleted by the peer that holds it.',
	},
	invalidDeletionInfoOfPeerShared: {
		code: 'error.consumption.attributes.invalidDeletionInfoOfPeerSharedAttribute',
		kind: 'invalid',
		meaning: 'The recorded deletion does not fit an attribute that a peer has shared.',
		remedy: 'An attribute of a peer can only be deleted by its owner or by this account.',
	},
	invalidDeletionInfoOfThirdParty: {
		code: 'error.consumption.attributes.invalidDeletionInfoOfThirdPartyRelationshipAttribute',
		kind: 'invalid',
		meaning: 'The recorded deletion does not fit a relationship attribute of another relationship.',
		remedy: 'An attribute of a third party can only be deleted by the peer it was shared with.',
	},
	successorIsMissing: {
		code: 'error.consumption.attributes.successorDoesNotExist',
		kind: 'conflict',
		meaning: 'An attribute names a newer version that is not stored.',
		remedy: 'The chain of versions is damaged; restore a backup of the account.',
	},
});
