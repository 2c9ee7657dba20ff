import type { Cancellable } from './base/abort';
import type { ConsumeOptions, EventFilter, GatewayEvent } from './events/event-types';
import type { FollowedEvents, FollowOptions } from './events/follow';
import type {
	AttributeListInput,
	AttributeUseCases,
	CanCreateDto,
	DraftUseCases,
	IdentityMetadataUseCases,
	LocalNotificationUseCases,
	SettingUseCases,
} from './facade-attributes';
import type { ListInput } from './facade-lists';
import type { ProblemUseCases } from './facade-problems';
import type { IncomingRequestUseCases, OutgoingRequestUseCases } from './facade-requests';
import type { AttributeDto } from './model/record/attribute';
import type { AnnouncementDto } from './model/record/announcement';
import type { ChallengeDto, ChallengeVerdictDto } from './model/record/challenge';
import type { IdentityDeletionProcessDto } from './model/record/deletion-process';
import type { DownloadedFile, FileDto } from './model/record/file';
import type { IdentityDto } from './model/record/identity';
import type { LoadedItemDto } from './model/record/loaded-item';
import type { MessageDto, SendIntentRecord } from './model/record/message';
import type { RelationshipDto } from './model/record/relationship';
import type { ReconciliationDto } from './model/record/reconciliation';
import type { SyncStatusDto } from './model/record/sync';
import type { TagCollectionDto } from './model/record/tag';
import type { TemplateDto } from './model/record/template';
import type { TokenDto } from './model/record/token';
import type {
	FileField,
	MessageField,
	RelationshipField,
	TemplateField,
	TokenField,
} from './store/store';

/**
 * The one door into the gateway: nodes, HTTP server, webhooks, sandbox wallet and tests use these
 * interfaces and nothing behind them. All inputs are `unknown`-safe: they are parsed by schemas and
 * refused with coded errors. Results are plain JSON objects.
 */
export interface GatewayFacade {
	readonly account: AccountUseCases;
	readonly identityDeletion: IdentityDeletionUseCases;
	readonly attributes: AttributeUseCases;
	readonly localNotifications: LocalNotificationUseCases;
	readonly identityMetadata: IdentityMetadataUseCases;
	readonly settings: SettingUseCases;
	readonly drafts: DraftUseCases;
	readonly outgoingRequests: OutgoingRequestUseCases;
	readonly incomingRequests: IncomingRequestUseCases;
	readonly templates: TemplateUseCases;
	readonly relationships: RelationshipUseCases;
	readonly messages: MessageUseCases;
	readonly files: FileUseCases;
	readonly tokens: TokenUseCases;
	readonly challenges: ChallengeUseCases;
	readonly announcements: AnnouncementUseCases;
	readonly backboneNotifications: NotificationUseCases;
	readonly tags: TagUseCases;
	readonly events: EventUseCases;
	readonly problems: ProblemUseCases;
}

export interface AccountUseCases {
	getIdentity(options?: Cancellable): Promise<IdentityDto>;
	/** Fetches and applies everything new; joins a running sync of this process. */
	sync(options?: Cancellable): Promise<SyncOutcome>;
	getSyncStatus(options?: Cancellable): Promise<SyncStatusDto>;
	/**
	 * Compares with the lists of the Backbone, as is done daily; what was never announced is applied.
	 * `full`: from the beginning of every list.
	 *
	 * @throws `error.gateway.sync.notReconciled`
	 */
	reconcile(input?: unknown, options?: Cancellable): Promise<ReconciliationDto>;
	/** Looks at the Backbone: version, whether our credentials are taken, clock skew. */
	checkConnection(options?: Cancellable): Promise<ConnectionDto>;
	/** What a `reference` of any kind leads to; `password` for a protected one. */
	loadItemFromReference(input: unknown, options?: Cancellable): Promise<LoadedItemDto>;
	/** Whether our identity is gone; asked of the Backbone without logging in. */
	checkIfDeleted(options?: Cancellable): Promise<IdentityDeletionStateDto>;
}

