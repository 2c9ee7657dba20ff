import type { WriteTransaction } from '../store/store';
import type { EventName, EventPayload } from './catalogue';
import { ownJson } from '../model/json';
import type { AttributeWithoutOwnerDto } from '../model/record/attribute';

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

/** Event about the source of a copy, which version 6 does not have. */
export interface NewEventOfVersion7 extends Omit<NewEvent<EventName>, 'name' | 'data'> {
	readonly name:
		'consumption.attributeForwardingDetailsChanged' | 'consumption.forwardedAttributeDeletedByPeer';
	/** source in the form of version 6, which is converted when it is delivered */
	readonly data: AttributeWithoutOwnerDto;
}

/**
 * Publishes an event in the transaction that makes the change; the compiler checks the data against
 * the catalogue.
 */
export function appendEvent<Name extends EventName>(
	tx: Pick<WriteTransaction, 'outbox'>,
	{ name, createdAt, peer, subject, data }: NewEvent<Name> | NewEventOfVersion7,
): Promise<void> {
	return tx.outbox.append({
		name,
		createdAt,
		...(peer === undefined ? {} : { peer }),
		subject,
		data: ownJson(data),
	});
}
