import type { JsonObject } from '../../model/json';
import type { InboxEvent } from '../../model/record/sync';
import type { ExternalEventType } from '../external-events';

/** Run id of events that the Backbone never reported. */
const foundRunId = 'reconciliation';

/** Result for one page or group of a list. */
export interface Compared {
	readonly compared: number;
	readonly found: readonly InboxEvent[];
	/** position to continue from; absent at the end of the list */
	readonly next?: number;
	/** position from which the next turn requests single objects */
	readonly askedTo?: number;
}

/** Extent of requests for objects that no list shows, at one call per object. */
export interface SingleLooks {
	/** true for all objects, because events were lost or a full comparison is requested */
	readonly isAll: boolean;
	/**
	 * position in the store that the last turn has reached; absent once the turn of this comparison
	 * is over
	 */
	readonly askedTo?: number;
}

/**
 * Creates an external event in place of a lost one. Its id is derived from its content, so that
 * finding the same change again adds nothing, and it differs in form from the ids of the Backbone.
 *
 * @param about the object, and the time if the object can enter the same state again, because an
 * applied event is not applied a second time
 */
export function foundEvent(
	type: ExternalEventType,
	payload: JsonObject,
	about: string,
	createdAt: string,
): InboxEvent {
	return {
		id: `recovered:${about}`,
		runId: foundRunId,
		type,
		index: -1,
		createdAt,
		payload,
		state: 'pending',
		attempts: 0,
	};
}