/** `deletionDate`: the end of the grace period, or when everything was erased. */
export interface IdentityDeletionStateDto {
	readonly isDeleted: boolean;
	readonly deletionDate?: string;
}

/**
 * The deletion of our own identity (transport 11). While it is under way, nothing can be synced or
 * sent; when the grace period is over, every call to the Backbone fails with
 * `error.gateway.identity.deleted`, and what is stored here stays readable until a person removes it.
 */
export interface IdentityDeletionUseCases {
	/** `lengthOfGracePeriodInDays`: 0 to 3650, fractions allowed; the Backbone's default is 14. */
	initiate(input?: unknown, options?: Cancellable): Promise<IdentityDeletionProcessDto>;
	cancel(options?: Cancellable): Promise<IdentityDeletionProcessDto>;
	/** Of a deletion that somebody else has started, on Backbones up to 6.56. */
	approve(options?: Cancellable): Promise<IdentityDeletionProcessDto>;
	/** As `approve`. */
	reject(options?: Cancellable): Promise<IdentityDeletionProcessDto>;
	getActive(options?: Cancellable): Promise<IdentityDeletionProcessDto>;
	get(id: string, options?: Cancellable): Promise<IdentityDeletionProcessDto>;
	/** Running and former ones, oldest first. */
	list(options?: Cancellable): Promise<IdentityDeletionProcessDto[]>;
}

/** What a sync touched, in processing order, each object once in its newest state. */
export interface SyncOutcome {
	readonly relationships: RelationshipDto[];
	readonly messages: MessageDto[];
	readonly files: FileDto[];
	readonly identityDeletionProcesses: IdentityDeletionProcessDto[];
	/** external events that could not be applied yet; they are kept and tried again */
	readonly pendingFailures: Array<{ eventId: string; type: string; code: string; message: string }>;
}

export interface ConnectionDto {
	readonly backboneVersion: number;
	readonly authenticated: boolean;
	/** Backbone clock minus ours, milliseconds */
	readonly clockSkewMs: number;
}

export interface TemplateUseCases {
	/** http-api 8.12: `maxNumberOfAllocations`, `expiresAt`, `content`, `forIdentity`, `passwordProtection`. */
	create(input: unknown, options?: Cancellable): Promise<TemplateDto>;
	get(id: string, options?: Cancellable): Promise<TemplateDto>;
	list(input?: ListInput<TemplateField>, options?: Cancellable): Promise<TemplateDto[]>;
	/** `reference` and, for protected ones, `password`. */
	loadPeer(input: unknown, options?: Cancellable): Promise<TemplateDto>;
	/** Nobody can use it any more; relationships that came from it stay as they are. */
	delete(id: string, options?: Cancellable): Promise<void>;
	/** A token for an own template: `expiresAt`, `ephemeral`, `forIdentity`, `passwordProtection`. */
	createToken(id: string, input?: unknown, options?: Cancellable): Promise<TokenDto>;
	/** PNG of the reference; `format` link writes the URL form, else `nmshd://tr#...`. */
	qrCode(id: string, format: 'reference' | 'link', options?: Cancellable): Promise<Uint8Array>;
}

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
	/** Removes a terminated relationship and all that belongs to it (transport 6.4). */
	decompose(id: string, options?: Cancellable): Promise<void>;
	/** Attributes of a peer that came with a relationship or a request, newest first. */
	peerAttributes(id: string, options?: Cancellable): Promise<AttributeDto[]>;
	/** What the two share, whoever owns it, in its newest versions (http-api 8.11). */
	attributes(
		id: string,
		view?: Pick<AttributeListInput, 'onlyLatestVersions' | 'hideTechnical'>,
		options?: Cancellable,
	): Promise<AttributeDto[]>;
}

