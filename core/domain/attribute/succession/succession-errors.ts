import { defineErrors } from '../../../base/errors';

const chooseNewest = 'Choose the newest version of the attribute.';
const keepTheSame = 'Change the value only; create a new attribute for anything else.';
const otherKind = 'Check the attribute ID; this kind of attribute is succeeded in another way.';
const syncAndCheck =
	'Run a sync and read the attribute again; what is stored here and at the peer differs.';

const code = <Name extends string>(name: Name) => `error.consumption.attributes.${name}` as const;

const conflict = <Name extends string>(name: Name, meaning: string, remedy: string) =>
	({ code: code(name), kind: 'conflict', meaning, remedy }) as const;

const invalid = <Name extends string>(name: Name, meaning: string, remedy: string) =>
	({ code: code(name), kind: 'invalid', meaning, remedy }) as const;

/** Reasons why an attribute cannot have this successor (docs/protocol/consumption.md 8.6). */
export const successionErrors = defineErrors({
	successorIsNotAValidAttribute: invalid(
		'successorIsNotAValidAttribute',
		'The new version is not a valid attribute.',
		'Correct the named member of the new content.',
	),
	successorMustNotYetExist: conflict(
		'successorMustNotYetExist',
		'The new version exists already.',
		syncAndCheck,
	),
	cannotSucceedChildOfComplexAttribute: invalid(
		'cannotSucceedChildOfComplexAttribute',
		'The attribute is a part of another attribute and gets no version of its own.',
		'Create a new version of the composite attribute instead.',
	),
	predecessorDoesNotExist: {
		code: code('predecessorDoesNotExist'),
		kind: 'notFound',
		meaning: 'The attribute to update does not exist.',
		remedy: 'Check the attribute ID; choose it from the list.',
	},
	cannotSucceedAttributesWithASuccessor: conflict(
		'cannotSucceedAttributesWithASuccessor',
		'The attribute is an old version: it has a newer one.',
		chooseNewest,
	),
	cannotSucceedAttributesWithDeletionInfo: conflict(
		'cannotSucceedAttributesWithDeletionInfo',
		'The attribute is deleted on one side or will be, so it gets no new version.',
		'The attribute is deleted on one side; share it again instead.',
	),
	successionMustChangeContent: invalid(
		'successionMustChangeContent',
		'The new version has the same content as the old one.',
		'Nothing needs to be done: the attribute has this content already.',
	),
	successionMustNotChangeOwner: invalid(
		'successionMustNotChangeOwner',
		'The new version has another owner.',
		keepTheSame,
	),
	successionMustNotChangeContentType: invalid(
		'successionMustNotChangeContentType',
		'The new version turns an identity attribute into a relationship attribute, or the other way round.',
		keepTheSame,
	),
	successionMustNotChangeValueType: invalid(
		'successionMustNotChangeValueType',
		'The new version has another type of value.',
		keepTheSame,
	),
	successionMustNotChangeKey: invalid(
		'successionMustNotChangeKey',
		'The new version has another key.',
		keepTheSame,
	),
	successionMustNotChangePeer: conflict(
		'successionMustNotChangePeer',
		'The new version is shared with another peer.',
		syncAndCheck,
	),
	successionMustNotChangeThirdParty: conflict(
		'successionMustNotChangeThirdParty',
		'The new version belongs to another third party.',
		syncAndCheck,
	),
	predecessorIsNotRepositoryAttribute: invalid(
		'predecessorIsNotRepositoryAttribute',
		'The attribute to update is a shared copy, or belongs to a peer.',
		otherKind,
	),
	successorIsNotRepositoryAttribute: invalid(
		'successorIsNotRepositoryAttribute',
		'The new version is a shared copy, or belongs to a peer.',
		otherKind,
	),
	predecessorIsNotOwnSharedIdentityAttribute: invalid(
		'predecessorIsNotOwnSharedIdentityAttribute',
		'The attribute to update is not an own identity attribute that is shared with a peer.',
		otherKind,
	),
	successorIsNotOwnSharedIdentityAttribute: invalid(
		'successorIsNotOwnSharedIdentityAttribute',
		'The new version is not an own identity attribute that is shared with a peer.',
		otherKind,
	),
	successorSourceAttributeIsNotSpecified: conflict(
		'successorSourceAttributeIsNotSpecified',
		'The new version of a shared copy does not name its source.',
		syncAndCheck,
	),
	successorSourceAttributeDoesNotExist: conflict(
		'successorSourceAttributeDoesNotExist',
		'The source of the new version does not exist.',
		syncAndCheck,
	),
	successorSourceAttributeIsNotRepositoryAttribute: conflict(
		'successorSourceAttributeIsNotRepositoryAttribute',
		'The source of the new version is itself a shared copy.',
		syncAndCheck,
	),
	successorSourceContentIsNotEqualToCopyContent: conflict(
		'successorSourceContentIsNotEqualToCopyContent',
		'The new version of a shared copy differs from its source.',
		syncAndCheck,
	),
	predecessorSourceAttributeIsNotRepositoryAttribute: conflict(
		'predecessorSourceAttributeIsNotRepositoryAttribute',
		'The source of the attribute to update is itself a shared copy.',
		syncAndCheck,
	),
	successorSourceDoesNotSucceedPredecessorSource: conflict(
		'successorSourceDoesNotSucceedPredecessorSource',
		'The source of the new version is not a newer version of the source of the old one.',
		'The peer has a newer version already, or a version of another attribute.',
	),
	predecessorSourceContentIsNotEqualToCopyContent: conflict(
		'predecessorSourceContentIsNotEqualToCopyContent',
		'The attribute to update differs from its source.',
		syncAndCheck,
	),
	predecessorIsNotOwnSharedRelationshipAttribute: invalid(
		'predecessorIsNotOwnSharedRelationshipAttribute',
		'The attribute to update is not an own relationship attribute.',
		'Only the owner of a relationship attribute can succeed it.',
	),
	successorIsNotOwnSharedRelationshipAttribute: invalid(
		'successorIsNotOwnSharedRelationshipAttribute',
		'The new version is not an own relationship attribute.',
		otherKind,
	),
	predecessorIsNotPeerSharedIdentityAttribute: invalid(
		'predecessorIsNotPeerSharedIdentityAttribute',
		'The attribute to update is not an identity attribute that a peer has shared.',
		otherKind,
	),
	successorIsNotPeerSharedIdentityAttribute: invalid(
		'successorIsNotPeerSharedIdentityAttribute',
		'The new version is not an identity attribute that a peer has shared.',
		otherKind,
	),
	predecessorIsNotPeerSharedRelationshipAttribute: invalid(
		'predecessorIsNotPeerSharedRelationshipAttribute',
		'The attribute to update is not a relationship attribute of a peer.',
		otherKind,
	),
	successorIsNotPeerSharedRelationshipAttribute: invalid(
		'successorIsNotPeerSharedRelationshipAttribute',
		'The new version is not a relationship attribute of a peer.',
		otherKind,
	),
	predecessorIsNotThirdPartyRelationshipAttribute: invalid(
		'predecessorIsNotThirdPartyRelationshipAttribute',
		'The attribute to update is not a relationship attribute of another relationship.',
		otherKind,
	),
	successorIsNotThirdPartyRelationshipAttribute: invalid(
		'successorIsNotThirdPartyRelationshipAttribute',
		'The new version is not a relationship attribute of another relationship.',
		otherKind,
	),
});
export type SuccessionProblem = Exclude<keyof typeof successionErrors, 'create'>;
