import * as z from 'zod';
import { jsonObjectSchema } from '../json';

export const settingScopes = ['Identity', 'Device', 'Relationship'] as const;

/** Value that a client stores under a key (docs/protocol/consumption.md 12). */
export const settingSchema = z.object({
	id: z.string(),
	key: z.string(),
	scope: z.enum(settingScopes),
	/** id of the object to which the scope refers */
	reference: z.string().optional(),
	value: jsonObjectSchema,
	createdAt: z.string(),
	succeedsItem: z.string().optional(),
	succeedsAt: z.string().optional(),
});
export type SettingRecord = z.infer<typeof settingSchema>;
export type SettingDto = SettingRecord;

/** Draft that a client stores (docs/protocol/consumption.md 12). */
export const draftSchema = z.object({
	id: z.string(),
	/** chosen by the client, may be empty */
	type: z.string(),
	createdAt: z.string(),
	lastModifiedAt: z.string(),
	content: jsonObjectSchema,
});
export type DraftRecord = z.infer<typeof draftSchema>;
export type DraftDto = DraftRecord;
