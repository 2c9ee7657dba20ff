import * as z from 'zod';
import { jsonObjectSchema } from '../json';

export const settingScopes = ['Identity', 'Device', 'Relationship'] as const;

/** Value that a client stores under a key, all of it public (docs/protocol/consumption.md 12). */
export const settingRecordSchema = z.object({
	/** id of the setting, generated here */
	id: z.string(),
	/** name that the client chose; several settings may have the same */
	key: z.string(),
	/** what the setting is about: the identity, this device, or a relationship */
	scope: z.enum(settingScopes),
	/** id of the object to which the scope refers */
	reference: z.string().optional(),
	/** JSON object of the client */
	value: jsonObjectSchema,
	/** ISO time of the creation */
	createdAt: z.string(),
	/** id of the setting that this one replaces */
	succeedsItem: z.string().optional(),
	/** ISO time from which on it replaces the other */
	succeedsAt: z.string().optional(),
});
export type SettingRecord = z.infer<typeof settingRecordSchema>;

/** Value that a client stores under a key. */
export type SettingDto = z.infer<typeof settingRecordSchema>;

/** Draft that a client stores, all of it public (docs/protocol/consumption.md 12). */
export const draftRecordSchema = z.object({
	/** id of the draft, generated here */
	id: z.string(),
	/** chosen by the client, may be empty */
	type: z.string(),
	/** ISO time of the creation */
	createdAt: z.string(),
	/** ISO time of the latest update */
	lastModifiedAt: z.string(),
	/** JSON object of the client */
	content: jsonObjectSchema,
});
export type DraftRecord = z.infer<typeof draftRecordSchema>;

/** Draft that a client stores. */
export type DraftDto = z.infer<typeof draftRecordSchema>;
