import type { JsonObject } from '../../model/json';
import type { InboxEvent } from '../../model/record/sync';
import type { ExternalEventType } from '../external-events';

/** Stands for the run of an event that the Backbone never announced. */
const foundRunId = 'reconciliation';

/** What one page or group of a list has shown. */
export interface Compared {
	readonly compared: number;
	readonly found: readonly InboxEvent[];
	/** where to go on; absent at the end of the list */
	readonly next?: number;
	/** of what is asked for one by one: where the next turn begins */
	readonly askedTo?: number;
}

/** How much is asked for of what no list shows, at a call for each object. */
export interface SingleLooks {
	/** everything: events were lost, or everything is wanted */
	readonly isAll: boolean;
	/** position in the store that the last turn has reached; absent: the turn of this comparison is over */
	readonly askedTo?: number;
}

/**
 * An external event in place of one that was lost. Its id is made of what it tells, so that finding the
 * same again adds nothing, and has another form than the ids of the Backbone.
 *
 * @param about object, and the moment where its state can come again: an event that was applied is not
 * applied a second time
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
