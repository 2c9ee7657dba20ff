import type { JsonObject } from '../../model/json';
import type { InboxEvent } from '../../model/record/sync';
import type { ExternalEventType } from '../external-events';

/** Stands for the run of an event that the Backbone never announced. */
const foundRunId = 'reconciliation';

/** What one page or group of a list has shown. */
export interface Compared {
	readonly compared: number;
	readonly found: readonly InboxEvent[];
	/** what was applied at once, without an event */
	readonly changed?: number;
	/** where to go on; absent at the end of the list */
	readonly next?: number;
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
