import * as z from 'zod';
import { jsonObjectSchema } from '../json';

export const localNotificationStatuses = ['Open', 'Sent', 'Completed', 'Error'] as const;

/** Notification to or from a peer about a shared attribute (docs/protocol/consumption.md 9.1). */
export const localNotificationSchema = z.object({
	/** NOT id in the content */
	id: z.string(),
	isOwn: z.boolean(),
	/** recipient or sender */
	peer: z.string(),
	/** time of the message */
	createdAt: z.string(),
	/** set for received notifications */
	receivedByDevice: z.string().optional(),
	content: jsonObjectSchema,
	status: z.enum(localNotificationStatuses),
	source: z.object({ type: z.literal('Message'), reference: z.string() }),
});
export type LocalNotificationRecord = z.infer<typeof localNotificationSchema>;
export type LocalNotificationDto = LocalNotificationRecord;
