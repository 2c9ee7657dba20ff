import type { Cancellable } from '../base/abort';
import type { AttributeListInput, CanCreateDto } from './attributes';
import type { ListInput } from './lists';
import type {
	CanCreateRelationshipInput,
	CreateRelationshipInput,
} from '../model/input/relationship';
import type { AttributeDto } from '../model/record/attribute';
import type { RelationshipDto } from '../model/record/relationship';
import type { RelationshipField } from '../store/store';

/** Relationships with peers; their status is one of transport 5. */
export interface RelationshipUseCases {
	/** `templateId` and `creationContent` (transport 6.1). */
	create(input: CreateRelationshipInput, options?: Cancellable): Promise<RelationshipDto>;
	/** Checks whether `create` would succeed, without a call to the Backbone. */
	canCreate(input: CanCreateRelationshipInput, options?: Cancellable): Promise<CanCreateDto>;
	/**
	 * Returns a stored relationship.
	 *
	 * @throws `error.runtime.recordNotFound`
	 */
	get(id: string, options?: Cancellable): Promise<RelationshipDto>;
	/** Lists the stored relationships of every status. */
	list(input?: ListInput<RelationshipField>, options?: Cancellable): Promise<RelationshipDto[]>;
	/** Accepts a pending relationship that the peer has requested; it becomes `Active`. */
	accept(id: string, options?: Cancellable): Promise<RelationshipDto>;
	/** Rejects a pending relationship that the peer has requested; it becomes `Rejected`. */
	reject(id: string, options?: Cancellable): Promise<RelationshipDto>;
	/** Withdraws an own pending request for a relationship; it becomes `Revoked`. */
	revoke(id: string, options?: Cancellable): Promise<RelationshipDto>;
	/** Ends an active relationship; it becomes `Terminated`. */
	terminate(id: string, options?: Cancellable): Promise<RelationshipDto>;
	/** Asks the peer to make a terminated relationship active again. */
	requestReactivation(id: string, options?: Cancellable): Promise<RelationshipDto>;
	/** Accepts the peer's request for a reactivation; the relationship becomes `Active`. */
	acceptReactivation(id: string, options?: Cancellable): Promise<RelationshipDto>;
	/** Rejects the peer's request for a reactivation; the relationship stays `Terminated`. */
	rejectReactivation(id: string, options?: Cancellable): Promise<RelationshipDto>;
	/** Withdraws an own request for a reactivation. */
	revokeReactivation(id: string, options?: Cancellable): Promise<RelationshipDto>;
	/** Removes a terminated relationship with all its data (transport 6.4). */
	decompose(id: string, options?: Cancellable): Promise<void>;
	/** Attributes of a peer that a relationship or a request brought, newest first. */
	peerAttributes(id: string, options?: Cancellable): Promise<AttributeDto[]>;
	/** Attributes that both sides have, own and peer's, in their newest versions (http-api 8.11). */
	attributes(
		id: string,
		view?: Pick<AttributeListInput, 'onlyLatestVersions' | 'hideTechnical'>,
		options?: Cancellable,
	): Promise<AttributeDto[]>;
}

export type {
	CanCreateRelationshipInput,
	CreateRelationshipInput,
} from '../model/input/relationship';
