import * as z from 'zod';
import { jsonObjectSchema, type JsonObject } from '../json';

export const settingScopes = ['Identity', 'Device', 'Relationship'] as const;

/** Value that a client stores under a key, all of it public (docs/protocol/consumption.md 12). */
export const settingRecordSchema = z.object({
	id: z.string(),
	key: z.string(),
	scope: z.enum(settingScopes),
	reference: z.string().optional(),
	value: jsonObjectSchema,
	createdAt: z.string(),
	succeedsItem: z.string().optional(),
	succeedsAt: z.string().optional(),
});
export type SettingRecord = z.infer<typeof settingRecordSchema>;

/** Value that a client stores under a key. */
export interface SettingDto {
	/** id of the setting, generated here */
	readonly id: string;
	/** name that the client chose; several settings may have the same */
	readonly key: string;
	/** what the setting is about: the identity, this device, or a relationship */
	readonly scope: 'Identity' | 'Device' | 'Relationship';
	/** id of the object to which the scope refers */
	readonly reference?: string | undefined;
	/** JSON object of the client */
	readonly value: JsonObject;
	/** ISO time of the creation */
	readonly createdAt: string;
	/** id of the setting that this one replaces */
	readonly succeedsItem?: string | undefined;
	/** ISO time from which on it replaces the other */
	readonly succeedsAt?: string | undefined;
}

/** Draft that a client stores, all of it public (docs/protocol/consumption.md 12). */
export const draftRecordSchema = z.object({
	id: z.string(),
	type: z.string(),
	createdAt: z.string(),
	lastModifiedAt: z.string(),
	content: jsonObjectSchema,
});
export type DraftRecord = z.infer<typeof draftRecordSchema>;

/** Draft that a client stores. */
export interface DraftDto {
	/** id of the draft, generated here */
	readonly id: string;
	/** chosen by the client, may be empty */
	readonly type: string;
	/** ISO time of the creation */
	readonly createdAt: string;
	/** ISO time of the latest update */
	readonly lastModifiedAt: string;
	/** JSON object of the client */
	readonly content: JsonObject;
}
