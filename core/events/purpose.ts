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

/** Where the purpose of an event is written: in the event, in a template, or with its peers. */
interface Origin {
	readonly purpose?: string | undefined;
	readonly templates?: readonly string[];
	readonly peers?: readonly string[];
}

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
	const ids = origins.flatMap(({ templates = [] }) => templates);
	const found = await tx.templates.getMany([...new Set(ids)]);
	const ofTemplates = new Map(found.map(({ record: { id, purpose } }) => [id, purpose]));
	const named = origins.flatMap(({ peers = [] }) => peers);
	const ofPeers = await purposesOfPeers(tx, [...new Set(named)]);
	return fitting.filter((_event, index) => {
		const { purpose, templates = [], peers = [] } = origins[index] ?? {};
		const all = [
			purpose,
			...templates.map((id) => ofTemplates.get(id)),
			...peers.map((peer) => ofPeers.get(peer)),
		];
		return all.some((one) => one !== undefined && purposes.includes(one));
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
	const ofPeers = { peers: peersOf(event) };
	switch (about) {
		case 'relationship':
			return { purpose: ownText(record, 'purpose') };
		case 'template':
			if (ownMember(record, 'isOwn') !== true) return ofPeers;
			return { purpose: ownText(record, 'purpose') };
		case 'outgoingRequest': {
			const source = ownMember(record, 'source');
			const id = ownText(source, 'reference');
			const isOfTemplate = ownText(source, 'type') === 'RelationshipTemplate' && id !== undefined;
			return isOfTemplate ? { templates: [id] } : ofPeers;
		}
		default:
			return ofPeers;
	}
}
