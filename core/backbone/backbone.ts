import type { Cancellable } from '../base/abort';
import type {
	CanCreateRelationship,
	ChangePasswordBody,
	CreatedIdentity,
	CreatedTemplate,
	CreatedToken,
	CreateIdentityBody,
	CreateRelationshipBody,
	CreateTemplateBody,
	CreateTokenBody,
	ExternalEventResult,
	IdentityDeletionState,
	SendMessageBody,
	SentMessage,
	SyncRunType,
	UploadedFile,
	UploadFileFields,
	WireChallenge,
	WireDatawallet,
	WireDevice,
	WireExternalEvent,
	WireFile,
	WireIdentity,
	WireListedFile,
	WireListedTemplate,
	WireMessage,
	WireRelationship,
	WireRelationshipMetadata,
	WireSyncRun,
	WireTemplate,
	WireToken,
} from './dto';
import type { ClientVerdict } from './client-verdict';
import type { PushSignal } from './push-signal';

/**
 * The transport port: everything we ask of a Backbone, one narrow interface per resource.
 *
 * Every method rejects with a `GatewayError` whose code follows `docs/protocol/backbone-api.md` 25,
 * or with the reason of the caller's signal. Facts of such an error may hold `status`, `method`,
 * `path`, `platformCode` (the Backbone's own code where the mapping hides it), `isExhaustedUntil`,
 * `clockSkewMs` and `attempts`.
 */
export interface CallOptions extends Cancellable {
	/** sent as `X-Correlation-Id`: at most 100 characters, no line breaks */
	readonly correlationId?: string | undefined;
}

export interface DeviceCredentials {
	readonly username: string;
	readonly password: string;
}

export interface BackboneVersion {
	readonly majorVersion: number;
	/** the prefix that this Backbone serves and that all calls use */
	readonly api: 'v1' | 'v2';
}

export interface VersionResource {
	/**
	 * Asked of the Backbone once; later calls get the same answer.
	 * @throws `error.gateway.backbone.versionNotSupported`, `error.gateway.backbone.notABackbone`
	 */
	get(options?: CallOptions): Promise<BackboneVersion>;
}

export interface AuthenticationResource {
	/** Whose calls these are from now on; `undefined` forgets credentials and token. */
	use(credentials: DeviceCredentials | undefined): void;

	/**
	 * Makes sure that a valid access token is held.
	 * @throws `error.transport.request.noAuthGrant` (credentials refused),
	 * `error.transport.request.noAuthPossible` (client refused, or no answer),
	 * `error.transport.secrets.secretNotFound` (no credentials in use)
	 */
	verify(options?: CallOptions): Promise<void>;

	/** Finds out, with an invented user, whether client id and secret are right. Never rejects
	 * except with the reason of the caller's signal. */
	checkClient(options?: CallOptions): Promise<ClientVerdict>;
}

export interface IdentityResource {
	/**
	 * Anonymous; client id and secret are added by the implementation. Never repeated by itself.
	 * @throws `error.transport.general.platformClientInvalid`
	 */
	create(
		body: Omit<CreateIdentityBody, 'clientId' | 'clientSecret'>,
		options?: CallOptions,
	): Promise<CreatedIdentity>;

	/** Anonymous. */
	isDeleted(username: string, options?: CallOptions): Promise<IdentityDeletionState>;

	self(options?: CallOptions): Promise<WireIdentity>;
}

export interface DeviceResource {
	self(options?: CallOptions): Promise<WireDevice>;

	/** The credentials in use stay as they are: call `authentication.use` afterwards. */
	changePassword(body: ChangePasswordBody, options?: CallOptions): Promise<void>;
}

export interface ChallengeResource {
	/** With a token the answer names its creator; `anonymous` is for creating an identity. */
	create(options?: CallOptions & { readonly anonymous?: boolean }): Promise<WireChallenge>;

	get(id: string, options?: CallOptions): Promise<WireChallenge>;
}

export interface DatawalletResource {
	/** `undefined` before the first version upgrade run was finalised. */
	get(options?: CallOptions): Promise<WireDatawallet | undefined>;
}

export interface SyncRunOptions extends CallOptions {
	/** seconds until the run expires; the server's default is 10 */
	readonly durationSeconds?: number | undefined;
}

export interface SyncRunResource {
	/** `undefined` when there are no new events: no run was created. Never repeated by itself. */
	start(type: SyncRunType, options?: SyncRunOptions): Promise<WireSyncRun | undefined>;

