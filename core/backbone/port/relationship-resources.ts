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

	/**
	 * Uses up an allocation when an identity other than the creator loads the
	 * template for the first time.
	 */
	get(id: string, options?: PasswordOptions): Promise<WireTemplate>;

	/** Leaves out unknown and invisible templates. Never uses up an allocation. */
	list(ids: readonly ProtectedId[], options?: ListOptions): Promise<WireListedTemplate[]>;

	delete(id: string, options?: CallOptions): Promise<void>;
}

export interface RelationshipResource {
	/**
	 * @throws `error.transport.relationships.deletedOwnerOfRelationshipTemplate` if the Backbone does
	 * not know the peer; other reasons are in the `code` of the result
	 */
	canCreate(peer: string, options?: CallOptions): Promise<CanCreateRelationship>;

	create(body: CreateRelationshipBody, options?: CallOptions): Promise<WireRelationshipMetadata>;

	get(id: string, options?: CallOptions): Promise<WireRelationship>;

	/** Unordered, without unknown ids. An empty list of ids makes no call. */
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

/** Page with the totals, so that a caller can read from the newest page backwards. */
export interface Page<Item> {
	readonly items: Item[];
	readonly pageNumber: number;
	readonly totalPages: number;
	readonly totalRecords: number;
}

export interface MessageResource {
	send(body: SendMessageBody, options?: CallOptions): Promise<SentMessage>;

	/** Marks the message as received if this identity is a recipient. */
	get(id: string, options?: CallOptions): Promise<WireMessage>;

	/** Ordered by creation time, without unknown ids. An empty list of ids makes no call. */
	list(ids: readonly string[], options?: ListOptions): Promise<WireMessage[]>;

	/**
	 * One page of all visible messages, oldest first. Callers read page 1 with size 1 to learn
	 * `totalRecords`, then the last page and the pages before it.
	 */
	page(request: PageRequest, options?: ListOptions): Promise<Page<WireMessage>>;
}
