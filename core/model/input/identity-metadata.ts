import * as z from 'zod';
import { addressPatternSchema } from '../address';
import { isBounded } from '../content/parse';
import { jsonSchema } from '../json';

const placeShape = {
	/** own address, or address of a peer */
	reference: addressPatternSchema,
	/** name of the value; absent: the one value without a name */
	key: z.string().max(1_000).optional(),
};

export const identityMetadataPlaceSchema = z.strictObject(placeShape);
/** Place of a stored value. */
export type IdentityMetadataPlaceInput = z.input<typeof identityMetadataPlaceSchema>;

export const upsertIdentityMetadataSchema = z.strictObject({
	...placeShape,
	/** JSON value except null */
	value: jsonSchema.refine(isBounded, 'nested too deeply, too large, or not JSON'),
});
/** Value to store, and its place. */
export type UpsertIdentityMetadataInput = z.input<typeof upsertIdentityMetadataSchema>;
