import * as z from 'zod';
import { instantSchema } from '../../model/instant';

/** Description of a file to upload, as given by the caller (docs/protocol/http-api.md 8.6). */
export const uploadInputSchema = z.strictObject({
	filename: z.string().max(1_000),
	mimetype: z.string().max(1_000),
	title: z.string().max(1_000).optional(),
	description: z.string().max(100_000).optional(),
	tags: z
		.array(z.string().max(1_000))
		.max(1_000)
		.refine((tags) => new Set(tags).size === tags.length, 'a tag occurs more than once')
		.optional(),
	expiresAt: instantSchema.optional(),
});

/** Expiry date of files without expiry at the Backbone. */
export const neverExpires = '9999-12-31T00:00:00.000Z';
