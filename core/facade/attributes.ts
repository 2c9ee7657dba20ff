import type { Cancellable } from '../base/abort';
import type { ListInput } from './lists';
import type {
	CreateAndShareAttributeInput,
	CreateAttributeInput,
	ExecuteIdentityAttributeQueryInput,
	ExecuteRelationshipAttributeQueryInput,
	ExecuteThirdPartyRelationshipAttributeQueryInput,
	IqlQueryInput,
	ListRepositoryAttributesInput,
	ListSharedAttributesInput,
	ListSharedVersionsInput,
	NotifyPeerInput,
	ShareAttributeInput,
	SucceedAttributeInput,
} from '../model/input/attribute';
import type {
	AttributeDto,
	AttributeListenerDto,
	NotifiedSuccessionDto,
	SuccessionDto,
} from '../model/record/attribute';
import type { RequestDto } from '../model/record/request';
import type { HintOptions } from './requests';
import type { AttributeField } from '../store/store';

/** Result of a check: success, or the code and message with which the call would fail. */
export type CanCreateDto =
	| {
			/** the call would succeed */
			readonly isSuccess: true;
	  }
	| {
			/** the call would fail */
			readonly isSuccess: false;
			/** code of the error */
			readonly code: string;
			/** explanation of the error */
			readonly message: string;
	  };

/**
 * What an upsert did: a first version, a new version, or nothing because the value was the same.
 */
export type UpsertOutcome = 'created' | 'succeeded' | 'unchanged';

/** Result of {@link AttributeUseCases.upsert}. */
export interface UpsertedAttributeDto {
	/** what the call did */
	readonly outcome: UpsertOutcome;
	/** the attribute with the wanted value */
	readonly attribute: AttributeDto;
	/** version that the attribute replaces */
	readonly predecessor?: AttributeDto;
}

/** Attributes of this identity and of peers (consumption 7, 8; http-api 8.3). */
export interface AttributeUseCases {
	/**
	 * `content`: `value`, `tags`, `validFrom`, `validTo`; callers must not pass `@type` and `owner`.
	 */
	create(input: CreateAttributeInput, options?: Cancellable): Promise<AttributeDto>;
	/**
	 * Takes the input of `create`. An own attribute with this value stays; otherwise the newest one
	 * of the type is succeeded, and keeps its tags unless `tags` are given. Without any, one is
	 * created.
	 */
	upsert(input: CreateAttributeInput, options?: Cancellable): Promise<UpsertedAttributeDto>;
	/** Checks structure and duplicates only; `create` checks lengths and formats. */
	canCreate(input: CreateAttributeInput, options?: Cancellable): Promise<CanCreateDto>;
	/**
	 * Returns an attribute, also an old version or a shared copy.
	 *
	 * @throws `error.runtime.recordNotFound`
	 */
	get(id: string, options?: Cancellable): Promise<AttributeDto>;
	/** Attributes of all kinds and versions. Unknown fields of a query are ignored. */
	list(input?: AttributeListInput, options?: Cancellable): Promise<AttributeDto[]>;
	/** Own attributes except shared copies: `query`, `onlyLatestVersions` (true). */
	listRepository(
		input?: ListRepositoryAttributesInput,
		options?: Cancellable,
	): Promise<AttributeDto[]>;
	/**
	 * Own attributes that a peer has: `peer`, `query`, `onlyLatestVersions` (true),
	 * `onlyValid`, `hideTechnical`.
	 */
	listOwnShared(input: ListSharedAttributesInput, options?: Cancellable): Promise<AttributeDto[]>;
	/**
	 * Attributes of a peer, shared by that peer or by another one; takes the input of
	 * `listOwnShared`.
	 */
	listPeerShared(input: ListSharedAttributesInput, options?: Cancellable): Promise<AttributeDto[]>;
	/** All versions, newest first. */
	versions(id: string, options?: Cancellable): Promise<AttributeDto[]>;
	/** Copies of any version that peers have: `peers`, `onlyLatestVersions` (true). */
	sharedVersions(
		id: string,
		input?: ListSharedVersionsInput,
		options?: Cancellable,
	): Promise<AttributeDto[]>;

