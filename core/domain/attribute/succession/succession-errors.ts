import { defineErrors, type ErrorDefinition } from '../../../base/errors';

const chooseNewest = 'Choose the newest version of the attribute.';
const keepTheSame = 'Change the value only; create a new attribute for anything else.';
const otherKind = 'Check the attribute ID; this kind of attribute is succeeded in another way.';
const syncAndCheck =
	'Run a sync and read the attribute again; what is stored here and at the peer differs.';

interface Reason extends Omit<ErrorDefinition, 'code'> {
	readonly message: string;
}

const reason =
	(kind: Reason['kind']) =>
	(message: string, meaning: string, remedy: string): Reason => ({
		kind,
		message,
		meaning,
		remedy,
	});
const conflict = reason('conflict');
const invalid = reason('invalid');

/** Reasons why an attribute cannot have this successor (docs/protocol/consumption.md 8.6). */
const reasons = {
	successorIsNotAValidAttribute: invalid(
		'The new content is not a valid attribute.',
		'The new version is not a valid attribute.',
		'Correct the named member of the new content.',
	),
	successorMustNotYetExist: conflict(
		'There is an attribute with the ID of the successor already.',
		'The new version exists already.',
		syncAndCheck,
	),
	cannotSucceedChildOfComplexAttribute: invalid(
		'A part of a composite attribute cannot be succeeded.',
		'The attribute is a part of another attribute and gets no version of its own.',
		'Create a new version of the composite attribute instead.',
	),
	predecessorDoesNotExist: {
		kind: 'notFound',
		message: 'There is no attribute with the ID of the predecessor.',
		meaning: 'The attribute to update does not exist.',
		remedy: 'Check the attribute ID; choose it from the list.',
	},
	cannotSucceedAttributesWithASuccessor: conflict(
		'The attribute has a successor already.',
		'The attribute is an old version: it has a newer one.',
		chooseNewest,
	),
	cannotSucceedAttributesWithDeletionInfo: conflict(
		'The attribute is deleted, or about to be, on one side.',
		'The attribute is deleted on one side or will be, so it gets no new version.',
		'The attribute is deleted on one side; share it again instead.',
	),
	successionMustChangeContent: invalid(
		'The new content is the same as before.',
		'The new version has the same content as the old one.',
		'Nothing needs to be done: the attribute has this content already.',
	),
	successionMustNotChangeOwner: invalid(
		'The successor has another owner.',
		'The new version has another owner.',
		keepTheSame,
	),
	successionMustNotChangeContentType: invalid(
		'The successor is of another kind of attribute.',
		'The new version turns an identity attribute into a relationship attribute, or the other way round.',
		keepTheSame,
	),
	successionMustNotChangeValueType: invalid(
		'The successor has another type of value.',
		'The new version has another type of value.',
		keepTheSame,
	),
	successionMustNotChangeKey: invalid(
		'The successor has another key.',
		'The new version has another key.',
		keepTheSame,
	),
	successionMustNotChangePeer: conflict(
		'The successor is shared with another peer.',
		'The new version is shared with another peer.',
		syncAndCheck,
	),
	successionMustNotChangeThirdParty: conflict(
		'The successor comes from another third party.',
		'The new version belongs to another third party.',
		syncAndCheck,
	),
	predecessorIsNotRepositoryAttribute: invalid(
		'The predecessor is not a repository attribute.',
		'The attribute to update is a shared copy, or belongs to a peer.',
		otherKind,
	),
	successorIsNotRepositoryAttribute: invalid(
		'The successor is not a repository attribute.',
		'The new version is a shared copy, or belongs to a peer.',
		otherKind,
	),
	predecessorIsNotOwnSharedIdentityAttribute: invalid(
		'The predecessor is not an own shared identity attribute.',
		'The attribute to update is not an own identity attribute that is shared with a peer.',
		otherKind,
	),
	successorIsNotOwnSharedIdentityAttribute: invalid(
		'The successor is not an own shared identity attribute.',
		'The new version is not an own identity attribute that is shared with a peer.',
		otherKind,
	),
	successorSourceAttributeIsNotSpecified: conflict(
		'The successor names no source.',
		'The new version of a shared copy does not name its source.',
		syncAndCheck,
	),
	successorSourceAttributeDoesNotExist: conflict(
		'The source of the successor does not exist.',
		'The source of the new version does not exist.',
		syncAndCheck,
	),
	successorSourceAttributeIsNotRepositoryAttribute: conflict(
		'The source of the successor is not a repository attribute.',
		'The source of the new version is itself a shared copy.',
		syncAndCheck,
	),
	successorSourceContentIsNotEqualToCopyContent: conflict(
		'The successor has another content than its source.',
		'The new version of a shared copy differs from its source.',
		syncAndCheck,
	),
	predecessorSourceAttributeIsNotRepositoryAttribute: conflict(
		'The source of the predecessor is not a repository attribute.',
		'The source of the attribute to update is itself a shared copy.',
		syncAndCheck,
	),
	successorSourceDoesNotSucceedPredecessorSource: conflict(
		'The source of the successor is not a later version of the source of the predecessor.',
		'The source of the new version is not a newer version of the source of the old one.',
		'The peer has a newer version already, or a version of another attribute.',
	),
	predecessorSourceContentIsNotEqualToCopyContent: conflict(
		'The predecessor has another content than its source.',
		'The attribute to update differs from its source.',
		syncAndCheck,
	),
	predecessorIsNotOwnSharedRelationshipAttribute: invalid(
		'The predecessor is not an own relationship attribute.',
		'The attribute to update is not an own relationship attribute.',
		'Only the owner of a relationship attribute can succeed it.',
	),
	successorIsNotOwnSharedRelationshipAttribute: invalid(
		'The successor is not an own relationship attribute.',
		'The new version is not an own relationship attribute.',
		otherKind,
	),
	predecessorIsNotPeerSharedIdentityAttribute: invalid(
		'The predecessor is not an identity attribute that the peer has shared.',
		'The attribute to update is not an identity attribute that a peer has shared.',
		otherKind,
	),
	successorIsNotPeerSharedIdentityAttribute: invalid(
		'The successor is not an identity attribute that the peer has shared.',
		'The new version is not an identity attribute that a peer has shared.',
		otherKind,
	),
	predecessorIsNotPeerSharedRelationshipAttribute: invalid(
		'The predecessor is not a relationship attribute of the peer.',
		'The attribute to update is not a relationship attribute of a peer.',
		otherKind,
	),
	successorIsNotPeerSharedRelationshipAttribute: invalid(
		'The successor is not a relationship attribute of the peer.',
		'The new version is not a relationship attribute of a peer.',
		otherKind,
	),
	predecessorIsNotThirdPartyRelationshipAttribute: invalid(
		'The predecessor is not a relationship attribute of another relationship.',
		'The attribute to update is not a relationship attribute of another relationship.',
		otherKind,
	),
	successorIsNotThirdPartyRelationshipAttribute: invalid(
		'The successor is not a relationship attribute of another relationship.',
		'The new version is not a relationship attribute of another relationship.',
		otherKind,
	),
} as const;
export type SuccessionProblem = keyof typeof reasons;

type Coded = {
	readonly [Name in SuccessionProblem]: Reason & {
		readonly code: `error.consumption.attributes.${Name}`;
	};
};
const coded = Object.entries<Reason>(reasons).map(([name, given]) => {
	return [name, { code: `error.consumption.attributes.${name}`, ...given }] as const;
});
// eslint-disable-next-line @typescript-eslint/no-unsafe-type-assertion -- the entries have the names of the reasons
export const successionErrors = defineErrors(Object.fromEntries(coded) as Coded);

export function successionProblem(
	name: SuccessionProblem,
	facts: Readonly<Record<string, string>>,
): Error {
	return successionErrors.create(name, { message: reasons[name].message, facts });
}
