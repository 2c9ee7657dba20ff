import * as z from 'zod';
import { jsonObjectSchema } from '../json';

export const settingScopes = ['Identity', 'Device', 'Relationship'] as const;

/** A value that a client keeps here under a key (consumption 12). */
export const settingSchema = z.object({
	id: z.string(),
	key: z.string(),
	scope: z.enum(settingScopes),
	/** id of what the scope is about */
	reference: z.string().optional(),
	value: jsonObjectSchema,
	createdAt: z.string(),
	succeedsItem: z.string().optional(),
	succeedsAt: z.string().optional(),
});
export type SettingRecord = z.infer<typeof settingSchema>;
export type SettingDto = SettingRecord;

/** Something unfinished that a client keeps here (consumption 12). */
export const draftSchema = z.object({
	id: z.string(),
	/** free choice, may be empty */
	type: z.string(),
	createdAt: z.string(),
	lastModifiedAt: z.string(),
	content: jsonObjectSchema,
});
export type DraftRecord = z.infer<typeof draftSchema>;
export type DraftDto = DraftRecord;
