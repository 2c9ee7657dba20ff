import * as z from 'zod';
import type { Notification } from '../content/notifications';
import { objectOf } from '../json';

export const localNotificationStatuses = ['Open', 'Sent', 'Completed', 'Error'] as const;

/**
 * Notification to or from a peer about a shared attribute, all of it public
 * (docs/protocol/consumption.md 9.1).
 */
export const localNotificationRecordSchema = z.object({
	id: z.string(),
	isOwn: z.boolean(),
	peer: z.string(),
	createdAt: z.string(),
	receivedByDevice: z.string().optional(),
	content: objectOf<Notification>(),
	status: z.enum(localNotificationStatuses),
	source: z.object({ type: z.literal('Message'), reference: z.string() }),
});
export type LocalNotificationRecord = z.infer<typeof localNotificationRecordSchema>;

/** Notification to or from a peer about a shared attribute. */
export interface LocalNotificationDto {
	/** NOT id in the content */
	readonly id: string;
	/** true if this identity sent it */
	readonly isOwn: boolean;
	/** recipient or sender */
	readonly peer: string;
	/** time of the message */
	readonly createdAt: string;
	/** set for received notifications */
	readonly receivedByDevice?: string | undefined;
	/** Notification JSON with its `items` */
	readonly content: Notification;
	/**
	 * `Open`: received and not processed; `Sent`: own; `Completed`: it took effect; `Error`: it
	 * had no effect
	 */
	readonly status: 'Open' | 'Sent' | 'Completed' | 'Error';
	/** message that carries the notification */
	readonly source: {
		/** kind of the object that carries the notification */
		readonly type: 'Message';
		/** id of the message */
		readonly reference: string;
	};
}
