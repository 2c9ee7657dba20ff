import { canonicalJson } from '../../../base/canonical-json';
import type { Attribute } from '../../../model/content/attributes';
import type { AttributeRecord } from '../../../model/record/attribute';
import {
	isIdentityAttribute,
	isOwnShared,
	isPeerShared,
	isRelationshipAttribute,
	isRepositoryAttribute,
	isThirdParty,
} from '../attribute-kinds';
import type { SuccessionProblem } from './succession-errors';

/*
 * Rules that decide whether one attribute may become the successor of another
 * (docs/protocol/consumption.md 8.6).
 */

/** Kind of both versions. */
export type SuccessionKind =
	| 'repository'
	| 'ownSharedIdentity'
	| 'ownSharedRelationship'
	| 'peerSharedIdentity'
	| 'peerSharedRelationship'
	| 'thirdParty';

export interface SuccessionCandidates {
	readonly predecessor: AttributeRecord;
	readonly successor: AttributeRecord;
	readonly ownAddress: string;
	/** set for copies of repository attributes: their sources, if they still exist */
	readonly sources?: CopySources;
}

export interface CopySources {
	readonly ofPredecessor: AttributeRecord | undefined;
	readonly ofSuccessor: AttributeRecord | undefined;
	/**
	 * true if the successor's source succeeds the predecessor's source, directly or over several
	 * versions
	 */
	readonly areInOrder: boolean;
}

/**
 * Checks that apply to all kinds, in their order. Checks that need the store come before them.
 *
 * @param isPlannedDeletionIgnored true by the rules of version 7, in which only a deletion that is
 * done prevents a succession
 */
export function commonProblem(
	{ predecessor, successor }: Pick<SuccessionCandidates, 'predecessor' | 'successor'>,
	isPlannedDeletionIgnored = false,
): SuccessionProblem | undefined {
	if (predecessor.succeededBy !== undefined) return 'cannotSucceedAttributesWithASuccessor';
	if (predecessor.parentId !== undefined) return 'cannotSucceedChildOfComplexAttribute';
	const { deletionStatus } = predecessor.deletionInfo ?? {};
	const states = isPlannedDeletionIgnored
		? [...succeedableStates, ...plannedDeletions]
		: succeedableStates;
	if (deletionStatus !== undefined && !states.includes(deletionStatus)) {
		return 'cannotSucceedAttributesWithDeletionInfo';
	}
	const [before, after] = [predecessor.content, successor.content];
	if (isEqual(before, after)) return 'successionMustChangeContent';
	if (before.owner !== after.owner) return 'successionMustNotChangeOwner';
	if (before['@type'] !== after['@type']) return 'successionMustNotChangeContentType';
	if (before.value['@type'] !== after.value['@type']) return 'successionMustNotChangeValueType';
	return undefined;
}

const succeedableStates = ['DeletionRequestSent', 'DeletionRequestRejected'];
const plannedDeletions = ['ToBeDeleted', 'ToBeDeletedByPeer'];

/** Checks that depend on the kind, in their order; they follow the common checks. */
export function kindProblem(
	kind: SuccessionKind,
	candidates: SuccessionCandidates,
): SuccessionProblem | undefined {
	const { predecessor, successor, ownAddress } = candidates;
	const { isOfKind, predecessorProblem, successorProblem, check } = kinds[kind];
	if (!isOfKind(predecessor, ownAddress)) return predecessorProblem;
	if (!isOfKind(successor, ownAddress)) return successorProblem;
	return check(candidates);
}

interface KindRules {
	readonly isOfKind: (record: AttributeRecord, ownAddress: string) => boolean;
	readonly predecessorProblem: SuccessionProblem;
	readonly successorProblem: SuccessionProblem;
	readonly check: (candidates: SuccessionCandidates) => SuccessionProblem | undefined;
}

