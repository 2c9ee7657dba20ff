import * as z from 'zod';
import { jsonObjectSchema } from '../json';

export const localNotificationStatuses = ['Open', 'Sent', 'Completed', 'Error'] as const;

/** A notification to or from a peer about an attribute that both hold (consumption 9.1). */
export const localNotificationSchema = z.object({
	/** NOT id of the content */
	id: z.string(),
	isOwn: z.boolean(),
	/** whom it went to, or came from */
	peer: z.string(),
	/** of the message */
	createdAt: z.string(),
	/** of received ones */
	receivedByDevice: z.string().optional(),
	content: jsonObjectSchema,
	status: z.enum(localNotificationStatuses),
	source: z.object({ type: z.literal('Message'), reference: z.string() }),
});
export type LocalNotificationRecord = z.infer<typeof localNotificationSchema>;
export type LocalNotificationDto = LocalNotificationRecord;