export interface MessageUseCases {
	/**
	 * `recipients`, `content` (Mail or ArbitraryMessageContent), `attachments` (ids of files that are
	 * known here). With an
	 * `idempotencyKey` a repetition returns the message that was sent the first time.
	 */
	send(
		input: unknown,
		options?: Cancellable & { readonly idempotencyKey?: string },
	): Promise<MessageDto>;
	get(id: string, options?: Cancellable): Promise<MessageDto>;
	list(input?: ListInput<MessageField>, options?: Cancellable): Promise<MessageDto[]>;
	markAsRead(id: string, options?: Cancellable): Promise<MessageDto>;
	markAsUnread(id: string, options?: Cancellable): Promise<MessageDto>;
	/** The files of a message; those not loaded with it are loaded now. */
	listAttachments(id: string, options?: Cancellable): Promise<FileDto[]>;
	getAttachment(id: string, fileId: string, options?: Cancellable): Promise<FileDto>;
	downloadAttachment(id: string, fileId: string, options?: Cancellable): Promise<DownloadedFile>;
	/** Sends whose outcome is not known yet, see design decision 9. */
	unresolvedSends(options?: Cancellable): Promise<SendIntentRecord[]>;
}

export interface FileUseCases {
	/**
	 * `filename`, `mimetype`, `title`, `description`, `tags`, `expiresAt` (http-api 8.6). With an
	 * `idempotencyKey` a repetition returns the file that was stored the first time.
	 *
	 * @param content bytes, or the path of a file on this machine: never a text of a stranger
	 */
	upload(
		input: unknown,
		content: Uint8Array | { readonly path: string },
		options?: Cancellable & { readonly idempotencyKey?: string },
	): Promise<FileDto>;
	get(id: string, options?: Cancellable): Promise<FileDto>;
	list(input?: ListInput<FileField>, options?: Cancellable): Promise<FileDto[]>;
	/** `reference` of a file or token and, for protected ones, `password`. */
	getOrLoad(input: unknown, options?: Cancellable): Promise<FileDto>;
	/** The content, from the Backbone each time. */
	download(id: string, options?: Cancellable): Promise<DownloadedFile>;
	/** An own file for everybody, a peer's only here. */
	delete(id: string, options?: Cancellable): Promise<void>;
	/** A token for the file: `expiresAt`, `ephemeral`, `forIdentity`, `passwordProtection`. */
	createToken(id: string, input?: unknown, options?: Cancellable): Promise<TokenDto>;
	/** PNG of the reference; `format` link writes the URL form, else `nmshd://tr#...`. */
	qrCode(id: string, format: 'reference' | 'link', options?: Cancellable): Promise<Uint8Array>;
	/** A new ownership token for an own file; unlocks it. Refused where the Backbone keeps no new one. */
	regenerateOwnershipToken(id: string, options?: Cancellable): Promise<FileDto>;
	/** Asking with a wrong token locks a file of somebody else. */
	validateOwnershipToken(
		id: string,
		ownershipToken: string,
		options?: Cancellable,
	): Promise<boolean>;
	/** Makes a loaded file ours. */
	claimOwnership(id: string, ownershipToken: string, options?: Cancellable): Promise<FileDto>;
}

export interface TokenUseCases {
	/** http-api 8.13: `content`, `expiresAt`, `ephemeral`, `forIdentity`, `passwordProtection`. */
	create(input: unknown, options?: Cancellable): Promise<TokenDto>;
	get(id: string, options?: Cancellable): Promise<TokenDto>;
	/** Only those that are kept, no ephemeral ones. */
	list(input?: ListInput<TokenField>, options?: Cancellable): Promise<TokenDto[]>;
	/** `reference` and, for protected ones, `password`; with `ephemeral` it is not kept. */
	loadPeer(input: unknown, options?: Cancellable): Promise<TokenDto>;
	/** The same without an identity. */
	loadAnonymous(input: unknown, options?: Cancellable): Promise<TokenDto>;
	/** Puts `content` into a token that was created empty: `reference`, `password`, `ephemeral`. */
	fill(input: unknown, options?: Cancellable): Promise<TokenDto>;
	/** An own token for everybody, a peer's only here. */
	delete(id: string, options?: Cancellable): Promise<void>;
	/** PNG of the reference; tokens that are not kept are named by their reference. */
	qrCode(
		idOrReference: string,
		format: 'reference' | 'link',
		options?: Cancellable,
	): Promise<Uint8Array>;
}

