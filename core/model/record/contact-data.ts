import type { historyKinds } from '../input/contact-data';
import type { JsonObject } from '../json';
import type { AttributeDto } from './attribute';
import type { FileDto } from './file';
import type { MessageDto } from './message';
import type { RelationshipDto } from './relationship';
import type { RequestDto } from './request';

/** Kind of an entry in the history of a contact. */
export type HistoryKind = (typeof historyKinds)[number];

/** Records that the entries of a history are about, by kind. */
export interface HistorySubjects {
	/** relationship that changed */
	readonly relationship: RelationshipDto;
	/** request, with its answer */
	readonly request: RequestDto;
	/** mail or other message */
	readonly message: MessageDto;
	/** only the id of a file that this account has not loaded, or has deleted */
	readonly file: FileDto | Pick<FileDto, 'id'>;
	/** attribute that was shared, set, changed or deleted */
	readonly attribute: AttributeDto;
}

/** Entry of one kind in the history of a contact. */
export interface HistoryEntryOf<Kind extends HistoryKind> {
	/** ISO time */
	readonly at: string;
	/** what it is about */
	readonly kind: Kind;
	/** what happened, in plain words, for example `Request answered` */
	readonly what: string;
	/** `sent`: by this account; `received`: by the person */
	readonly direction: 'sent' | 'received';
	/** id of the relationship, request, message, file or attribute */
	readonly id: string;
	/** title, subject, name or value, at most 200 characters; may be empty */
	readonly summary: string;
	/** record in its present state */
	readonly record: HistorySubjects[Kind];
	/** place of the entry, for the continuation of the list */
	readonly position: string;
}

/** Entry in the history of a contact. */
export type HistoryEntryDto = { [Kind in HistoryKind]: HistoryEntryOf<Kind> }[HistoryKind];

/** Parts of the export of a contact, in their order. */
export const exportSections = [
	'contact',
	'relationships',
	'templates',
	'requests',
	'consents',
	'messages',
	'unsentMessages',
	'attributes',
	'forwardedAttributes',
	'attributeListeners',
	'notifications',
	'files',
	'tokens',
	'metadata',
	'settings',
	'waits',
	'problems',
	'events',
	'decomposition',
] as const;
/** Part of the export of a contact. */
export type ExportSection = (typeof exportSections)[number];

/** Record in the export of a contact. */
export interface ExportedRecordDto {
	/** part of the export */
	readonly section: ExportSection;
	/**
	 * the record without keys, references that contain keys, passwords, PINs and tokens, for which
	 * `[removed]` stands
	 */
	readonly data: JsonObject;
}

/** Page of the export of a contact. */
export interface ContactExportPageDto {
	/** records in the order of their sections */
	readonly records: ExportedRecordDto[];
	/** place after this page; absent on the last page */
	readonly position?: string | undefined;
}

/** Something that was erased. */
export interface ErasedDto {
	/** what it was, for example `messages` */
	readonly kind: string;
	/** how many */
	readonly count: number;
}

/** Something that stays after an erasure. */
export interface RemainingDto {
	/** what it is */
	readonly kind: string;
	/** how many */
	readonly count: number;
	/** what it contains, and why it stays */
	readonly reason: string;
	/** ISO time at which it is removed, if that is known */
	readonly until?: string | undefined;
}

/** Receipt of the erasure of a contact. */
export interface ErasureReceiptDto {
	/** address of the person */
	readonly address: string;
	/** ISO time of the end of the erasure */
	readonly erasedAt: string;
	/** what was erased, by this call or by the earlier call that it repeats */
	readonly erased: ErasedDto[];
	/** what stays in this account, and why */
	readonly remains: RemainingDto[];
}
