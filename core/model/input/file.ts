import * as z from 'zod';
import { instantSchema } from '../instant';
import { listInput } from './schemas';

/** Description of a file to upload, as given by the caller (docs/protocol/http-api.md 8.6). */
export const uploadInputSchema = z.strictObject({
	/** name for downloads */
	filename: z.string().max(1_000),
	/** media type, for example `application/pdf` */
	mimetype: z.string().max(1_000),
	/** title; absent: none */
	title: z.string().max(100_000).optional(),
	/** description; absent: none */
	description: z.string().max(100_000).optional(),
	/** tags, each once; absent: none */
	tags: listInput(
		z
			.array(z.string().max(1_000))
			.max(1_000)
			.refine((tags) => new Set(tags).size === tags.length, 'a tag occurs more than once'),
	).optional(),
	/** ISO time until which the Backbone keeps the file; absent: practically without end */
	expiresAt: instantSchema.optional(),
});
/** Description of a file to upload. */
export type UploadFileInput = z.input<typeof uploadInputSchema>;
