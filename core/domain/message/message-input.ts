import * as z from 'zod';
import { addressPatternSchema } from '../../model/address';
import { fileIdSchema } from '../../model/ids';

/** Input of a caller who sends a message (docs/protocol/transport.md 7.2). */
export const sendInputSchema = z.strictObject({
	recipients: z
		.array(addressPatternSchema)
		.min(1, 'at least one recipient is needed')
		.max(1_000)
		.refine((all) => new Set(all).size === all.length, 'an address occurs more than once'),
	content: z.unknown(),
	attachments: z
		.array(fileIdSchema)
		.max(1_000)
		.refine((all) => new Set(all).size === all.length, 'a file occurs more than once')
		.default([]),
});
