import type { WriteTransaction } from '../store/store';
import type { EventName, EventPayload } from './catalogue';
import { ownJson } from '../model/json';

/** Names of the events with this payload. */
export type EventNameOf<Payload> = {
	[Name in EventName]: EventPayload<Name> extends Payload ? Name : never;
}[EventName];

export interface NewEvent<Name extends EventName> {
	readonly name: Name;
	readonly createdAt: string;
	/** peer concerned by the event, if there is one */
	readonly peer?: string | undefined;
	/** id of the object concerned; erasing the object erases the event's data */
	readonly subject: string;
	readonly data: EventPayload<Name>;
}

/**
 * Publishes an event in the transaction that makes the change; the compiler checks the data against
 * the catalogue.
 */
export function appendEvent<Name extends EventName>(
	tx: Pick<WriteTransaction, 'outbox'>,
	{ name, createdAt, peer, subject, data }: NewEvent<Name>,
): Promise<void> {
	return tx.outbox.append({
		name,
		createdAt,
		...(peer === undefined ? {} : { peer }),
		subject,
		data: ownJson(data),
	});
}
