import type { Cancellable } from '../base/abort';
import type {
	ExecuteIdentityAttributeQueryInput,
	ExecuteRelationshipAttributeQueryInput,
	ExecuteThirdPartyRelationshipAttributeQueryInput,
	IqlQueryInput,
	NotifyPeerInput,
} from '../model/input/attribute';
import type {
	CreateLocalAttributeInput,
	ListForwardingDetailsInput,
	ListLocalAttributesOfPeerInput,
	ListOwnIdentityAttributesInput,
	ListSharedLocalVersionsInput,
	SucceedLocalAttributeInput,
} from '../model/input/local-attribute';
import type {
	ForwardingDetailsDto,
	LocalAttributeDto,
	LocalDeletionDto,
	LocalSuccessionDto,
	NotifiedVersionDto,
} from '../model/record/local-attribute';
import type { AttributeField } from '../store/store';
import type { CanCreateDto, IqlValidationDto } from './attributes';
import type { ListInput } from './lists';

/**
 * Attributes in the form of version 7: five kinds, of which some have details of their forwarding
 * (docs/protocol/connector-7.md 3, 4). They are the attributes of `attributes`, without copies.
 */
export interface LocalAttributeUseCases {
	/** `content`: `value`, `tags`. Composite values get no attributes for their parts. */
	create(input: CreateLocalAttributeInput, options?: Cancellable): Promise<LocalAttributeDto>;
	/** Checks all but the characters of texts. */
	canCreate(input: CreateLocalAttributeInput, options?: Cancellable): Promise<CanCreateDto>;
	/** @throws `error.runtime.recordNotFound` */
	get(id: string, options?: Cancellable): Promise<LocalAttributeDto>;
	/** Attributes of all kinds and versions, oldest first. Unknown fields of a query are ignored. */
	list(input?: LocalAttributeListInput, options?: Cancellable): Promise<LocalAttributeDto[]>;
	/** Own identity attributes: `query`, `onlyLatestVersions` (true). */
	listOwnIdentity(
		input?: ListOwnIdentityAttributesInput,
		options?: Cancellable,
	): Promise<LocalAttributeDto[]>;
	/**
	 * Own attributes that a `peer` has: first attributes with forwarding details for it, then
	 * attributes of the relationship; `query`, `onlyLatestVersions` (true), `hideTechnical` (false).
	 */
	listOwnShared(
		input: ListLocalAttributesOfPeerInput,
		options?: Cancellable,
	): Promise<LocalAttributeDto[]>;
	/** Attributes that a `peer` has shared; further input as for `listOwnShared`. */
	listPeer(
		input: ListLocalAttributesOfPeerInput,
		options?: Cancellable,
	): Promise<LocalAttributeDto[]>;
	/** Latest versions of all kinds that both sides of a relationship have. */
	listOfRelationship(relationshipId: string, options?: Cancellable): Promise<LocalAttributeDto[]>;
	/** Details of the sharings of one attribute: `query`. */
	forwardingDetails(
		id: string,
		input?: ListForwardingDetailsInput,
		options?: Cancellable,
	): Promise<ForwardingDetailsDto[]>;
	/** All versions, newest first. */
	versions(id: string, options?: Cancellable): Promise<LocalAttributeDto[]>;
	/** Versions that a `peer` has, newest first: `onlyLatestVersions` (true). */
	sharedVersions(
		id: string,
		input: ListSharedLocalVersionsInput,
		options?: Cancellable,
	): Promise<LocalAttributeDto[]>;
	/**
	 * Creates a new version: `successorContent` with `value`, `tags`. For an own relationship
	 * attribute without `tags`; its peer is notified at once.
	 */
	succeed(
		predecessorId: string,
		input: SucceedLocalAttributeInput,
		options?: Cancellable,
	): Promise<LocalSuccessionDto>;
	/** Sends this version of an own identity attribute to a `peer` that has an earlier one. */
	notifyPeer(
		id: string,
		input: NotifyPeerInput,
		options?: Cancellable,
	): Promise<NotifiedVersionDto>;
	/** Deletes an attribute of any kind with its earlier versions, and notifies who has them. */
	delete(id: string, options?: Cancellable): Promise<LocalDeletionDto>;

	/** Own identity attributes that fit `query`, also old versions. */
	executeIdentityAttributeQuery(
		input: ExecuteIdentityAttributeQueryInput,
		options?: Cancellable,
	): Promise<LocalAttributeDto[]>;
	/** @throws `error.runtime.recordNotFound` if no attribute has the key and owner in `query` */
	executeRelationshipAttributeQuery(
		input: ExecuteRelationshipAttributeQueryInput,
		options?: Cancellable,
	): Promise<LocalAttributeDto>;
	/** Relationship attributes with the peers in `query` that fit it. */
	executeThirdPartyRelationshipAttributeQuery(
		input: ExecuteThirdPartyRelationshipAttributeQueryInput,
		options?: Cancellable,
	): Promise<LocalAttributeDto[]>;
	/** Own identity attributes that fit the text in `query.queryString`. */
	executeIqlQuery(input: IqlQueryInput, options?: Cancellable): Promise<LocalAttributeDto[]>;
	/** Finds the position at which `query` stops being valid. */
	validateIqlQuery(input: IqlQueryInput): IqlValidationDto;
}

/** Filter and order of the list of all attributes. */
export type LocalAttributeListInput = ListInput<AttributeField>;

export type {
	CreateLocalAttributeInput,
	ListForwardingDetailsInput,
	ListLocalAttributesOfPeerInput,
	ListOwnIdentityAttributesInput,
	ListSharedLocalVersionsInput,
	SucceedLocalAttributeInput,
} from '../model/input/local-attribute';
