import type { Attribute } from '../../../model/content/attributes';
import type { Random } from '../../../base/random';
import { isId, newId } from '../../../model/ids';
import type { AttributeRecord, StoredShareInfo } from '../../../model/record/attribute';
import type { WriteTransaction } from '../../../store/store';
import { publishSourceOf, publishSuccession, type SuccessionEvent } from '../attribute-events';
import { idsFor, withIdAtPeer } from '../attribute-ids';
import { predecessorsOf } from './attribute-versions';
import type { AttributeWriter } from '../attribute-writer';
import { successionProblem } from './succession-errors';
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
