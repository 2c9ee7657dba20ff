import { defineErrors, type ErrorDefinition } from '../../base/errors';

const chooseNewest = 'Choose the newest version of the attribute.';
const keepTheSame = 'Change the value only; create a new attribute for anything else.';
const otherKind = 'Check the attribute ID; this kind of attribute is succeeded in another way.';
const syncAndCheck =
	'Run a sync and read the attribute again; what is stored here and at the peer differs.';

const code = <Name extends string>(name: Name) => `error.consumption.attributes.${name}` as const;

const conflict = (name: string, remedy: string): ErrorDefinition => ({
	code: code(name),
	kind: 'conflict',
	remedy,
});

const invalid = (name: string, remedy: string): ErrorDefinition => ({
	code: code(name),
	kind: 'invalid',
	remedy,
});

/** Why an attribute cannot get this successor (docs/protocol/consumption.md 8.6). */
export const successionErrors = defineErrors({
	successorIsNotAValidAttribute: invalid(
		'successorIsNotAValidAttribute',
		'Correct the named member of the new content.',
	),
	successorMustNotYetExist: conflict('successorMustNotYetExist', syncAndCheck),
	cannotSucceedChildOfComplexAttribute: invalid(
		'cannotSucceedChildOfComplexAttribute',
		'Succeed the attribute that this one is a part of.',
	),
	predecessorDoesNotExist: {
		code: code('predecessorDoesNotExist'),
		kind: 'notFound',
		remedy: 'Check the attribute ID; choose it from the list.',
	},
	cannotSucceedAttributesWithASuccessor: conflict(
		'cannotSucceedAttributesWithASuccessor',
		chooseNewest,
	),
	cannotSucceedAttributesWithDeletionInfo: conflict(
		'cannotSucceedAttributesWithDeletionInfo',
		'The attribute is deleted on one side; share it again instead.',
	),
	successionMustChangeContent: invalid(
		'successionMustChangeContent',
		'Nothing has to be done: the attribute has this content already.',
	),
	successionMustNotChangeOwner: invalid('successionMustNotChangeOwner', keepTheSame),
	successionMustNotChangeContentType: invalid('successionMustNotChangeContentType', keepTheSame),
	successionMustNotChangeValueType: invalid('successionMustNotChangeValueType', keepTheSame),
	successionMustNotChangeKey: invalid('successionMustNotChangeKey', keepTheSame),
	successionMustNotChangePeer: conflict('successionMustNotChangePeer', syncAndCheck),
	successionMustNotChangeThirdParty: conflict('successionMustNotChangeThirdParty', syncAndCheck),
	predecessorIsNotRepositoryAttribute: invalid('predecessorIsNotRepositoryAttribute', otherKind),
	successorIsNotRepositoryAttribute: invalid('successorIsNotRepositoryAttribute', otherKind),
	predecessorIsNotOwnSharedIdentityAttribute: invalid(
		'predecessorIsNotOwnSharedIdentityAttribute',
		otherKind,
	),
	successorIsNotOwnSharedIdentityAttribute: invalid(
		'successorIsNotOwnSharedIdentityAttribute',
		otherKind,
	),
	successorSourceAttributeIsNotSpecified: conflict(
		'successorSourceAttributeIsNotSpecified',
		syncAndCheck,
	),
	successorSourceAttributeDoesNotExist: conflict(
		'successorSourceAttributeDoesNotExist',
		syncAndCheck,
	),
	successorSourceAttributeIsNotRepositoryAttribute: conflict(
		'successorSourceAttributeIsNotRepositoryAttribute',
		syncAndCheck,
	),
	successorSourceContentIsNotEqualToCopyContent: conflict(
		'successorSourceContentIsNotEqualToCopyContent',
		syncAndCheck,
	),
	predecessorSourceAttributeIsNotRepositoryAttribute: conflict(
		'predecessorSourceAttributeIsNotRepositoryAttribute',
		syncAndCheck,
	),
	successorSourceDoesNotSucceedPredecessorSource: conflict(
		'successorSourceDoesNotSucceedPredecessorSource',
		'The peer has a newer version already, or one of another attribute.',
	),
	predecessorSourceContentIsNotEqualToCopyContent: conflict(
		'predecessorSourceContentIsNotEqualToCopyContent',
		syncAndCheck,
	),
	predecessorIsNotOwnSharedRelationshipAttribute: invalid(
		'predecessorIsNotOwnSharedRelationshipAttribute',
		'Only the owner of a relationship attribute can succeed it.',
	),
	successorIsNotOwnSharedRelationshipAttribute: invalid(
		'successorIsNotOwnSharedRelationshipAttribute',
		otherKind,
	),
	predecessorIsNotPeerSharedIdentityAttribute: invalid(
		'predecessorIsNotPeerSharedIdentityAttribute',
		otherKind,
	),
	successorIsNotPeerSharedIdentityAttribute: invalid(
		'successorIsNotPeerSharedIdentityAttribute',
		otherKind,
	),
	predecessorIsNotPeerSharedRelationshipAttribute: invalid(
		'predecessorIsNotPeerSharedRelationshipAttribute',
		otherKind,
	),
	successorIsNotPeerSharedRelationshipAttribute: invalid(
		'successorIsNotPeerSharedRelationshipAttribute',
		otherKind,
	),
	predecessorIsNotThirdPartyRelationshipAttribute: invalid(
		'predecessorIsNotThirdPartyRelationshipAttribute',
		otherKind,
	),
	successorIsNotThirdPartyRelationshipAttribute: invalid(
		'successorIsNotThirdPartyRelationshipAttribute',
		otherKind,
	),
});
export type SuccessionProblem = Exclude<keyof typeof successionErrors, 'create'>;
