import type {
	CanCreateRelationship,
	CreateRelationshipBody,
	CreateTemplateBody,
	CreatedTemplate,
	SendMessageBody,
	SentMessage,
	WireListedTemplate,
	WireMessage,
	WireRelationship,
	WireRelationshipMetadata,
	WireTemplate,
} from '../dto';
import type { CallOptions, ListOptions, PasswordOptions, ProtectedId } from './call-options';

export interface TemplateResource {
	create(body: CreateTemplateBody, options?: CallOptions): Promise<CreatedTemplate>;

	/** Uses up an allocation on the first load by a non-creator. */
	get(id: string, options?: PasswordOptions): Promise<WireTemplate>;

	/** Unknown and invisible ones are left out; never allocates. */
	list(ids: readonly ProtectedId[], options?: ListOptions): Promise<WireListedTemplate[]>;

	delete(id: string, options?: CallOptions): Promise<void>;
}

export interface RelationshipResource {
	/**
	 * @throws `error.transport.relationships.deletedOwnerOfRelationshipTemplate` when the Backbone
	 * does not know the peer; other reasons are told by `code`
	 */
	canCreate(peer: string, options?: CallOptions): Promise<CanCreateRelationship>;

	create(body: CreateRelationshipBody, options?: CallOptions): Promise<WireRelationshipMetadata>;

	get(id: string, options?: CallOptions): Promise<WireRelationship>;

	/** Without order; unknown ids are left out. No ids: no call. */
	list(ids: readonly string[], options?: ListOptions): Promise<WireRelationship[]>;

	accept(
		id: string,
		creationResponseContent: string,
		options?: CallOptions,
	): Promise<WireRelationshipMetadata>;

	reject(id: string, options?: CallOptions): Promise<WireRelationshipMetadata>;

	revoke(id: string, options?: CallOptions): Promise<WireRelationshipMetadata>;

	terminate(id: string, options?: CallOptions): Promise<WireRelationshipMetadata>;

	requestReactivation(id: string, options?: CallOptions): Promise<WireRelationshipMetadata>;

	acceptReactivation(id: string, options?: CallOptions): Promise<WireRelationshipMetadata>;

	rejectReactivation(id: string, options?: CallOptions): Promise<WireRelationshipMetadata>;

	revokeReactivation(id: string, options?: CallOptions): Promise<WireRelationshipMetadata>;

	decompose(id: string, options?: CallOptions): Promise<WireRelationshipMetadata>;
}

export interface PageRequest {
	/** from 1 */
	readonly pageNumber: number;
	/** 1 to 200 */
	readonly pageSize: number;
}

/** One page with the totals, so that a caller can walk from the newest page backwards. */
export interface Page<Item> {
	readonly items: Item[];
	readonly pageNumber: number;
	readonly totalPages: number;
	readonly totalRecords: number;
}

export interface MessageResource {
	send(body: SendMessageBody, options?: CallOptions): Promise<SentMessage>;

	/** Marks it received when we are a recipient. */
	get(id: string, options?: CallOptions): Promise<WireMessage>;

	/** By creation time; unknown ids are left out. No ids: no call. */
	list(ids: readonly string[], options?: ListOptions): Promise<WireMessage[]>;

	/**
	 * One page of all visible messages, oldest first. Ask for page 1 with size 1 to learn
	 * `totalRecords`, then for the last page and downwards.
	 */
	page(request: PageRequest, options?: ListOptions): Promise<Page<WireMessage>>;
}
