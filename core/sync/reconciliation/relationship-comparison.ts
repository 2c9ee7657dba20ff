import type { Cancellable } from '../../base/abort';
import { isoInstant, type Clock } from '../../base/clock';
import type { Backbone } from '../../backbone/backbone';
import type { WireRelationship } from '../../backbone/dto';
import type { RelationshipRecord } from '../../model/record/relationship';
import type { InboxEvent } from '../../model/record/sync';
import type { Store } from '../../store/store';
import type { ExternalEventType } from '../external-events';
import { foundEvent, type Compared } from './found-events';

/** as many as the Backbone answers with one page */
const groupSize = 50;

/** What else than the general change an entry of the audit log is announced as (transport 14). */
const announcedAs: Partial<Record<string, ExternalEventType>> = {
	ReactivationRequested: 'RelationshipReactivationRequested',
	AcceptanceOfReactivation: 'RelationshipReactivationCompleted',
};

/**
 * Finds known relationships that have changed. There is no list of all: one whose request never
 * reached us is not found (docs/protocol/backbone-api.md 14.4).
 */
export async function compareRelationships(
	deps: { readonly store: Store; readonly backbone: Backbone; readonly clock: Clock },
	position: number,
	options: Cancellable,
): Promise<Compared> {
	const { store, backbone, clock } = deps;
	const group = await store.read((tx) => tx.relationships.scan(position, groupSize), options);
	const known = new Map(group.entries.map(({ record }) => [record.id, record]));
	const wires = await backbone.relationships.list([...known.keys()], options);
	const now = isoInstant(clock.now());
	const found = wires.flatMap((wire) => changeOf(wire, known.get(wire.id), now));
	const isEnd = group.entries.length < groupSize;
	return { compared: known.size, found, ...(isEnd ? {} : { next: group.position }) };
}

function changeOf(
	wire: WireRelationship,
	known: RelationshipRecord | undefined,
	now: string,
): InboxEvent[] {
	if (known === undefined) return [];
	const { id, status, auditLog } = wire;
	if (status === known.status && auditLog.length === known.auditLog.length) return [];
	const last = auditLog.toSorted((a, b) => (a.createdAt < b.createdAt ? -1 : 1)).at(-1);
	const type = announcedAs[last?.reason ?? ''] ?? 'RelationshipStatusChanged';
	const about = `${id}:${status}:${auditLog.length}:${now}`;
	return [foundEvent(type, { relationshipId: id }, about, last?.createdAt ?? wire.createdAt)];
}