	/**
	 * Creates a new version: `successorContent` with `value`, `tags`, `validFrom`, `validTo`; no
	 * member is copied from the old version. For an own relationship attribute without `tags`; its
	 * peer is notified at once.
	 */
	succeed(
		predecessorId: string,
		input: SucceedAttributeInput,
		options?: Cancellable,
	): Promise<SuccessionDto | NotifiedSuccessionDto>;
	/** Sends this version to a `peer` that has an earlier version of an own attribute. */
	notifyPeer(
		id: string,
		input: NotifyPeerInput,
		options?: Cancellable,
	): Promise<NotifiedSuccessionDto>;
	/**
	 * Asks a peer to accept an own attribute: `peer`, `requestMetadata`, `requestItemMetadata`
	 * (consumption 8.12). Returns the request as it was created.
	 */
	share(id: string, input: ShareAttributeInput, options?: ShareOptions): Promise<RequestDto>;
	/** Does the same for a new own relationship attribute: `content`, `peer` and the metadata. */
	createAndShareRelationshipAttribute(
		input: CreateAndShareAttributeInput,
		options?: ShareOptions,
	): Promise<RequestDto>;

	/** Deletes an own attribute that is not a shared copy; peers keep their copies. */
	delete(id: string, options?: Cancellable): Promise<void>;
	/** Deletes this account's copy of a shared own attribute, and notifies the peer. */
	deleteOwnShared(id: string, options?: Cancellable): Promise<DeletionDto>;
	/** Deletes an attribute that a peer shared, and notifies the peer. */
	deletePeerShared(id: string, options?: Cancellable): Promise<DeletionDto>;
	/** Deletes an attribute of another relationship, and notifies the peer that shared it. */
	deleteThirdParty(id: string, options?: Cancellable): Promise<DeletionDto>;

	/** The queries take `query`, and also find old versions and parts (consumption 8.5). */
	executeIdentityAttributeQuery(
		input: ExecuteIdentityAttributeQueryInput,
		options?: Cancellable,
	): Promise<AttributeDto[]>;
	/**
	 * Returns the attribute of the key and owner in `query`.
	 *
	 * @throws `error.runtime.recordNotFound`
	 */
	executeRelationshipAttributeQuery(
		input: ExecuteRelationshipAttributeQueryInput,
		options?: Cancellable,
	): Promise<AttributeDto>;
	/** Returns attributes of other relationships that fit `query`. */
	executeThirdPartyRelationshipAttributeQuery(
		input: ExecuteThirdPartyRelationshipAttributeQueryInput,
		options?: Cancellable,
	): Promise<AttributeDto[]>;
	/** Returns own attributes that fit the text in `query.queryString`. */
	executeIqlQuery(input: IqlQueryInput, options?: Cancellable): Promise<AttributeDto[]>;
	/** Finds the position at which `query` stops being valid. */
	validateIqlQuery(input: IqlQueryInput): IqlValidationDto;

	/** Sets `wasViewedAt` on the first call; later calls change nothing. */
	markAsViewed(id: string, options?: Cancellable): Promise<AttributeDto>;
	/** Available only if the gateway has default attributes. */
	changeDefault(id: string, options?: Cancellable): Promise<AttributeDto>;
	/** Peers that wait for attributes (consumption 11). */
	listeners(options?: Cancellable): Promise<AttributeListenerDto[]>;
}

export interface ShareOptions extends HintOptions {
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
	/** id of the notification to the peer */
	readonly notificationId?: string;
}

/** Position in the text of a query. */
export interface IqlPosition {
	/** number of characters before the position */
	readonly offset: number;
	/** line, counted from 1 */
	readonly line: number;
	/** column, counted from 1 */
	readonly column: number;
}

/** Result of the check of an IQL query. */
export type IqlValidationDto =
	| {
			/** the query can be executed */
			readonly isValid: true;
	  }
	| {
			/** the query has an error */
			readonly isValid: false;
			/** first error of the query */
			readonly error: {
				/** what was expected, and what was found */
				readonly message: string;
				/** part of the text that is wrong */
				readonly location: {
					/** first wrong character */
					readonly start: IqlPosition;
					/** position after the wrong characters */
					readonly end: IqlPosition;
				};
			};
	  };

export type {
	CreateAndShareAttributeInput,
	CreateAttributeInput,
	ExecuteIdentityAttributeQueryInput,
	ExecuteRelationshipAttributeQueryInput,
	ExecuteThirdPartyRelationshipAttributeQueryInput,
	IqlQueryInput,
	ListRepositoryAttributesInput,
	ListSharedAttributesInput,
	ListSharedVersionsInput,
	NotifyPeerInput,
	ShareAttributeInput,
	SucceedAttributeInput,
} from '../model/input/attribute';