const kinds: Readonly<Record<SuccessionKind, KindRules>> = {
	repository: {
		isOfKind: isRepositoryAttribute,
		predecessorProblem: 'predecessorIsNotRepositoryAttribute',
		successorProblem: 'successorIsNotRepositoryAttribute',
		check: () => undefined,
	},
	ownSharedIdentity: {
		isOfKind: (record, own) => isIdentityAttribute(record) && isOwnShared(record, own),
		predecessorProblem: 'predecessorIsNotOwnSharedIdentityAttribute',
		successorProblem: 'successorIsNotOwnSharedIdentityAttribute',
		check: (candidates) => peerProblem(candidates) ?? sourceProblem(candidates),
	},
	ownSharedRelationship: {
		isOfKind: (record, own) => isRelationshipAttribute(record) && isOwnShared(record, own),
		predecessorProblem: 'predecessorIsNotOwnSharedRelationshipAttribute',
		successorProblem: 'successorIsNotOwnSharedRelationshipAttribute',
		check: (candidates) => keyProblem(candidates) ?? peerProblem(candidates),
	},
	peerSharedIdentity: {
		isOfKind: (record) => isIdentityAttribute(record) && isPeerShared(record),
		predecessorProblem: 'predecessorIsNotPeerSharedIdentityAttribute',
		successorProblem: 'successorIsNotPeerSharedIdentityAttribute',
		check: peerProblem,
	},
	peerSharedRelationship: {
		isOfKind: (record) => isRelationshipAttribute(record) && isPeerShared(record),
		predecessorProblem: 'predecessorIsNotPeerSharedRelationshipAttribute',
		successorProblem: 'successorIsNotPeerSharedRelationshipAttribute',
		check: (candidates) => keyProblem(candidates) ?? peerProblem(candidates),
	},
	thirdParty: {
		isOfKind: isThirdParty,
		predecessorProblem: 'predecessorIsNotThirdPartyRelationshipAttribute',
		successorProblem: 'successorIsNotThirdPartyRelationshipAttribute',
		check: (candidates) =>
			keyProblem(candidates) ?? peerProblem(candidates) ?? thirdPartyProblem(candidates),
	},
};

function keyProblem({
	predecessor,
	successor,
}: SuccessionCandidates): SuccessionProblem | undefined {
	return keyOf(predecessor.content) === keyOf(successor.content)
		? undefined
		: 'successionMustNotChangeKey';
}

function keyOf(content: Attribute): string | undefined {
	return content['@type'] === 'RelationshipAttribute' ? content.key : undefined;
}

function peerProblem({
	predecessor,
	successor,
}: SuccessionCandidates): SuccessionProblem | undefined {
	return predecessor.shareInfo?.peer === successor.shareInfo?.peer
		? undefined
		: 'successionMustNotChangePeer';
}

function thirdPartyProblem({
	predecessor,
	successor,
}: SuccessionCandidates): SuccessionProblem | undefined {
	return predecessor.shareInfo?.thirdPartyAddress === successor.shareInfo?.thirdPartyAddress
		? undefined
		: 'successionMustNotChangeThirdParty';
}

/** Checks that a copy matches its source. */
function sourceProblem(candidates: SuccessionCandidates): SuccessionProblem | undefined {
	const { predecessor, successor, sources, ownAddress } = candidates;
	if (successor.shareInfo?.sourceAttribute === undefined) {
		return 'successorSourceAttributeIsNotSpecified';
	}
	const source = sources?.ofSuccessor;
	if (source === undefined) return 'successorSourceAttributeDoesNotExist';
	if (!isRepositoryAttribute(source, ownAddress)) {
		return 'successorSourceAttributeIsNotRepositoryAttribute';
	}
	if (!isEqual(source.content, successor.content)) {
		return 'successorSourceContentIsNotEqualToCopyContent';
	}
	const former = sources?.ofPredecessor;
	if (former === undefined) return undefined;
	if (!isRepositoryAttribute(former, ownAddress)) {
		return 'predecessorSourceAttributeIsNotRepositoryAttribute';
	}
	if (sources?.areInOrder !== true) return 'successorSourceDoesNotSucceedPredecessorSource';
	return isEqual(former.content, predecessor.content)
		? undefined
		: 'predecessorSourceContentIsNotEqualToCopyContent';
}

function isEqual(a: Attribute, b: Attribute): boolean {
	return canonicalJson(a) === canonicalJson(b);
}
