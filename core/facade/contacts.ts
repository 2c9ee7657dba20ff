import type { Cancellable } from '../base/abort';
import type { FindContactsInput, ListContactsInput } from '../model/input/contact';
import type { ContactDto, FoundContactDto } from '../model/record/relationship';

export type { ContactDto, FoundContactDto };

/**
 * Peers with which this account has or had a relationship, each with what it shared. Of several
 * relationships with a peer, the newest counts, but an ended one only if there is no other.
 */
export interface ContactUseCases {
	/** @throws `error.gateway.contacts.notFound` */
	get(address: string, options?: Cancellable): Promise<ContactDto>;
	/** Contacts, newest relationship first: `statuses`, `templateId`, `purpose`, `limit`, `offset`. */
	list(input?: ListContactsInput, options?: Cancellable): Promise<ContactDto[]>;
	/**
	 * Contacts that fit exactly one of `emailAddress`, `attribute` (`type`, `value`),
	 * `relationshipAttribute` (`key`, `value`, and `owner`: `own`, the default, or `any`) or `name`,
	 * which may be a part of the name. Comparisons ignore upper and lower case, and white space
	 * around a text. Of a value with several parts, one part is enough.
	 *
	 * What a person says about itself proves nothing. So several people who fit are an error, unless
	 * `ifSeveral` is `firstConnected`, or `list`: all of them, newest relationship first, with
	 * `limit` and `offset`.
	 *
	 * @throws `error.gateway.contacts.several`
	 */
	find(input: FindContactsInput, options?: Cancellable): Promise<FoundContactDto[]>;
}

export type { FindContactsInput, ListContactsInput } from '../model/input/contact';
