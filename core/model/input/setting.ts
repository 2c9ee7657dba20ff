import * as z from 'zod';
import { isBounded } from '../content/parse';
import { instantSchema } from '../instant';
import { jsonObjectSchema } from '../json';
import { settingScopes } from '../record/setting';

const objectSchema = jsonObjectSchema.refine(
	isBounded,
	'nested too deeply, too large, or not JSON',
);
const placeShape = {
	/** name of the setting */
	key: z.string().max(1_000),
	/** what the setting is about; the default is `Identity` */
	scope: z.enum(settingScopes).default('Identity'),
	/** id of the object that the scope refers to */
	reference: z.string().max(1_000).optional(),
};

export const settingPlaceSchema = z.strictObject(placeShape);
/** Place of a setting. */
export type SettingPlaceInput = z.input<typeof settingPlaceSchema>;

export const upsertSettingSchema = z.strictObject({
	...placeShape,
	/** JSON object */
	value: objectSchema,
});
/** Value to store, and its place. */
export type UpsertSettingInput = z.input<typeof upsertSettingSchema>;

export const createSettingSchema = upsertSettingSchema.extend({
	/** id of the setting that this one replaces; absent: none */
	succeedsItem: z.string().max(1_000).optional(),
	/** ISO time from which on it replaces the other */
	succeedsAt: instantSchema.optional(),
});
/** Setting to add. */
export type CreateSettingInput = z.input<typeof createSettingSchema>;

export const updateSettingSchema = z.strictObject({
	/** JSON object that replaces the old one */
	value: objectSchema,
});
/** New value of a setting. */
export type UpdateSettingInput = z.input<typeof updateSettingSchema>;

export const createDraftSchema = z.strictObject({
	/** JSON object */
	content: objectSchema,
	/** chosen freely by the client */
	type: z.string().max(1_000).default(''),
});
/** Draft to store. */
export type CreateDraftInput = z.input<typeof createDraftSchema>;

export const updateDraftSchema = z.strictObject({
	/** JSON object that replaces the old one */
	content: objectSchema,
});
/** New content of a draft. */
export type UpdateDraftInput = z.input<typeof updateDraftSchema>;
