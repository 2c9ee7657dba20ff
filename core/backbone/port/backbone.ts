import type { GatewayError } from '../../base/errors';
import type {
	ExternalEventResult,
	SyncRunType,
	WireDatawallet,
	WireExternalEvent,
	WireSyncRun,
} from '../dto';
import type { CallOptions, ListOptions } from './call-options';
import type { FileResource, TokenResource } from './file-resources';
import type {
	ChallengeResource,
	DeletionProcessResource,
	DeviceResource,
	IdentityResource,
} from './identity-resources';
import type {
	AnnouncementResource,
	BackboneNotificationResource,
	TagResource,
} from './operator-resources';
import type {
	MessageResource,
	RelationshipResource,
	TemplateResource,
} from './relationship-resources';

export type * from './call-options';
export type * from './file-resources';
export type * from './identity-resources';
export type * from './operator-resources';
export type * from './relationship-resources';

/**
 * Verdict of the credential test on address, client id and client secret; the person sees
 * `message`.
 */
export type ClientVerdict =
	| { readonly verdict: 'clientAccepted'; readonly message: string }
	/** the token endpoint does not know this pair; it does not say which of the two is wrong */
	| { readonly verdict: 'clientRefused'; readonly message: string; readonly error: GatewayError }
	/** no server answers there, or not over a trusted connection */
	| { readonly verdict: 'unreachable'; readonly message: string; readonly error: GatewayError }
	/** the server there does not behave like a Backbone, or not at the moment */
	| { readonly verdict: 'other'; readonly message: string; readonly error: GatewayError };

/** `docs/protocol/backbone-api.md` 19.1. Events carry no information except their name. */
export type PushSignal =
	| { readonly kind: 'opened' }
	/** for example `ExternalEventCreated`; keep-alives are not passed on */
	| { readonly kind: 'event'; readonly name: string }
	/** the stream ended or could not be opened; the next attempt follows after `retryInMs` */
	| { readonly kind: 'lost'; readonly error: GatewayError; readonly retryInMs: number };

export interface DeviceCredentials {
	readonly username: string;
	readonly password: string;
}

export interface BackboneVersion {
	readonly majorVersion: number;
	/** prefix that this Backbone serves and that all calls use */
	readonly api: 'v1' | 'v2';
}

export interface VersionResource {
	/**
	 * Asks the Backbone once and returns the same answer from then on.
	 * @throws `error.gateway.backbone.versionNotSupported`, `error.gateway.backbone.notABackbone`
	 */
	get(options?: CallOptions): Promise<BackboneVersion>;
}

export interface AuthenticationResource {
	/** Sets the credentials of all later calls; `undefined` forgets credentials and token. */
	use(credentials: DeviceCredentials | undefined): void;

	/**
	 * Makes sure that there is a valid access token.
	 * @throws `error.transport.request.noAuthGrant` (credentials refused),
	 * `error.transport.request.noAuthPossible` (client refused, or no answer),
	 * `error.transport.secrets.secretNotFound` (no credentials in use)
	 */
	verify(options?: CallOptions): Promise<void>;

	/**
	 * Checks client id and client secret with an invented user. Rejects only with the
	 * reason of the caller's signal.
	 */
	checkClient(options?: CallOptions): Promise<ClientVerdict>;
}

export interface DatawalletResource {
	/** Undefined before the first version upgrade run is finalized. */
	get(options?: CallOptions): Promise<WireDatawallet | undefined>;
}

export interface SyncRunOptions extends CallOptions {
	/** seconds until the run expires; the server's default is 10 */
	readonly durationSeconds?: number | undefined;
}

export interface SyncRunResource {
	/**
	 * Undefined if there are no new events: the Backbone created no run. Never repeated
	 * automatically.
	 */
	start(type: SyncRunType, options?: SyncRunOptions): Promise<WireSyncRun | undefined>;

	/**
	 * Yields the events in pages, ordered by index. Events without an id are left out. A run that is
	 * too long is cut off, which is told as an unreadable item.
	 */
	events(runId: string, options?: ListOptions): AsyncGenerator<WireExternalEvent[], void>;

	/**
	 * Repeated after a lost answer, so `error.platform.validation.syncRun.syncRunAlreadyFinalized`
	 * may mean that an earlier attempt succeeded.
	 */
	finalizeExternalEventSync(
		runId: string,
		results: readonly ExternalEventResult[],
		options?: CallOptions,
	): Promise<{ newUnsyncedExternalEventsExist: boolean }>;

	/**
	 * Creates the datawallet or raises its version. Repeated in the same way as
	 * `finalizeExternalEventSync`.
	 */
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
	 * Signals of the Backbone; reconnects as long as the caller iterates. The Backbone replays
	 * nothing, so callers sync on every `opened`. At most one stream is open: a new subscription ends
	 * the previous one. The iteration throws if credentials or client are refused, or with the reason
	 * of the signal; leaving the loop closes the connection.
	 */
	subscribe(options?: CallOptions): AsyncIterable<PushSignal>;
}

/**
 * The transport port: all calls to a Backbone, one narrow interface per resource.
 *
 * Every method rejects with a `GatewayError` whose code follows `docs/protocol/backbone-api.md` 25,
 * or with the reason of the caller's signal. Facts of such an error may hold `status`, `method`,
 * `path`, `platformCode` (the Backbone's own code where the mapping hides it), `isExhaustedUntil`,
 * `clockSkewMs`, `attempts`, `sent` (false: no byte of the call has left this machine) and
 * `mayHaveArrived` (true: an attempt before the last one had no answer).
 */
export interface Backbone {
	/** normalized: no trailing slash, no `/api/…` */
	readonly baseUrl: string;
	/**
	 * server time minus local time at the last answer, in milliseconds; undefined before the first
	 * answer
	 */
	readonly clockSkewMs: number | undefined;
	/** time of the Backbone, by its newest answer alone, in milliseconds since the epoch */
	readonly serverTimeMs: number | undefined;

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
	readonly notifications: BackboneNotificationResource;
	readonly push: PushResource;

	/** Aborts running calls and closes all sockets. Further calls of `close` have no effect. */
	close(): Promise<void>;
	[Symbol.asyncDispose](): Promise<void>;
}
