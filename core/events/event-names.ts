import * as z from 'zod';
import { jsonObjectSchema } from '../model/json';
import { eventCatalogue, type EventName } from './catalogue';

/** True for the name of an event that this version publishes. */
export function isEventName(name: string): name is EventName {
	return Object.hasOwn(eventCatalogue, name);
}

export const eventNames: readonly EventName[] = Object.keys(eventCatalogue).filter(isEventName);

/** Schema of an event as every consumer receives it. */
export const gatewayEventSchema = z.object({
	id: z.string(),
	sequence: z.number().int(),
	event: z.string(),
	createdAt: z.string(),
	peer: z.string().optional(),
	data: jsonObjectSchema,
});
