import type { Cancellable } from './base/abort';
import type { ListInput } from './facade-lists';
import type {
	AttributeDto,
	AttributeListenerDto,
	NotifiedSuccessionDto,
	SuccessionDto,
} from './model/record/attribute';
import type { IdentityMetadataDto } from './model/record/identity-metadata';
import type { LocalNotificationDto } from './model/record/local-notification';
import type { RequestDto } from './model/record/request';
import type { DraftDto, SettingDto } from './model/record/setting';
import type {
	AttributeField,
	DraftField,
	LocalNotificationField,
	SettingField,
} from './store/store';

export type CanCreateDto =
	| { readonly isSuccess: true }
	| { readonly isSuccess: false; readonly code: string; readonly message: string };

/** Attributes of our own, and of peers (consumption 7, 8; http-api 8.3). */
export interface AttributeUseCases {
	/** `content`: `value`, `tags`, `validFrom`, `validTo`; `@type` and `owner` must not be given. */
	create(input: unknown, options?: Cancellable): Promise<AttributeDto>;
	/** Looks at structure and duplicates only; lengths and formats are noticed by `create`. */
	canCreate(input: unknown, options?: Cancellable): Promise<CanCreateDto>;
	get(id: string, options?: Cancellable): Promise<AttributeDto>;
	/** Of all kinds and versions. Unknown fields of a query ask for nothing. */
	list(input?: AttributeListInput, options?: Cancellable): Promise<AttributeDto[]>;
	/** Own ones that are no shared copies: `query`, `onlyLatestVersions` (true). */
	listRepository(input?: unknown, options?: Cancellable): Promise<AttributeDto[]>;
	/**
	 * Own ones that a peer has: `peer`, `query`, `onlyLatestVersions` (true), `onlyValid`,
	 * `hideTechnical`.
	 */
	listOwnShared(input: unknown, options?: Cancellable): Promise<AttributeDto[]>;
	/** Those of a peer that we have, whoever shared them; inputs as for `listOwnShared`. */
	listPeerShared(input: unknown, options?: Cancellable): Promise<AttributeDto[]>;
	/** All versions, newest first. */
	versions(id: string, options?: Cancellable): Promise<AttributeDto[]>;
	/** The copies that peers have of any version: `peers`, `onlyLatestVersions` (true). */
	sharedVersions(id: string, input?: unknown, options?: Cancellable): Promise<AttributeDto[]>;

	/**
	 * A new version: `successorContent` with `value`, `tags`, `validFrom`, `validTo`; nothing is taken
	 * over. For an own relationship attribute without `tags`, and its peer is told at once.
	 */
	succeed(
		predecessorId: string,
		input: unknown,
		options?: Cancellable,
	): Promise<SuccessionDto | NotifiedSuccessionDto>;
	/** Gives a `peer` that has an earlier version of an own attribute this one. */
	notifyPeer(id: string, input: unknown, options?: Cancellable): Promise<NotifiedSuccessionDto>;
	/**
	 * Asks a peer to take an own attribute: `peer`, `requestMetadata`, `requestItemMetadata`
	 * (consumption 8.12). The request as it was made.
	 */
	share(id: string, input: unknown, options?: ShareOptions): Promise<RequestDto>;
	/** The same for a new relationship attribute of our own: `content`, `peer` and the metadata. */
	createAndShareRelationshipAttribute(input: unknown, options?: ShareOptions): Promise<RequestDto>;

	/** An own one that is no shared copy; copies that peers have stay. */
	delete(id: string, options?: Cancellable): Promise<void>;
	/** An own one that a peer has, and the peer is told. */
	deleteOwnShared(id: string, options?: Cancellable): Promise<DeletionDto>;
	/** One that a peer has shared, and the peer is told. */
	deletePeerShared(id: string, options?: Cancellable): Promise<DeletionDto>;
	/** One of another relationship, and who shares it with us is told. */
	deleteThirdParty(id: string, options?: Cancellable): Promise<DeletionDto>;

	/** Each takes `query`; old versions and parts are found as well (consumption 8.5). */
	executeIdentityAttributeQuery(input: unknown, options?: Cancellable): Promise<AttributeDto[]>;
	executeRelationshipAttributeQuery(input: unknown, options?: Cancellable): Promise<AttributeDto>;
	executeThirdPartyRelationshipAttributeQuery(
		input: unknown,
		options?: Cancellable,
	): Promise<AttributeDto[]>;
	executeIqlQuery(input: unknown, options?: Cancellable): Promise<AttributeDto[]>;
	/** Where a `query` stops being one. */
	validateIqlQuery(input: unknown): IqlValidationDto;

