import type { SendNotificationBody, WireAnnouncement, WireTagCollection } from '../dto';
import type { CallOptions, ListOptions } from './call-options';

export interface TagAnswer {
	readonly collection: WireTagCollection;
	/** sent with the next call; undefined if the Backbone sent none or an invalid one */
	readonly etag: string | undefined;
}

export interface TagResource {
	/** `unchanged` if the collection still has this entity tag. */
	get(options?: CallOptions & { readonly etag?: string }): Promise<TagAnswer | 'unchanged'>;
}

export interface AnnouncementResource {
	/**
	 * Announcements of the operator to all identities or to this one, in the given
	 * language or else in English.
	 * @param language two letters of ISO 639-1
	 * @throws `error.platform.validation.invalidAnnouncementLanguage`
	 */
	list(language: string, options?: ListOptions): Promise<WireAnnouncement[]>;
}

export interface BackboneNotificationResource {
	/**
	 * Makes the Backbone show a text of its configuration on the recipients' phones (6.53 and later).
	 * Never repeated automatically.
	 * @throws `error.platform.validation.notification.codeDoesNotExist`,
	 * `error.platform.validation.notification.noRelationshipToOneOrMoreRecipientsExists`,
	 * `error.platform.validation.notification.relationshipToRecipientIsNotInCorrectStatus`
	 */
	send(body: SendNotificationBody, options?: CallOptions): Promise<void>;
}
