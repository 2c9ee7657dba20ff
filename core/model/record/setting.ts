import * as z from 'zod';
import { jsonObjectSchema } from '../json';

export const settingScopes = ['Identity', 'Device', 'Relationship'] as const;

/** Value that a client stores under a key (docs/protocol/consumption.md 12). */
export const settingSchema = z.object({
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
/** Setting as it is stored. */
export type SettingRecord = z.infer<typeof settingSchema>;
/** Setting as callers receive it. */
export type SettingDto = SettingRecord;

/** Draft that a client stores (docs/protocol/consumption.md 12). */
export const draftSchema = z.object({
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
/** Draft as it is stored. */
export type DraftRecord = z.infer<typeof draftSchema>;
/** Draft as callers receive it. */
export type DraftDto = DraftRecord;