	/** The events of all pages, by index. */
	events(runId: string, options?: CallOptions): Promise<WireExternalEvent[]>;

	/**
	 * Repeated after a lost answer, so `error.platform.validation.syncRun.syncRunAlreadyFinalized`
	 * says that an earlier attempt went through.
	 */
	finalizeExternalEventSync(
		runId: string,
		results: readonly ExternalEventResult[],
		options?: CallOptions,
	): Promise<{ newUnsyncedExternalEventsExist: boolean }>;

	/** Creates the datawallet or raises its version; repeated like the other one. */
	finalizeDatawalletVersionUpgrade(
		runId: string,
		newDatawalletVersion: number,
		options?: CallOptions,
	): Promise<void>;

	get(runId: string, options?: CallOptions): Promise<WireSyncRun>;

	refreshExpirationTime(runId: string, options?: CallOptions): Promise<{ expiresAt: string }>;
}

export interface PasswordOptions extends CallOptions {
	/** the password hash in base64 or base64url */
	readonly password?: string | undefined;
}

export interface ProtectedId {
	readonly id: string;
	/** the password hash in base64 or base64url */
	readonly password?: string | undefined;
}

export interface TemplateResource {
	create(body: CreateTemplateBody, options?: CallOptions): Promise<CreatedTemplate>;

	/** Uses up an allocation on the first load by a non-creator. */
	get(id: string, options?: PasswordOptions): Promise<WireTemplate>;

	/** Unknown and invisible ones are left out; never allocates. */
	list(ids: readonly ProtectedId[], options?: CallOptions): Promise<WireListedTemplate[]>;

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
	list(ids: readonly string[], options?: CallOptions): Promise<WireRelationship[]>;

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
	list(ids: readonly string[], options?: CallOptions): Promise<WireMessage[]>;

	/**
	 * One page of all visible messages, oldest first. Ask for page 1 with size 1 to learn
	 * `totalRecords`, then for the last page and downwards.
	 */
	page(request: PageRequest, options?: CallOptions): Promise<Page<WireMessage>>;
}

export interface FileResource {
	upload(
		content: Uint8Array,
		fields: UploadFileFields,
		options?: CallOptions,
	): Promise<UploadedFile>;

	/** The raw bytes, at most 10 MiB. */
	content(id: string, options?: CallOptions): Promise<Uint8Array>;

	metadata(id: string, options?: CallOptions): Promise<WireFile>;

	/** Only files that this identity created. */
	list(ids: readonly string[], options?: CallOptions): Promise<WireListedFile[]>;

	delete(id: string, options?: CallOptions): Promise<void>;
}

export interface TokenResource {
	create(body: CreateTokenBody, options?: CallOptions): Promise<CreatedToken>;

	/** `anonymous` sends no access token (tokens for somebody are then never found). */
	get(id: string, options?: PasswordOptions & { readonly anonymous?: boolean }): Promise<WireToken>;

	delete(id: string, options?: CallOptions): Promise<void>;
}

export interface PushResource {
	/**
	 * The Backbone's wake-up calls, reconnecting for as long as the caller iterates. Nothing is
	 * replayed by the Backbone, so sync on every `opened`. At most one stream at a time: subscribing
	 * ends the previous one. Ends by throwing when credentials or client are refused, or with the
	 * reason of the signal; a consumer that breaks out closes the connection.
	 */
	subscribe(options?: CallOptions): AsyncIterable<PushSignal>;
}

export interface Backbone {
	/** normalised: no trailing slash, no `/api/…` */
	readonly baseUrl: string;
	/** server time minus our time as last seen, in milliseconds; undefined before the first answer */
	readonly clockSkewMs: number | undefined;

	readonly version: VersionResource;
	readonly authentication: AuthenticationResource;
	readonly identities: IdentityResource;
	readonly devices: DeviceResource;
	readonly challenges: ChallengeResource;
	readonly datawallet: DatawalletResource;
	readonly syncRuns: SyncRunResource;
	readonly templates: TemplateResource;
	readonly relationships: RelationshipResource;
	readonly messages: MessageResource;
	readonly files: FileResource;
	readonly tokens: TokenResource;
	readonly push: PushResource;

	/** Aborts what is under way and closes all sockets. May be called twice. */
	close(): Promise<void>;
	[Symbol.asyncDispose](): Promise<void>;
}
