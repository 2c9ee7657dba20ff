import * as z from 'zod';
import { externalEventPayloadSchema } from './external-event-payload';
import {
	idSchema,
	instantSchema,
	nameSchema,
	numberSchema,
	shownInstantSchema,
	shownTextSchema,
	textSchema,
} from './wire';

export const syncRunTypes = ['ExternalEventSync', 'DatawalletVersionUpgrade'] as const;
export const syncRunTypeSchema = z.enum(syncRunTypes);
export type SyncRunType = z.infer<typeof syncRunTypeSchema>;

export const wireSyncRunSchema = z.object({
	id: idSchema('SYR'),
	type: shownTextSchema,
	expiresAt: shownInstantSchema,
	eventCount: z.number().nullish().catch(undefined),
});
export type WireSyncRun = z.infer<typeof wireSyncRunSchema>;

/** Only the status says that there are no new events: without it, and without a run, nothing is known. */
export const startSyncRunResultSchema = z
	.object({ status: shownTextSchema, syncRun: wireSyncRunSchema.nullish() })
	.refine(({ status, syncRun }) => syncRun != null || status === 'NoNewEvents', {
		message: 'expected a run, or the status NoNewEvents',
		path: ['syncRun'],
	});

const maxIndex = 2 ** 31 - 1;

/**
 * `docs/protocol/backbone-api.md` 12.1. Types that we do not know must not break a sync, and of an
 * event that cannot be read its name is enough: it fails alone, in its own step.
 */
export const wireExternalEventSchema = z.object({
	id: nameSchema,
	/** absent when it is no text */
	type: textSchema.optional().catch(undefined),
	/** orders the events, as does the time */
	index: numberSchema(0, maxIndex).catch(maxIndex),
	createdAt: instantSchema.optional().catch(undefined),
	syncErrorCount: numberSchema(0, maxIndex).catch(0),
	payload: externalEventPayloadSchema,
});
export type WireExternalEvent = z.infer<typeof wireExternalEventSchema>;

export const externalEventResultSchema = z.object({
	externalEventId: nameSchema,
	errorCode: z.string().max(100).nullish(),
});
export type ExternalEventResult = z.infer<typeof externalEventResultSchema>;

export const externalEventSyncOutcomeSchema = z.object({
	newUnsyncedExternalEventsExist: z.boolean().nullish().catch(undefined),
});

export const refreshedExpirationSchema = z.object({ expiresAt: instantSchema });
