import type {
	ExternalEventResult,
	SyncRunType,
	WireDatawallet,
	WireExternalEvent,
	WireSyncRun,
} from './dto';
import type { ClientVerdict } from './client-verdict';
import type { CallOptions, ListOptions } from './port/call-options';
import type { FileResource, TokenResource } from './port/file-resources';
import type {
	ChallengeResource,
	DeletionProcessResource,
	DeviceResource,
	IdentityResource,
} from './port/identity-resources';
import type {
	AnnouncementResource,
	NotificationResource,
	TagResource,
} from './port/notice-resources';
import type {
	MessageResource,
	RelationshipResource,
	TemplateResource,
} from './port/relationship-resources';
import type { PushSignal } from './push-signal';

export type * from './port/call-options';
export type * from './port/file-resources';
export type * from './port/identity-resources';
export type * from './port/notice-resources';
export type * from './port/relationship-resources';

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

	/** The events of all pages, by index; those without a name are left out. */
	events(runId: string, options?: ListOptions): Promise<WireExternalEvent[]>;

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

export interface PushResource {
	/**
	 * The Backbone's wake-up calls, reconnecting for as long as the caller iterates. Nothing is
	 * replayed by the Backbone, so sync on every `opened`. At most one stream at a time: subscribing
	 * ends the previous one. Ends by throwing when credentials or client are refused, or with the
	 * reason of the signal; a consumer that breaks out closes the connection.
	 */
	subscribe(options?: CallOptions): AsyncIterable<PushSignal>;
}

/**
 * The transport port: everything we ask of a Backbone, one narrow interface per resource.
 *
 * Every method rejects with a `GatewayError` whose code follows `docs/protocol/backbone-api.md` 25,
 * or with the reason of the caller's signal. Facts of such an error may hold `status`, `method`,
 * `path`, `platformCode` (the Backbone's own code where the mapping hides it), `isExhaustedUntil`,
 * `clockSkewMs` and `attempts`.
 */
export interface Backbone {
	/** normalised: no trailing slash, no `/api/…` */
	readonly baseUrl: string;
	/** server time minus our time as last seen, in milliseconds; undefined before the first answer */
	readonly clockSkewMs: number | undefined;

	readonly version: VersionResource;
	readonly authentication: AuthenticationResource;
	readonly identities: IdentityResource;
	readonly deletionProcesses: DeletionProcessResource;
	readonly devices: DeviceResource;
	readonly challenges: ChallengeResource;
	readonly datawallet: DatawalletResource;
	readonly syncRuns: SyncRunResource;
	readonly templates: TemplateResource;
	readonly relationships: RelationshipResource;
	readonly messages: MessageResource;
	readonly files: FileResource;
	readonly tokens: TokenResource;
	readonly tags: TagResource;
	readonly announcements: AnnouncementResource;
	readonly notifications: NotificationResource;
	readonly push: PushResource;

	/** Aborts what is under way and closes all sockets. May be called twice. */
	close(): Promise<void>;
	[Symbol.asyncDispose](): Promise<void>;
}
