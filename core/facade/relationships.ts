import type { Cancellable } from '../base/abort';
import type { AttributeListInput, CanCreateDto } from './attributes';
import type { ListInput } from './lists';
import type { AttributeDto } from '../model/record/attribute';
import type { RelationshipDto } from '../model/record/relationship';
import type { RelationshipField } from '../store/store';

export interface RelationshipUseCases {
	/** `templateId` and `creationContent` (transport 6.1). */
	create(input: unknown, options?: Cancellable): Promise<RelationshipDto>;
	canCreate(input: unknown, options?: Cancellable): Promise<CanCreateDto>;
	get(id: string, options?: Cancellable): Promise<RelationshipDto>;
	list(input?: ListInput<RelationshipField>, options?: Cancellable): Promise<RelationshipDto[]>;
	accept(id: string, options?: Cancellable): Promise<RelationshipDto>;
	reject(id: string, options?: Cancellable): Promise<RelationshipDto>;
	revoke(id: string, options?: Cancellable): Promise<RelationshipDto>;
	terminate(id: string, options?: Cancellable): Promise<RelationshipDto>;
	requestReactivation(id: string, options?: Cancellable): Promise<RelationshipDto>;
	acceptReactivation(id: string, options?: Cancellable): Promise<RelationshipDto>;
	rejectReactivation(id: string, options?: Cancellable): Promise<RelationshipDto>;
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
