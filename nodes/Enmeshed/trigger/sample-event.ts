import type { EventFilter, AnyEvent, GatewayFacade } from '../../../core';
import { loadCore } from '../gateway/core';
import { objectMember, textMember } from '../helpers/members';
import { isNotFound } from '../errors/not-found';

/** newest events, of which the first that still holds is wanted */
const lookedAt = 20;

/** Event that a test shows. */
export interface Sample {
	readonly event: AnyEvent;
	readonly origin: 'storedAndHolds' | 'storedAndOver' | 'arrived';
}

/**
 * Finds the stored event that a person expects of a test: the newest that fits and still holds,
 * such as a request to connect that was not accepted yet; otherwise the newest that fits.
 */
export async function findSample(
	gateway: GatewayFacade,
	filter: EventFilter,
	options: { readonly signal: AbortSignal },
): Promise<Sample | undefined> {
	const newestFirst = (await gateway.events.recent(filter, lookedAt, options)).reverse();
	for (const event of newestFirst) {
		if (await stillHolds(event, gateway, options)) return { event, origin: 'storedAndHolds' };
	}
	const [event] = newestFirst;
	return event && { event, origin: 'storedAndOver' };
}

/**
 * Text that tells the person which event a test shows, in the time zone of its other times.
 */
export function originText(
	origin: Sample['origin'],
	{ createdAt }: Pick<AnyEvent, 'createdAt'>,
): string {
	if (origin === 'arrived') return 'Has just arrived';
	return origin === 'storedAndHolds'
		? `Stored event of ${createdAt}, the newest that still holds`
		: `Stored event of ${createdAt}, the newest; what it reports has changed since`;
}

/** Statuses of a request that no person has decided, which follow one another without a person. */
const undecided: ReadonlySet<string> = new Set([
	'Draft',
	'Open',
	'DecisionRequired',
	'ManualDecisionRequired',
]);

/** True if what the event is about is still in the state that the event reports. */
async function stillHolds(
	event: AnyEvent,
	gateway: GatewayFacade,
	options: { readonly signal: AbortSignal },
): Promise<boolean> {
	const { carriedRecord } = await loadCore();
	const { about, member } = carriedRecord(event.event);
	const record = member === undefined ? event.data : objectMember(event.data, member);
	const id = textMember(record, 'id');
	const status = textMember(event.data, 'newStatus') ?? textMember(record, 'status');
	if (id === undefined || status === undefined) return true;
	const current = currentRecord(about, id, gateway, options);
	return await current.then(
		(found) =>
			found === undefined ||
			found.status === status ||
			(undecided.has(found.status) && undecided.has(status)),
		(error: unknown) => (isNotFound(error) ? false : Promise.reject(error)),
	);
}

async function currentRecord(
	about: string | undefined,
	id: string,
	gateway: GatewayFacade,
	options: { readonly signal: AbortSignal },
): Promise<{ readonly status: string } | undefined> {
	switch (about) {
		case 'relationship':
			return await gateway.relationships.get(id, options);
		case 'incomingRequest':
			return await gateway.incomingRequests.get(id, options);
		case 'outgoingRequest':
			return await gateway.outgoingRequests.get(id, options);
		default:
			return undefined;
	}
}
