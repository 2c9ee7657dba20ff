import * as z from 'zod';
import {
	datawalletModificationItemSchema,
	datawalletModificationReceiptSchema,
} from './datawallet';
import { externalEventPayloadSchema } from './external-event-payload';
import { idSchema, instantSchema, optionalInstantSchema } from './wire';

export const syncRunTypes = ['ExternalEventSync', 'DatawalletVersionUpgrade'] as const;
export const syncRunTypeSchema = z.enum(syncRunTypes);
export type SyncRunType = z.infer<typeof syncRunTypeSchema>;

/** `docs/protocol/backbone-api.md` 11.1 */
export const startSyncRunBodySchema = z.object({
	type: syncRunTypeSchema.nullish(),
	/** seconds; the server's default is 10 */
	duration: z.number().int().min(0).max(65_535).nullish(),
});
export type StartSyncRunBody = z.infer<typeof startSyncRunBodySchema>;

export const wireSyncRunSchema = z.object({
	id: idSchema('SYR'),
	type: syncRunTypeSchema.nullish(),
	expiresAt: optionalInstantSchema,
	index: z.number().int().nullish(),
	createdAt: optionalInstantSchema,
	createdBy: z.string().max(100).nullish(),
	createdByDevice: z.string().max(100).nullish(),
	eventCount: z.number().int().min(0).nullish(),
});
export type WireSyncRun = z.infer<typeof wireSyncRunSchema>;

export const startSyncRunResultSchema = z.object({
	status: z.enum(['Created', 'NoNewEvents']).nullish(),
	syncRun: wireSyncRunSchema.nullish(),
});
export type StartSyncRunResult = z.infer<typeof startSyncRunResultSchema>;

const maxIndex = 2 ** 31 - 1;

/** `docs/protocol/backbone-api.md` 12.1. Types that we do not know must not break a sync. */
export const wireExternalEventSchema = z.object({
	id: idSchema('SYI'),
	type: z.string().max(200).catch(''),
	/** orders the events; one with an odd place must fail alone, if at all */
	index: z.number().int().min(0).max(maxIndex).catch(maxIndex),
	createdAt: instantSchema,
	syncErrorCount: z.number().int().min(0).catch(0),
	payload: externalEventPayloadSchema,
});
export type WireExternalEvent = z.infer<typeof wireExternalEventSchema>;

export const externalEventResultSchema = z.object({
	externalEventId: idSchema('SYI'),
	errorCode: z.string().max(100).nullish(),
});
export type ExternalEventResult = z.infer<typeof externalEventResultSchema>;

/** `docs/protocol/backbone-api.md` 11.3 */
export const finalizeExternalEventSyncBodySchema = z.object({
	externalEventResults: z.array(externalEventResultSchema),
	datawalletModifications: z.array(datawalletModificationItemSchema),
});
export type FinalizeExternalEventSyncBody = z.infer<typeof finalizeExternalEventSyncBodySchema>;

export const externalEventSyncOutcomeSchema = z.object({
	newDatawalletModificationIndex: z.number().int().nullish(),
	datawalletModifications: z.array(datawalletModificationReceiptSchema).nullish(),
	newUnsyncedExternalEventsExist: z.boolean().nullish(),
});
export type ExternalEventSyncOutcome = z.infer<typeof externalEventSyncOutcomeSchema>;

/** `docs/protocol/backbone-api.md` 11.4 */
export const finalizeDatawalletVersionUpgradeBodySchema = z.object({
	newDatawalletVersion: z.number().int().min(1).max(65_535),
	datawalletModifications: z.array(datawalletModificationItemSchema),
});
export type FinalizeDatawalletVersionUpgradeBody = z.infer<
	typeof finalizeDatawalletVersionUpgradeBodySchema
>;

export const datawalletVersionUpgradeOutcomeSchema = z.object({
	newDatawalletModificationIndex: z.number().int().nullish(),
	datawalletModifications: z.array(datawalletModificationReceiptSchema).nullish(),
});

export const refreshedExpirationSchema = z.object({ expiresAt: instantSchema });
