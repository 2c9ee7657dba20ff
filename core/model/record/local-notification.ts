import * as z from 'zod';
import type { Notification } from '../content/notifications';
import { objectOf } from '../json';

export const localNotificationStatuses = ['Open', 'Sent', 'Completed', 'Error'] as const;

/**
 * Notification to or from a peer about a shared attribute, all of it public
 * (docs/protocol/consumption.md 9.1).
 */
export const localNotificationRecordSchema = z.object({
	/** NOT id in the content */
	id: z.string(),
	/** true if this identity sent it */
	isOwn: z.boolean(),
	/** recipient or sender */
	peer: z.string(),
	/** time of the message */
	createdAt: z.string(),
	/** set for received notifications */
	receivedByDevice: z.string().optional(),
	/** Notification JSON with its `items` */
	content: objectOf<Notification>(),
	/**
	 * `Open`: received and not processed; `Sent`: own; `Completed`: it took effect; `Error`: it
	 * had no effect
	 */
	status: z.enum(localNotificationStatuses),
	/** message that carries the notification */
	source: z.object({
		/** kind of the object that carries the notification */
		type: z.literal('Message'),
		/** id of the message */
		reference: z.string(),
	}),
});
export type LocalNotificationRecord = z.infer<typeof localNotificationRecordSchema>;

/** Notification to or from a peer about a shared attribute. */
export type LocalNotificationDto = z.infer<typeof localNotificationRecordSchema>;
