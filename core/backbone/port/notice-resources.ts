import type { SendNotificationBody, WireAnnouncement, WireTagCollection } from '../dto';
import type { CallOptions, ListOptions } from './call-options';

export interface TagAnswer {
	readonly collection: WireTagCollection;
	/** to be given with the next question; undefined when the Backbone gave none that can be used */
	readonly etag: string | undefined;
}

export interface TagResource {
	/** `unchanged` when the collection is still the one that had this entity tag. */
	get(options?: CallOptions & { readonly etag?: string }): Promise<TagAnswer | 'unchanged'>;
}

export interface AnnouncementResource {
	/**
	 * What the operator has to say to everybody or to us, in this language or else in English.
	 * @param language two letters of ISO 639-1
	 * @throws `error.platform.validation.invalidAnnouncementLanguage`
	 */
	list(language: string, options?: ListOptions): Promise<WireAnnouncement[]>;
}

export interface NotificationResource {
	/**
	 * Makes the Backbone show one of its own texts on the recipients' phones (6.53 and later). Never
	 * repeated by itself.
	 * @throws `error.platform.validation.notification.codeDoesNotExist`,
	 * `error.platform.validation.notification.noRelationshipToOneOrMoreRecipientsExists`,
	 * `error.platform.validation.notification.relationshipToRecipientIsNotInCorrectStatus`
	 */
	send(body: SendNotificationBody, options?: CallOptions): Promise<void>;
}