	markAsViewed(id: string, options?: Cancellable): Promise<AttributeDto>;
	/** Only where the gateway has default attributes. */
	changeDefault(id: string, options?: Cancellable): Promise<AttributeDto>;
	/** Peers that wait for attributes (consumption 11). */
	listeners(options?: Cancellable): Promise<AttributeListenerDto[]>;
}

export interface ShareOptions extends Cancellable {
	/** a repetition with the same key answers the request of the first time, as it is by then */
	readonly idempotencyKey?: string;
}

export interface AttributeListInput extends ListInput<AttributeField> {
	/** without those that are not valid now; oldest first unless ordered otherwise */
	readonly onlyValid?: boolean;
	/** without relationship attributes that are for machines only */
	readonly hideTechnical?: boolean;
	/** without versions that have a newer one */
	readonly onlyLatestVersions?: boolean;
}

/** Empty when the peer cannot be told any more; the attribute is deleted here anyway. */
export interface DeletionDto {
	readonly notificationId?: string;
}

interface IqlPosition {
	/** characters before it */
	readonly offset: number;
	readonly line: number;
	readonly column: number;
}

export type IqlValidationDto =
	| { readonly isValid: true }
	| {
			readonly isValid: false;
			readonly error: {
				readonly message: string;
				readonly location: { readonly start: IqlPosition; readonly end: IqlPosition };
			};
	  };

/** What peers and we tell each other of attributes that both hold; it takes effect by itself. */
export interface LocalNotificationUseCases {
	get(id: string, options?: Cancellable): Promise<LocalNotificationDto>;
	list(
		input?: ListInput<LocalNotificationField>,
		options?: Cancellable,
	): Promise<LocalNotificationDto[]>;
	/** Tries one again that had no effect. */
	process(id: string, options?: Cancellable): Promise<LocalNotificationDto>;
	/** That of a received message. */
	received(messageId: string, options?: Cancellable): Promise<LocalNotificationDto>;
	/** That of a sent message. */
	sent(messageId: string, options?: Cancellable): Promise<LocalNotificationDto>;
}

/** What clients remember of our own identity and of peers (consumption 12). */
export interface IdentityMetadataUseCases {
	/** `reference` (an address), `key`, `value`. */
	upsert(input: unknown, options?: Cancellable): Promise<IdentityMetadataDto>;
	/** `reference`, `key`. */
	get(input: unknown, options?: Cancellable): Promise<IdentityMetadataDto>;
	/** `reference`, `key`. */
	delete(input: unknown, options?: Cancellable): Promise<void>;
}

/** Values that clients keep here under keys (consumption 12). */
export interface SettingUseCases {
	/** `key`, `scope` (Identity, Device or Relationship), `reference`, `value`; adds always. */
	create(input: unknown, options?: Cancellable): Promise<SettingDto>;
	get(id: string, options?: Cancellable): Promise<SettingDto>;
	list(input?: ListInput<SettingField>, options?: Cancellable): Promise<SettingDto[]>;
	/** The newest one: `key`, `scope`, `reference`. */
	getByKey(input: unknown, options?: Cancellable): Promise<SettingDto>;
	/** Replaces the value of the newest one, or adds it. */
	upsertByKey(input: unknown, options?: Cancellable): Promise<SettingDto>;
	/** `value`. */
	update(id: string, input: unknown, options?: Cancellable): Promise<SettingDto>;
	delete(id: string, options?: Cancellable): Promise<void>;
}

/** Unfinished things that clients keep here (consumption 12). */
export interface DraftUseCases {
	/** `content`, `type`. */
	create(input: unknown, options?: Cancellable): Promise<DraftDto>;
	get(id: string, options?: Cancellable): Promise<DraftDto>;
	list(input?: ListInput<DraftField>, options?: Cancellable): Promise<DraftDto[]>;
	/** `content`. */
	update(id: string, input: unknown, options?: Cancellable): Promise<DraftDto>;
	delete(id: string, options?: Cancellable): Promise<void>;
}
