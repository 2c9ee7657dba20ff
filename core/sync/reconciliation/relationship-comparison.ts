import type { Cancellable } from '../../base/abort';
import { isoInstant } from '../../base/clock';
import type { WireRelationship } from '../../backbone/dto';
import type { RelationshipRecord } from '../../model/record/relationship';
import type { InboxEvent } from '../../model/record/sync';
import type { ExternalEventType } from '../external-events';
import { foundEvent, type Compared } from './found-events';
import type { Needs } from '../../domain/needs';

/** relationships per group, equal to the page size of the Backbone */
const groupSize = 50;

/**
 * Event types of audit log entries that are reported differently from a general change (transport
 * 14).
 */
const eventTypeOfReason: Partial<Record<string, ExternalEventType>> = {
	ReactivationRequested: 'RelationshipReactivationRequested',
	AcceptanceOfReactivation: 'RelationshipReactivationCompleted',
};

/**
 * Finds known relationships that have changed. There is no list of all relationships, so a
 * relationship whose request never arrived is not found (docs/protocol/backbone-api.md 14.4).
 */
export async function compareRelationships(
	deps: Needs<'store' | 'backbone' | 'clock'>,
	position: number,
	options: Cancellable,
): Promise<Compared> {
	const { store, backbone, clock } = deps;
	const group = await store.read((tx) => tx.relationships.scan(position, groupSize), options);
	const known = group.entries.map(({ record }) => record);
	const ids = known.map(({ id }) => id);
	const listed = await backbone.relationships.list(ids, options);
	const wires = new Map(listed.map((wire) => [wire.id, wire]));
	const now = isoInstant(clock.now());
	const found = known.flatMap((record) => changeOf(record, wires.get(record.id), now));
	const isEnd = group.entries.length < groupSize;
	return { compared: known.length, found, ...(isEnd ? {} : { next: group.position }) };
}

function changeOf(
	known: RelationshipRecord,
	wire: WireRelationship | undefined,
	now: string,
): InboxEvent[] {
	if (wire === undefined) return [];
	const { id, status, auditLog } = wire;
	if (status === known.status && auditLog.length === known.auditLog.length) return [];
	const last = auditLog.toSorted((a, b) => (a.createdAt < b.createdAt ? -1 : 1)).at(-1);
	const type = (last && eventTypeOfReason[last.reason]) ?? 'RelationshipStatusChanged';
	const about = `${id}:${status}:${auditLog.length}:${now}`;
	return [foundEvent(type, { relationshipId: id }, about, last?.createdAt ?? wire.createdAt)];
}
