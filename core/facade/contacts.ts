import type { Cancellable } from '../base/abort';
import type { ContactDto } from '../model/record/relationship';

export type { ContactDto };

/**
 * Peers with which this account has or had a relationship, each with what it shared. Of several
 * relationships with a peer, the newest counts, but an ended one only if there is no other.
 */
export interface ContactUseCases {
	/** @throws `error.gateway.contacts.notFound` */
	get(address: string, options?: Cancellable): Promise<ContactDto>;
	/** Contacts, newest relationship first: `statuses`, `templateId`, `limit`, `offset`. */
	list(input?: unknown, options?: Cancellable): Promise<ContactDto[]>;
	/**
	 * Contacts that fit exactly one of `emailAddress`, `attribute` (`type`, `value`),
	 * `relationshipAttribute` (`key`, `value`) or `name`, which may be a part of the name; newest
	 * relationship first. Also takes `limit` and `offset`. Comparisons ignore upper and lower case, and
	 * white space around a text. Of a value with several parts, one part is enough.
	 */
	find(input: unknown, options?: Cancellable): Promise<ContactDto[]>;
}
