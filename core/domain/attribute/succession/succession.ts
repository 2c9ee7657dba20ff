import type { Attribute } from '../../../model/content/attributes';
import type { Random } from '../../../base/random';
import { isId, newId } from '../../../model/ids';
import type { AttributeRecord, StoredShareInfo } from '../../../model/record/attribute';
import type { WriteTransaction } from '../../../store/store';
import { publishSourceOf, publishSuccession, type SuccessionEvent } from '../attribute-events';
import { idsFor, withIdAtPeer } from '../attribute-ids';
import { predecessorsOf } from './attribute-versions';
import type { AttributeWriter } from '../attribute-writer';
import { successionErrors, type SuccessionProblem } from './succession-errors';
import {
	commonProblem,
	kindProblem,
	type CopySources,
	type SuccessionKind,
} from './succession-rules';

/** Both versions in their state after the succession. */
export interface Succession {
	readonly predecessor: AttributeRecord;
	readonly successor: AttributeRecord;
}

export interface Successor {
	/** id that the peer has chosen; absent: a new id is generated */
	readonly id?: string | undefined;
	/** parsed content, which the succession rules compare */
	readonly content: Attribute;
	readonly shareInfo?: StoredShareInfo | undefined;
	/** content to store in place of the compared content */
	readonly stored?: Attribute;
	/** true if a planned deletion does not prevent the succession, as in version 7 */
	readonly isPlannedDeletionIgnored?: boolean;
}

const events: Readonly<Record<SuccessionKind, readonly SuccessionEvent[]>> = {
	repository: ['consumption.repositoryAttributeSucceeded'],
	ownSharedIdentity: ['consumption.ownSharedAttributeSucceeded'],
	ownSharedRelationship: ['consumption.ownSharedAttributeSucceeded'],
	peerSharedIdentity: ['consumption.peerSharedAttributeSucceeded'],
	peerSharedRelationship: ['consumption.peerSharedAttributeSucceeded'],
	thirdParty: [
		'consumption.thirdPartyRelationshipAttributeSucceeded',
		// name in older software
		'consumption.thirdPartyOwnedRelationshipAttributeSucceeded',
	],
};

/**
 * Creates a new version of an attribute and publishes the succession
 * (docs/protocol/consumption.md 8.6).
 *
 * @throws `error.consumption.attributes.*`, the codes of consumption 8.6 in their order
 */
export async function succeed(
	tx: WriteTransaction,
	kind: SuccessionKind,
	predecessorId: string,
	successor: Successor,
	writer: AttributeWriter,
): Promise<Succession> {
	const succession = await prepareSuccession(tx, kind, predecessorId, successor, writer);
	await storeSuccession(tx, succession);
	for (const event of events[kind]) await publishSuccession(tx, event, succession, writer.now);
	await publishSourceOf(
		tx,
		'consumption.attributeForwardingDetailsChanged',
		succession.successor,
		writer.now,
	);
	return succession;
}

/** Checks a succession and returns the versions to store; changes nothing. */
async function prepareSuccession(
	tx: WriteTransaction,
	kind: SuccessionKind,
	predecessorId: string,
	given: Successor,
	{ ownAddress, random, now }: AttributeWriter,
): Promise<Succession> {
	const { content, stored = content, isPlannedDeletionIgnored } = given;
	const { id, shareInfo } = await placed(tx, given, random);
	const predecessor = (await tx.attributes.get(predecessorId))?.record;
	if (predecessor === undefined)
		throw successionProblem('predecessorDoesNotExist', { predecessorId });
	const successor: AttributeRecord = {
		id,
		createdAt: now,
		content,
		...(shareInfo === undefined ? {} : { shareInfo }),
	};
	const candidates = { predecessor, successor, ownAddress };
	const found =
		commonProblem(candidates, isPlannedDeletionIgnored) ??
		kindProblem(kind, {
			...candidates,
			...(kind === 'ownSharedIdentity'
				? { sources: await sourcesOf(tx, predecessor, successor) }
				: {}),
		});
	if (found !== undefined) throw successionProblem(found, { predecessorId });
	return linked(predecessor, { ...successor, content: stored });
}

/**
 * Ids of the successor.
 *
 * @throws `error.consumption.attributes.successorIsNotAValidAttribute`,
 * `error.consumption.attributes.successorMustNotYetExist`
 */
async function placed(
	tx: WriteTransaction,
	{ id, shareInfo }: Successor,
	random: Random,
): Promise<Pick<AttributeRecord, 'id' | 'shareInfo'>> {
	if (id === undefined || shareInfo === undefined) {
		return { id: newId('attribute', random), ...(shareInfo === undefined ? {} : { shareInfo }) };
	}
	if (!isId('attribute', id)) {
		throw successionProblem('successorIsNotAValidAttribute', { successorId: id.slice(0, 100) });
	}
	const ids = await idsFor(tx, shareInfo.peer, id, random);
	if (ids === undefined) throw successionProblem('successorMustNotYetExist', { successorId: id });
	return { id: ids.id, shareInfo: withIdAtPeer(shareInfo, ids) };
}

