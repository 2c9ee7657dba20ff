import * as z from 'zod';
import {
	addressSchema,
	bytesSchema,
	createdObjectSchema,
	deviceTextSchema,
	idSchema,
	instantSchema,
	optionalInstantSchema,
	shownTextSchema,
} from './wire';

const attachmentSchema = z.object({ id: idSchema('FIL') });

/** `docs/protocol/backbone-api.md` 15.1 */
export const sendMessageBodySchema = z.object({
	recipients: z.array(z.object({ address: addressSchema, encryptedKey: bytesSchema(30) })).min(1),
	body: bytesSchema(1),
	attachments: z.array(attachmentSchema).max(20),
});
export type SendMessageBody = z.infer<typeof sendMessageBodySchema>;

export const sentMessageSchema = createdObjectSchema('MSG');
export type SentMessage = z.infer<typeof sentMessageSchema>;

/** `docs/protocol/backbone-api.md` 15.2. A recipient sees only its own entry in `recipients`. */
export const wireMessageSchema = z.object({
	id: idSchema('MSG'),
	createdAt: instantSchema,
	createdBy: addressSchema,
	createdByDevice: deviceTextSchema,
	body: bytesSchema(1),
	/** bounded, because reading each attachment takes a call */
	attachments: z.array(attachmentSchema).max(100),
	recipients: z.array(
		z.object({
			address: addressSchema,
			encryptedKey: bytesSchema(1),
			receivedAt: optionalInstantSchema,
			receivedByDevice: shownTextSchema,
		}),
	),
});
export type WireMessage = z.infer<typeof wireMessageSchema>;
