import type { z } from 'zod';
import type { JsonObject } from '../model/json';
import type { WriteTransaction } from '../store/store';
import type { eventCatalogue, EventName } from './catalogue';

/** The names of events that carry this. */
export type EventNameOf<Payload> = {
	[Name in EventName]: EventPayload<Name> extends Payload ? Name : never;
}[EventName];

/** What an event of this name carries. */
export type EventPayload<Name extends EventName> = z.output<
	(typeof eventCatalogue)[Name]['payload']
>;

export interface NewEvent<Name extends EventName> {
	readonly name: Name;
	readonly createdAt: string;
	/** whom it is about, when there is somebody */
	readonly peer?: string | undefined;
	/** id of the object it is about: erasing the object erases the event's data */
	readonly subject: string;
	readonly data: EventPayload<Name>;
}

/** Announces what the same transaction changes; the compiler checks the data against the catalogue. */
export function appendEvent<Name extends EventName>(
	tx: Pick<WriteTransaction, 'outbox'>,
	{ name, createdAt, peer, subject, data }: NewEvent<Name>,
): Promise<void> {
	return tx.outbox.append({
		name,
		createdAt,
		...(peer === undefined ? {} : { peer }),
		subject,
		// The payloads are schemas of JSON objects; only their optional members widen the type.
		data: data as unknown as JsonObject,
	});
}
