import * as z from 'zod';
import { jsonObjectSchema } from '../model/json';
import type { OutboxEvent } from '../model/record/event';
import { eventCatalogue, type EventName } from './catalogue';
import {
	eventInVersion7,
	eventsOfVersion7,
	isGoneInVersion7,
	type EventNameOfVersion7,
} from './version-7-events';

/** True for the name of an event that this version publishes. */
export function isEventName(name: string): name is EventName {
	return Object.hasOwn(eventCatalogue, name);
}

export const eventNames: readonly EventName[] = Object.keys(eventCatalogue).filter(isEventName);

export const eventVersionSchema = z.literal([6, 7]);
/**
 * Version of the official gateway in whose names and shapes a consumer gets events
 * (docs/protocol/connector-7.md 9).
 */
export type EventVersion = z.infer<typeof eventVersionSchema>;

/** Name of an event in any version. */
export type AnyEventName = EventName | EventNameOfVersion7;

function isNameOfVersion7(name: string): name is EventNameOfVersion7 {
	return Object.hasOwn(eventsOfVersion7, name);
}

const namesInVersion7: readonly AnyEventName[] = [
	...eventNames.filter((name) => !isGoneInVersion7(name)),
	...Object.keys(eventsOfVersion7).filter(isNameOfVersion7),
];

/** Names of the events of a version. */
export function eventNamesIn(version: EventVersion): readonly AnyEventName[] {
	return version === 7 ? namesInVersion7 : eventNames;
}

/**
 * A stored event as a version shows it; undefined if it has none. Names that only a newer version
 * of this package publishes are shown as they are.
 */
export function eventIn(version: EventVersion, event: OutboxEvent): OutboxEvent | undefined {
	if (version === 6) return isNameOfVersion7(event.name) ? undefined : event;
	const shown = eventInVersion7(event);
	return shown && { ...event, ...shown };
}

/** Schema of an event as every consumer receives it. */
export const gatewayEventSchema = z.object({
	id: z.string(),
	sequence: z.number().int(),
	event: z.string(),
	createdAt: z.string(),
	peer: z.string().optional(),
	correlationId: z.string().optional(),
	data: jsonObjectSchema,
});
