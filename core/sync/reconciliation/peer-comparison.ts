import type { Cancellable } from '../../base/abort';
import { isoInstant, type Clock } from '../../base/clock';
import { isGatewayError } from '../../base/errors';
import type { Backbone } from '../../backbone/backbone';
import { isOddAnswer } from '../../backbone/odd-answer';
import { peerIsToBeDeleted } from '../../domain/relationship/relationship-service';
import type { RelationshipRecord } from '../../model/record/relationship';
import type { InboxEvent } from '../../model/record/sync';
import type { Store } from '../../store/store';
import { foundEvent, type Compared, type SingleLooks } from './found-events';

const groupSize = 50;
/** peers of one comparison, when nothing else was lost */
const mostInTurn = 2;

/** A peer tells of its deletion in these (docs/protocol/backbone-api.md 9.2). */
const concerned: readonly string[] = ['Pending', 'Active', 'Terminated'];

/**
 * Finds peers whose deletion was planned or cancelled. No list shows it, so that each peer costs a call;
 * what has become of a deletion in the end shows the relationship.
 */
export async function comparePeers(
	deps: { readonly store: Store; readonly backbone: Backbone; readonly clock: Clock },
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
	const last = asked.length < mostInTurn ? undefined : asked.at(-1);
	const passed = last === undefined ? records.length : records.indexOf(last) + 1;
	if (isEnd && passed === records.length) return { compared: asked.length, found, askedTo: 0 };
	const reached = await store.read((tx) => tx.relationships.scan(start, passed), options);
	return { compared: asked.length, found, askedTo: reached.position };
}

function isConcerned({ status, peerDeletionInfo }: RelationshipRecord): boolean {
	return concerned.includes(status) && peerDeletionInfo?.deletionStatus !== 'Deleted';
}

/** undefined: nothing is known of it, as of a peer that is gone. */
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
	// The Backbone does not tell when the deletion is due: not before now.
	const payload = { relationshipId: id, deletionDate: now };
	return [foundEvent('PeerToBeDeleted', payload, `${id}:toBeDeleted:${now}`, now)];
}