/** Links both versions; the default mark moves to the successor. */
export function linked(predecessor: AttributeRecord, successor: AttributeRecord): Succession {
	const { isDefault, ...rest } = predecessor;
	return {
		predecessor: { ...rest, succeededBy: successor.id },
		successor: {
			...successor,
			succeeds: predecessor.id,
			...(isDefault === undefined ? {} : { isDefault }),
		},
	};
}

export async function storeSuccession(
	tx: WriteTransaction,
	{ predecessor, successor }: Succession,
): Promise<void> {
	await tx.attributes.update(predecessor);
	await tx.attributes.insertIfNew(successor, undefined);
}

async function sourcesOf(
	tx: WriteTransaction,
	predecessor: AttributeRecord,
	successor: AttributeRecord,
): Promise<CopySources> {
	const [ofPredecessor, ofSuccessor] = [
		await sourceOf(tx, predecessor),
		await sourceOf(tx, successor),
	];
	const earlier = ofSuccessor === undefined ? [] : await predecessorsOf(tx, ofSuccessor);
	const areInOrder = earlier.some(({ id }) => id === ofPredecessor?.id);
	return { ofPredecessor, ofSuccessor, areInOrder };
}

async function sourceOf(
	tx: WriteTransaction,
	{ shareInfo }: AttributeRecord,
): Promise<AttributeRecord | undefined> {
	const id = shareInfo?.sourceAttribute;
	return id === undefined ? undefined : (await tx.attributes.get(id))?.record;
}

export function successionProblem(
	name: SuccessionProblem,
	facts: Readonly<Record<string, string>>,
): Error {
	return successionErrors.create(name, { message: messages[name], facts });
}

const messages: Readonly<Record<SuccessionProblem, string>> = {
	successorIsNotAValidAttribute: 'The new content is not a valid attribute.',
	successorMustNotYetExist: 'There is an attribute with the ID of the successor already.',
	cannotSucceedChildOfComplexAttribute: 'A part of a composite attribute cannot be succeeded.',
	predecessorDoesNotExist: 'There is no attribute with the ID of the predecessor.',
	cannotSucceedAttributesWithASuccessor: 'The attribute has a successor already.',
	cannotSucceedAttributesWithDeletionInfo: 'The attribute is deleted, or about to be, on one side.',
	successionMustChangeContent: 'The new content is the same as before.',
	successionMustNotChangeOwner: 'The successor has another owner.',
	successionMustNotChangeContentType: 'The successor is of another kind of attribute.',
	successionMustNotChangeValueType: 'The successor has another type of value.',
	successionMustNotChangeKey: 'The successor has another key.',
	successionMustNotChangePeer: 'The successor is shared with another peer.',
	successionMustNotChangeThirdParty: 'The successor comes from another third party.',
	predecessorIsNotRepositoryAttribute: 'The predecessor is not a repository attribute.',
	successorIsNotRepositoryAttribute: 'The successor is not a repository attribute.',
	predecessorIsNotOwnSharedIdentityAttribute:
		'The predecessor is not an own shared identity attribute.',
	successorIsNotOwnSharedIdentityAttribute:
		'The successor is not an own shared identity attribute.',
	successorSourceAttributeIsNotSpecified: 'The successor names no source.',
	successorSourceAttributeDoesNotExist: 'The source of the successor does not exist.',
	successorSourceAttributeIsNotRepositoryAttribute:
		'The source of the successor is not a repository attribute.',
	successorSourceContentIsNotEqualToCopyContent:
		'The successor has another content than its source.',
	predecessorSourceAttributeIsNotRepositoryAttribute:
		'The source of the predecessor is not a repository attribute.',
	successorSourceDoesNotSucceedPredecessorSource:
		'The source of the successor is not a later version of the source of the predecessor.',
	predecessorSourceContentIsNotEqualToCopyContent:
		'The predecessor has another content than its source.',
	predecessorIsNotOwnSharedRelationshipAttribute:
		'The predecessor is not an own relationship attribute.',
	successorIsNotOwnSharedRelationshipAttribute:
		'The successor is not an own relationship attribute.',
	predecessorIsNotPeerSharedIdentityAttribute:
		'The predecessor is not an identity attribute that the peer has shared.',
	successorIsNotPeerSharedIdentityAttribute:
		'The successor is not an identity attribute that the peer has shared.',
	predecessorIsNotPeerSharedRelationshipAttribute:
		'The predecessor is not a relationship attribute of the peer.',
	successorIsNotPeerSharedRelationshipAttribute:
		'The successor is not a relationship attribute of the peer.',
	predecessorIsNotThirdPartyRelationshipAttribute:
		'The predecessor is not a relationship attribute of another relationship.',
	successorIsNotThirdPartyRelationshipAttribute:
		'The successor is not a relationship attribute of another relationship.',
};
