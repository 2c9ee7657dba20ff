import type { Cancellable } from '../base/abort';
import type { ListInput } from './lists';
import type {
	AttributeDto,
	AttributeListenerDto,
	NotifiedSuccessionDto,
	SuccessionDto,
} from '../model/record/attribute';
import type { RequestDto } from '../model/record/request';
import type { AttributeField } from '../store/store';

export type CanCreateDto =
	| { readonly isSuccess: true }
	| { readonly isSuccess: false; readonly code: string; readonly message: string };

export type UpsertOutcome = 'created' | 'succeeded' | 'unchanged';

export interface UpsertedAttributeDto {
	readonly outcome: UpsertOutcome;
	readonly attribute: AttributeDto;
	/** version that the attribute replaces */
	readonly predecessor?: AttributeDto;
}

/** Attributes of this identity and of peers (consumption 7, 8; http-api 8.3). */
export interface AttributeUseCases {
	/** `content`: `value`, `tags`, `validFrom`, `validTo`; callers must not pass `@type` and `owner`. */
	create(input: unknown, options?: Cancellable): Promise<AttributeDto>;
	/**
	 * Takes the input of `create`. An own attribute with this value stays; otherwise the newest one of
	 * the type is succeeded, and keeps its tags unless `tags` are given. Without any, one is created.
	 */
	upsert(input: unknown, options?: Cancellable): Promise<UpsertedAttributeDto>;
	/** Checks structure and duplicates only; `create` checks lengths and formats. */
	canCreate(input: unknown, options?: Cancellable): Promise<CanCreateDto>;
	get(id: string, options?: Cancellable): Promise<AttributeDto>;
	/** Attributes of all kinds and versions. Unknown fields of a query are ignored. */
	list(input?: AttributeListInput, options?: Cancellable): Promise<AttributeDto[]>;
	/** Own attributes except shared copies: `query`, `onlyLatestVersions` (true). */
	listRepository(input?: unknown, options?: Cancellable): Promise<AttributeDto[]>;
	/**
	 * Own attributes that a peer has: `peer`, `query`, `onlyLatestVersions` (true),
	 * `onlyValid`, `hideTechnical`.
	 */
	listOwnShared(input: unknown, options?: Cancellable): Promise<AttributeDto[]>;
	/**
	 * Attributes of a peer, shared by that peer or by another one; takes the input of `listOwnShared`.
	 */
	listPeerShared(input: unknown, options?: Cancellable): Promise<AttributeDto[]>;
	/** All versions, newest first. */
	versions(id: string, options?: Cancellable): Promise<AttributeDto[]>;
	/** Copies of any version that peers have: `peers`, `onlyLatestVersions` (true). */
	sharedVersions(id: string, input?: unknown, options?: Cancellable): Promise<AttributeDto[]>;

	/**
	 * Creates a new version: `successorContent` with `value`, `tags`, `validFrom`, `validTo`; no
	 * member is copied from the old version. For an own relationship attribute without `tags`; its
	 * peer is notified at once.
	 */
	succeed(
		predecessorId: string,
		input: unknown,
		options?: Cancellable,
	): Promise<SuccessionDto | NotifiedSuccessionDto>;
	/** Sends this version to a `peer` that has an earlier version of an own attribute. */
	notifyPeer(id: string, input: unknown, options?: Cancellable): Promise<NotifiedSuccessionDto>;
	/**
	 * Asks a peer to accept an own attribute: `peer`, `requestMetadata`, `requestItemMetadata`
	 * (consumption 8.12). Returns the request as it was created.
	 */
	share(id: string, input: unknown, options?: ShareOptions): Promise<RequestDto>;
	/** Does the same for a new own relationship attribute: `content`, `peer` and the metadata. */
	createAndShareRelationshipAttribute(input: unknown, options?: ShareOptions): Promise<RequestDto>;

	/** Deletes an own attribute that is not a shared copy; peers keep their copies. */
	delete(id: string, options?: Cancellable): Promise<void>;
	/** Deletes this account's copy of a shared own attribute, and notifies the peer. */
	deleteOwnShared(id: string, options?: Cancellable): Promise<DeletionDto>;
	/** Deletes an attribute that a peer shared, and notifies the peer. */
	deletePeerShared(id: string, options?: Cancellable): Promise<DeletionDto>;
	/** Deletes an attribute of another relationship, and notifies the peer that shared it. */
	deleteThirdParty(id: string, options?: Cancellable): Promise<DeletionDto>;

	/** The queries take `query`, and also find old versions and parts (consumption 8.5). */
	executeIdentityAttributeQuery(input: unknown, options?: Cancellable): Promise<AttributeDto[]>;
	executeRelationshipAttributeQuery(input: unknown, options?: Cancellable): Promise<AttributeDto>;
	executeThirdPartyRelationshipAttributeQuery(
		input: unknown,
		options?: Cancellable,
	): Promise<AttributeDto[]>;
	executeIqlQuery(input: unknown, options?: Cancellable): Promise<AttributeDto[]>;
	/** Finds the position at which `query` stops being valid. */
	validateIqlQuery(input: unknown): IqlValidationDto;

	markAsViewed(id: string, options?: Cancellable): Promise<AttributeDto>;
	/** Available only if the gateway has default attributes. */
	changeDefault(id: string, options?: Cancellable): Promise<AttributeDto>;
	/** Peers that wait for attributes (consumption 11). */
	listeners(options?: Cancellable): Promise<AttributeListenerDto[]>;
}

export interface ShareOptions extends Cancellable {
	/** a repetition with the same key returns the request of the first call, in its current state */
	readonly idempotencyKey?: string;
}

export interface AttributeListInput extends ListInput<AttributeField> {
	/** excludes attributes that are not valid now; oldest first unless ordered otherwise */
	readonly onlyValid?: boolean;
	/** excludes relationship attributes that only software reads */
	readonly hideTechnical?: boolean;
	/** excludes versions that have a successor */
	readonly onlyLatestVersions?: boolean;
}

/** Empty if the peer cannot be notified any more; the attribute is deleted here anyway. */
export interface DeletionDto {
	readonly notificationId?: string;
}

interface IqlPosition {
	/** number of characters before the position */
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
