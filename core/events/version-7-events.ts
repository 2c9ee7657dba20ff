import * as z from 'zod';
import { objectMember } from '../model/content/members';
import { isJsonObject, type JsonObject } from '../model/json';
import type { OutboxEvent } from '../model/record/event';
import {
	attributeInEventOfVersion7Schema,
	toAttributeOfVersion7,
} from '../model/version-7/local-attribute';
import { shownInVersion7, type ShownShape } from '../model/version-7/shown-objects';
import { eventCatalogue, type EventName } from './catalogue';
import type { EventDefinition } from './event-definition';

const attribute = { payload: attributeInEventOfVersion7Schema, about: 'attribute' } as const;

/** Events that only version 7 has (docs/protocol/connector-7.md 9). */
export const eventsOfVersion7 = {
	'consumption.attributeSucceeded': {
		payload: z.object({
			/** version before, which now has `succeededBy` */
			predecessor: attributeInEventOfVersion7Schema,
			/** new version */
			successor: attributeInEventOfVersion7Schema,
		}),
		about: 'attribute',
		member: 'successor',
		when: 'An attribute got a new version, here or at the peer that owns it.',
		source: 'connector-7.md 9',
	},
	'consumption.attributeForwardingDetailsChanged': {
		...attribute,
		when: 'An attribute, or a new version of it, was shared with a peer, or is no longer because the relationship has ended.',
		source: 'connector-7.md 9',
	},
	'consumption.ownAttributeDeletedByOwner': {
		...attribute,
		when: 'A peer deleted an attribute of its own that it had shared with this account.',
		source: 'connector-7.md 9',
	},
	'consumption.forwardedAttributeDeletedByPeer': {
		...attribute,
		when: 'A peer deleted an attribute that this account had shared with it.',
		source: 'connector-7.md 9',
	},
	'consumption.peerRelationshipAttributeDeletedByPeer': {
		...attribute,
		when: 'A peer deleted a relationship attribute that it does not own.',
		source: 'connector-7.md 9',
	},
} as const satisfies Record<string, EventDefinition>;

/** Name of an event that only version 7 has. */
export type EventNameOfVersion7 = keyof typeof eventsOfVersion7;

/** Name and data of an event as consumers receive it. */
export type ShownEvent = Pick<OutboxEvent, 'name' | 'data'>;

const succession = 'consumption.attributeSucceeded';

/**
 * Events about attributes by the name under which they are stored: their name in version 7, or null
 * if they have none. An event about a copy has no form there: version 7 tells the change of the
 * source instead, which is stored as an event of its own.
 */
const attributeEvents: Readonly<Record<string, EventName | EventNameOfVersion7 | null>> = {
	'consumption.attributeCreated': 'consumption.attributeCreated',
	'consumption.attributeDeleted': 'consumption.attributeDeleted',
	'consumption.attributeWasViewedAtChanged': 'consumption.attributeWasViewedAtChanged',
	'consumption.repositoryAttributeSucceeded': succession,
	'consumption.ownSharedAttributeSucceeded': succession,
	'consumption.peerSharedAttributeSucceeded': succession,
	'consumption.thirdPartyRelationshipAttributeSucceeded': succession,
	'consumption.thirdPartyOwnedRelationshipAttributeSucceeded': null,
	'consumption.ownSharedAttributeDeletedByOwner': 'consumption.ownAttributeDeletedByOwner',
	'consumption.peerSharedAttributeDeletedByPeer':
		'consumption.peerRelationshipAttributeDeletedByPeer',
	'consumption.thirdPartyRelationshipAttributeDeletedByPeer':
		'consumption.peerRelationshipAttributeDeletedByPeer',
	'consumption.thirdPartyOwnedRelationshipAttributeDeletedByPeer': null,
	'consumption.attributeListenerCreated': null,
	'consumption.attributeListenerTriggered': null,
	'consumption.attributeForwardingDetailsChanged': 'consumption.attributeForwardingDetailsChanged',
	'consumption.forwardedAttributeDeletedByPeer': 'consumption.forwardedAttributeDeletedByPeer',
};

let shapes: ReadonlyMap<string, ShownShape['show']> | undefined;

/** Conversions of the data of all other events, by name. */
function shapesByName(): ReadonlyMap<string, ShownShape['show']> {
	shapes ??= new Map(
		Object.entries(eventCatalogue).flatMap(([name, { payload }]) => {
			const shape = shownInVersion7(payload);
			return shape === undefined ? [] : [[name, shape.show] as const];
		}),
	);
	return shapes;
}

/** A stored event in the form of version 7; undefined if it has none. */
export function eventInVersion7({ name, data }: ShownEvent): ShownEvent | undefined {
	const shownName = Object.hasOwn(attributeEvents, name) ? attributeEvents[name] : undefined;
	if (shownName === null) return undefined;
	if (shownName === undefined) {
		const shown = shapesByName().get(name)?.(data);
		return { name, data: isJsonObject(shown) ? shown : data };
	}
	const shown = shownName === succession ? successionOf(data) : toAttributeOfVersion7(data);
	return shown && { name: shownName, data: shown };
}

function successionOf(data: JsonObject): JsonObject | undefined {
	const predecessor = toAttributeOfVersion7(objectMember(data, 'predecessor'));
	const successor = toAttributeOfVersion7(objectMember(data, 'successor'));
	return predecessor && successor && { predecessor, successor };
}

/** True for a name of version 6 that version 7 does not have. */
export function isGoneInVersion7(name: string): boolean {
	return Object.hasOwn(attributeEvents, name) && attributeEvents[name] !== name;
}
