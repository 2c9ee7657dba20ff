import * as z from 'zod';
import { isWithinLimits } from '../../base/untrusted-json';
import { isJsonObject, type JsonObject } from '../../model/json';
import {
	idSchema,
	instantSchema,
	nameSchema,
	numberSchema,
	shownInstantSchema,
	shownTextSchema,
	textSchema,
} from './wire';

const payloadLimits = { maxValues: 200, maxDepth: 8, maxTextLength: 10_000 };

/**
 * Replaces a payload that is not an object or is too large with `{}`. A malformed event then fails
 * alone, when it is processed, and not together with the page that contains it.
 */
const externalEventPayloadSchema = z.unknown().transform((value): JsonObject => {
	return isJsonObject(value) && isWithinLimits(value, payloadLimits) ? value : {};
});

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

/**
 * Requires a run or the status `NoNewEvents`: only that status says that there are no new events.
 */
export const startSyncRunResultSchema = z
	.object({ status: shownTextSchema, syncRun: wireSyncRunSchema.nullish() })
	.refine(({ status, syncRun }) => syncRun != null || status === 'NoNewEvents', {
		message: 'expected a run, or the status NoNewEvents',
		path: ['syncRun'],
	});

const maxIndex = 2 ** 31 - 1;

/**
 * `docs/protocol/backbone-api.md` 12.1. Unknown types must not break a sync. An unreadable event
 * needs only its id: it fails alone, when it is processed.
 */
export const wireExternalEventSchema = z.object({
	id: nameSchema,
	/** absent if it is not text */
	type: textSchema.optional().catch(undefined),
	/** events are ordered by index and by time */
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
