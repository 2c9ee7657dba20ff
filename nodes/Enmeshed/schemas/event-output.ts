import { z } from 'zod';
import { answersSchema, sharedAttributesSchema } from './value-outputs';

/** File of a message, in the field of the item, or the reason why it is not there. */
const attachmentOutputSchema = z.object({
	id: z.string(),
	filename: z.string().optional(),
	mimetype: z.string().optional(),
	/** in bytes */
	filesize: z.number().optional(),
	/** binary field with the file */
	field: z.string().optional(),
	error: z.object({ code: z.string(), message: z.string() }).optional(),
});
export type AttachmentOutput = z.infer<typeof attachmentOutputSchema>;

/** Event as the trigger emits it; the event decides which optional members are present. */
export const eventOutputSchema = z.object({
	/** technical name */
	event: z.string(),
	/** name as the list of events shows it */
	eventName: z.string(),
	id: z.string(),
	createdAt: z.string(),
	peer: z.string().optional(),
	peerName: z.string().optional(),
	relationshipId: z.string().optional(),
	status: z.string().optional(),
	peerDeletionDate: z.string().optional(),
	templateId: z.string().optional(),
	templateTitle: z.string().optional(),
	purpose: z.string().optional(),
	sharedAttributes: sharedAttributesSchema.optional(),
	messageId: z.string().optional(),
	messageType: z.string().optional(),
	subject: z.string().optional(),
	body: z.string().optional(),
	bodyFormat: z.string().optional(),
	/** with the option 'Download Attachments' one object for each file */
	attachments: z.union([z.array(z.string()), z.array(attachmentOutputSchema)]).optional(),
	requestId: z.string().optional(),
	requestTitle: z.string().optional(),
	expiresAt: z.string().optional(),
	result: z.string().optional(),
	answers: answersSchema.optional(),
	attributeId: z.string().optional(),
	attributeType: z.string().optional(),
	value: z.unknown().optional(),
	previousValue: z.unknown().optional(),
	/** of messages that are no mails, and of requests of a peer */
	content: z.record(z.string(), z.unknown()).optional(),
	/** whole data of the event, unless it is simplified */
	data: z.record(z.string(), z.unknown()).optional(),
	/** only in a test in the editor: where the event comes from */
	sample: z.string().optional(),
});
export type EventOutput = z.infer<typeof eventOutputSchema>;
