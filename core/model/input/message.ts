import * as z from 'zod';
import { addressPatternSchema } from '../address';
import { fileIdSchema } from '../ids';
import type { MessageContentInput } from './contents';
import { judgedLater, listInput } from './schemas';

/** Input of a caller who sends a message (docs/protocol/transport.md 7.2). */
export const sendInputSchema = z.strictObject({
	/** addresses of connected peers, each once */
	recipients: listInput(
		z
			.array(addressPatternSchema)
			.min(1, 'at least one recipient is needed')
			.max(1_000)
			.refine((all) => new Set(all).size === all.length, 'an address occurs more than once'),
	),
	/** content with `@type` */
	content: judgedLater<MessageContentInput>(),
	/** ids of files that are stored here */
	attachments: listInput(
		z
			.array(fileIdSchema)
			.max(1_000)
			.refine((all) => new Set(all).size === all.length, 'a file occurs more than once'),
	).default([]),
});
/** Message to send. */
export type SendMessageInput = z.input<typeof sendInputSchema>;
