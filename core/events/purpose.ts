import { ownMember, ownText } from '../model/json';
import type { OutboxEvent } from '../model/record/event';
import type { ReadTransaction } from '../store/store';
import { carriedRecord } from './carried-record';
import { isErased, type EventFilter } from './event-types';
import { fitsFilter, peersOf } from './filter';

/** Finds the purposes of the current relationships with peers; peers without one are left out. */
export type PurposesOfPeers = (
	tx: ReadTransaction,
	peers: readonly string[],
) => Promise<ReadonlyMap<string, string>>;

/** Where the purpose of an event is written. */
type Origin =
	| { readonly kind: 'event'; readonly purpose: string | undefined }
	| { readonly kind: 'template'; readonly id: string }
	| { readonly kind: 'peers'; readonly peers: readonly string[] };

/** Selects the stored events that a filter lets pass, in their order. */
export async function selectEvents(
	tx: ReadTransaction,
	events: readonly OutboxEvent[],
	filter: EventFilter,
	purposesOfPeers: PurposesOfPeers,
): Promise<OutboxEvent[]> {
	const fitting = events.filter((event) => !isErased(event) && fitsFilter(event, filter));
	const { purposes } = filter;
	if (purposes === undefined || fitting.length === 0) return fitting;
	const origins = fitting.map(originOf);
	const ids = origins.flatMap((origin) => (origin.kind === 'template' ? origin.id : []));
	const templates = await tx.templates.getMany([...new Set(ids)]);
	const ofTemplates = new Map(templates.map(({ record: { id, purpose } }) => [id, purpose]));
	const peers = origins.flatMap((origin) => (origin.kind === 'peers' ? origin.peers : []));
	const ofPeers = await purposesOfPeers(tx, [...new Set(peers)]);
	const isWanted = (purpose: string | undefined): boolean =>
		purpose !== undefined && purposes.includes(purpose);
	return fitting.filter((_event, index) => {
		const origin = origins[index];
		switch (origin?.kind) {
			case 'event':
				return isWanted(origin.purpose);
			case 'template':
				return isWanted(ofTemplates.get(origin.id));
			case 'peers':
				return origin.peers.some((peer) => isWanted(ofPeers.get(peer)));
			case undefined:
				return false;
		}
	});
}

/**
 * A relationship and an own template carry their purpose. The request of an own template has the
 * purpose of that template, also for a person who came by another one. All other events have the
 * purpose of the person.
 */
function originOf(event: OutboxEvent): Origin {
	const { about, member } = carriedRecord(event.name);
	const record = member === undefined ? event.data : (ownMember(event.data, member) ?? {});
	const ofPeers: Origin = { kind: 'peers', peers: peersOf(event) };
	switch (about) {
		case 'relationship':
			return { kind: 'event', purpose: ownText(record, 'purpose') };
		case 'template':
			if (ownMember(record, 'isOwn') !== true) return ofPeers;
			return { kind: 'event', purpose: ownText(record, 'purpose') };
		case 'outgoingRequest': {
			const source = ownMember(record, 'source');
			const id = ownText(source, 'reference');
			const isOfTemplate = ownText(source, 'type') === 'RelationshipTemplate' && id !== undefined;
			return isOfTemplate ? { kind: 'template', id } : ofPeers;
		}
		default:
			return ofPeers;
	}
}