export interface ChallengeUseCases {
	/** `challengeType` Identity or Device; or Relationship, with the id as `relationship`. */
	create(input: unknown, options?: Cancellable): Promise<ChallengeDto>;
	/** `challengeString` and `signature` of a peer (crypto-and-identity 10). */
	validate(input: unknown, options?: Cancellable): Promise<ChallengeVerdictDto>;
}

export interface AnnouncementUseCases {
	/** What the operator announces; `language` is a code of two letters. */
	list(input: unknown, options?: Cancellable): Promise<AnnouncementDto[]>;
}

export interface NotificationUseCases {
	/** Shows a text of the operator, by its `code`, on the phones of `recipients`. */
	send(input: unknown, options?: Cancellable): Promise<void>;
}

export interface TagUseCases {
	/** The tags that the operator suggests; at most five minutes old. */
	collection(options?: Cancellable): Promise<TagCollectionDto>;
}

export interface EventUseCases {
	/**
	 * Runs until the signal aborts: reads the outbox after the consumer's cursor, delivers what fits
	 * the filter in order, and moves the cursor as the verdicts say.
	 */
	consume(options: ConsumeOptions): Promise<void>;
	/** The newest stored events that fit, oldest first; moves no cursor. */
	recent(filter: EventFilter, limit: number, options?: Cancellable): Promise<GatewayEvent[]>;
	/** Waits for the first new event that fits after now; moves no cursor. */
	next(filter: EventFilter, options?: Cancellable): Promise<GatewayEvent>;
	/**
	 * Events after a position (absent: from now on), in order and for as long as the signal allows.
	 * The first page has no events and tells the position; no cursor is stored.
	 *
	 * @throws `error.gateway.events.unknownPosition`, by the first page
	 */
	follow(options: FollowOptions): AsyncGenerator<FollowedEvents, never>;
	forget(consumer: string): Promise<void>;
	/** Publishes `runtime.modulesStarted`; called by a program that runs modules beside this gateway. */
	announceModulesStarted(options?: Cancellable): Promise<void>;
	/**
	 * Keeps the account in step with the Backbone until released: syncs at the interval (the shortest
	 * of all callers wins) and, if wanted, at once on push.
	 */
	keepSynced(options: KeepSyncedOptions): { release(): Promise<void> };
	/** Accepts pending relationships of peers as they arrive, until released. */
	autoAccept(options: {
		readonly templateIds?: readonly string[];
		readonly onProblem: ProblemListener;
	}): {
		release(): void;
	};
}

export interface KeepSyncedOptions {
	readonly intervalMs: number;
	readonly push: boolean;
	/** called once per change of state: a problem that a person must solve, or that it is over */
	readonly onProblem: ProblemListener;
}

export type ProblemListener = (problem: GatewayProblem | undefined) => void;

export interface GatewayProblem {
	readonly code: string;
	readonly message: string;
	readonly remedy?: string | undefined;
	/** nothing went wrong: the identity is to be deleted, as a person has decided */
	readonly isState?: boolean;
}

export type {
	ConsumeOptions,
	Delivery,
	DeliveryVerdict,
	EventFilter,
	GatewayEvent,
} from './events/event-types';

export type { FollowedEvents, FollowOptions } from './events/follow';

export type { ListInput } from './facade-lists';
export type * from './facade-attributes';
export type * from './facade-problems';
export type * from './facade-requests';
