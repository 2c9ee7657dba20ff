import type * as z from 'zod';

/** Kinds of records that events carry. */
export type EventSubject =
	| 'relationship'
	| 'template'
	| 'message'
	| 'incomingRequest'
	| 'outgoingRequest'
	| 'attribute'
	| 'attributeListener'
	| 'file'
	| 'identityDeletionProcess';

/** Kind and position of the record in the data of an event. */
export interface CarriedRecord {
	/** kind of the record; absent when the event carries none */
	readonly about?: EventSubject;
	/** member of the data that holds the record; absent when the data itself is the record */
	readonly member?: string;
}

export interface EventDefinition extends CarriedRecord {
	readonly payload: z.ZodType;
	/** description of when the event is published, for docs/events.md */
	readonly when: string;
	readonly source: string;
}
