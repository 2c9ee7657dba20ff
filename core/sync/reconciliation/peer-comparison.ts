import type { Cancellable } from '../../base/abort';
import { isoInstant } from '../../base/clock';
import { isGatewayError } from '../../base/errors';
import type { Backbone } from '../../backbone/port/backbone';
import { isOddAnswer } from '../../backbone/port/odd-answer';
import { peerIsToBeDeleted } from '../../domain/relationship/relationship-service';
import type { RelationshipRecord } from '../../model/record/relationship';
import type { InboxEvent } from '../../model/record/sync';
import { foundEvent, type Compared, type SingleLooks } from './found-events';
import type { Needs } from '../../domain/needs';

const groupSize = 50;
/** peers per comparison when no losses were found */
const mostInTurn = 2;

/**
 * Relationship statuses in which a peer announces its deletion (docs/protocol/backbone-api.md 9.2).
 */
const concerned: readonly string[] = ['Pending', 'Active', 'Terminated'];

/**
 * Finds peers whose deletion was planned or cancelled. No list shows this, so each peer costs a
 * call; the relationship itself shows a completed deletion.
 */
export async function comparePeers(
	deps: Needs<'store' | 'backbone' | 'clock'>,
	position: number,
	{ isAll, askedTo = 0 }: SingleLooks,
	options: Cancellable,
): Promise<Compared> {
	const { store, backbone, clock } = deps;
	const start = isAll ? position : askedTo;
	const group = await store.read((tx) => tx.relationships.scan(start, groupSize), options);
	const records = group.entries.map(({ record }) => record);
	const asked = records.filter(isConcerned).slice(0, isAll ? groupSize : mostInTurn);
	const found: InboxEvent[] = [];
	for (const record of asked) {
		const isPlanned = await isToBeDeleted(backbone, record.peer, options);
		if (isPlanned !== undefined)
			found.push(...changeOf(record, isPlanned, isoInstant(clock.now())));
	}
	const isEnd = records.length < groupSize;
	if (isAll) return { compared: asked.length, found, ...(isEnd ? {} : { next: group.position }) };
	const last = asked[mostInTurn - 1];
	const passed = last === undefined ? records.length : records.indexOf(last) + 1;
	if (isEnd && passed === records.length) return { compared: asked.length, found, askedTo: 0 };
	const reached = await store.read((tx) => tx.relationships.scan(start, passed), options);
	return { compared: asked.length, found, askedTo: reached.position };
}

function isConcerned({ status, peerDeletionInfo }: RelationshipRecord): boolean {
	return concerned.includes(status) && peerDeletionInfo?.deletionStatus !== 'Deleted';
}

/**
 * Asks whether the deletion of a peer is planned; undefined if the Backbone does not say, for
 * example after the peer was deleted.
 */
async function isToBeDeleted(
	backbone: Backbone,
	peer: string,
	options: Cancellable,
): Promise<boolean | undefined> {
	try {
		return (await backbone.relationships.canCreate(peer, options)).code === peerIsToBeDeleted;
	} catch (error) {
		if (!isGatewayError(error)) throw error;
		if (error.kind === 'unavailable' && !isOddAnswer(error)) throw error;
		return undefined;
	}
}

function changeOf(
	{ id, peerDeletionInfo }: RelationshipRecord,
	isPlanned: boolean,
	now: string,
): InboxEvent[] {
	if (isPlanned === (peerDeletionInfo !== undefined)) return [];
	if (!isPlanned) {
		const payload = { relationshipId: id };
		return [foundEvent('PeerDeletionCancelled', payload, `${id}:deletionCancelled:${now}`, now)];
	}
	// The Backbone does not report the date of the deletion; it is not before now.
	const payload = { relationshipId: id, deletionDate: now };
	return [foundEvent('PeerToBeDeleted', payload, `${id}:toBeDeleted:${now}`, now)];
}
