import type { Cancellable } from '../base/abort';
import type {
	ListAnnouncementsInput,
	SendBackboneNotificationInput,
} from '../model/input/operator';
import type { AnnouncementDto } from '../model/record/announcement';
import type { TagCollectionDto } from '../model/record/tag';

/** Announcements of the operator of the Backbone. */
export interface AnnouncementUseCases {
	/** Announcements of the operator; `language` is a code of two letters. */
	list(input: ListAnnouncementsInput, options?: Cancellable): Promise<AnnouncementDto[]>;
}

/** Notifications of the Backbone, whose texts its operator has configured. */
export interface NotificationUseCases {
	/** Shows a text of the operator, chosen by its `code`, on the phones of `recipients`. */
	send(input: SendBackboneNotificationInput, options?: Cancellable): Promise<void>;
}

/** Tags for attributes. */
export interface TagUseCases {
	/** Tags that the operator suggests; at most five minutes old. */
	collection(options?: Cancellable): Promise<TagCollectionDto>;
}

export type {
	ListAnnouncementsInput,
	SendBackboneNotificationInput,
} from '../model/input/operator';
