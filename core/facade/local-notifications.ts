import type { Cancellable } from '../base/abort';
import type { ListInput } from './lists';
import type { LocalNotificationDto } from '../model/record/local-notification';
import type { LocalNotificationField } from '../store/store';

/**
 * Notifications between this identity and its peers about attributes that both have. They
 * take effect automatically.
 */
export interface LocalNotificationUseCases {
	/**
	 * Returns a notification by its `NOT` id.
	 *
	 * @throws `error.runtime.recordNotFound`
	 */
	get(id: string, options?: Cancellable): Promise<LocalNotificationDto>;
	/** Lists notifications, sent and received ones. */
	list(
		input?: ListInput<LocalNotificationField>,
		options?: Cancellable,
	): Promise<LocalNotificationDto[]>;
	/** Retries a notification that had no effect. */
	process(id: string, options?: Cancellable): Promise<LocalNotificationDto>;
	/** Notification that a received message carries. */
	received(messageId: string, options?: Cancellable): Promise<LocalNotificationDto>;
	/** Notification that a sent message carries. */
	sent(messageId: string, options?: Cancellable): Promise<LocalNotificationDto>;
}
