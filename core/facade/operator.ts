import type { Cancellable } from '../base/abort';
import type { AnnouncementDto } from '../model/record/announcement';
import type { TagCollectionDto } from '../model/record/tag';

export interface AnnouncementUseCases {
	/** Announcements of the operator; `language` is a code of two letters. */
	list(input: unknown, options?: Cancellable): Promise<AnnouncementDto[]>;
}

export interface NotificationUseCases {
	/** Shows a text of the operator, chosen by its `code`, on the phones of `recipients`. */
	send(input: unknown, options?: Cancellable): Promise<void>;
}

export interface TagUseCases {
	/** Tags that the operator suggests; at most five minutes old. */
	collection(options?: Cancellable): Promise<TagCollectionDto>;
}
