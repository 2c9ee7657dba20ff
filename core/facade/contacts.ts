import type { Cancellable } from '../base/abort';
import type { FindContactsInput, ListContactsInput } from '../model/input/contact';
import type {
	ContactErasureInput,
	ContactExportInput,
	ContactHistoryInput,
} from '../model/input/contact-data';
import type {
	ContactExportPageDto,
	ErasedDto,
	ErasureReceiptDto,
	ExportedRecordDto,
	ExportSection,
	HistoryEntryDto,
	HistoryEntryOf,
	HistoryKind,
	HistorySubjects,
	RemainingDto,
} from '../model/record/contact-data';
import type { ContactDto, FoundContactDto } from '../model/record/relationship';

export type { ContactDto, FoundContactDto };
export type {
	ContactExportPageDto,
	ErasedDto,
	ErasureReceiptDto,
	ExportedRecordDto,
	ExportSection,
	HistoryEntryDto,
	HistoryEntryOf,
	HistoryKind,
	HistorySubjects,
	RemainingDto,
};

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
	/**
	 * What has happened between this account and the person, newest first: changes of the
	 * relationship, requests and answers, messages, files, and attributes that were shared, changed or
	 * deleted. `kinds`, `after` and `before` (ISO times) select; `limit` entries are returned, after
	 * the entry whose `position` is given.
	 *
	 * @throws `error.gateway.contacts.notFound`
	 */
	getHistory(
		address: string,
		input?: ContactHistoryInput,
		options?: Cancellable,
	): Promise<HistoryEntryDto[]>;
	/**
	 * A page of everything that this account has about the person, for a request under Art. 15 GDPR;
	 * the next page begins at its `position`. `files.download` gets the contents of the files. Keys,
	 * references that contain keys, passwords and tokens are left out. The sections are in
	 * docs/operations.md, 'What an account has about a person'.
	 *
	 * @throws `error.gateway.contacts.notFound` if nothing is known of the person
	 */
	export(
		address: string,
		input?: ContactExportInput,
		options?: Cancellable,
	): Promise<ContactExportPageDto>;
	/**
	 * Erases what this account has about a person whose relationship was decomposed, or decomposes an
	 * ended one first (`decomposeIfEnded`). The receipt lists what was erased, and what remains and
	 * why. A call that was interrupted, or that failed, is completed by the same call.
	 *
	 * @throws `error.gateway.contacts.notFound` if nothing is known of the person,
	 * `error.gateway.contacts.notEnded`, `error.gateway.contacts.notDecomposed`
	 */
	erase(
		address: string,
		input?: ContactErasureInput,
		options?: Cancellable,
	): Promise<ErasureReceiptDto>;
}

export type {
	ContactErasureInput,
	ContactExportInput,
	ContactHistoryInput,
} from '../model/input/contact-data';

export type { FindContactsInput, ListContactsInput } from '../model/input/contact';
