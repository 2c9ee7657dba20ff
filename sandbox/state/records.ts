/** Rows of the sandbox; plain JSON, so that they can be written to a file. */
export interface IdentityRow {
	address: string;
	publicKey: string;
	createdAt: string;
	status: 'Active' | 'ToBeDeleted' | 'Deleting';
	/** oldest first */
	deletions: DeletionRow[];
	identityVersion: number;
	datawalletVersion?: number;
	nextModificationIndex: number;
	nextRunIndex: number;
	featureFlags: Record<string, boolean>;
}

export interface DeletionRow {
	id: string;
	/** `Running` is shown under another name in each version of the API */
	status: 'WaitingForApproval' | 'Rejected' | 'Running' | 'Cancelled' | 'Deleting';
	createdAt: string;
	/** null for support and jobs of the server */
	createdByDevice: string | null;
	approvalPeriodEndsAt: string;
	approvedAt: string | null;
	approvedByDevice: string | null;
	rejectedAt: string | null;
	rejectedByDevice: string | null;
	gracePeriodEndsAt: string | null;
	remindersSentAt: Array<string | null>;
	/** time of cancellation or rejection */
	endedAt: string | null;
}

export interface DatawalletModification {
	id: string;
	owner: string;
	datawalletVersion: number;
	/** counts from 0 per identity */
	index: number;
	objectIdentifier: string;
	payloadCategory: string | null;
	createdAt: string;
	createdByDevice: string;
	collection: string;
	type: string;
	encryptedPayload: string | null;
}

export interface DeviceRow {
	id: string;
	username: string;
	password: string;
	address: string;
	createdAt: string;
	createdByDevice: string;
	isBackupDevice: boolean;
	lastLogin?: string;
	failedLogins: number;
	lockedUntil?: number;
	communicationLanguage: string;
	/** push registration; at most one per device */
	pushIdentifier?: string | undefined;
}

export interface ChallengeRow {
	id: string;
	expiresAt: string;
	createdBy: string | null;
	createdByDevice: string | null;
}

export interface TemplateRow {
	id: string;
	createdBy: string;
	createdByDevice: string;
	createdAt: string;
	content: string;
	expiresAt: string | null;
	maxNumberOfAllocations: number | null;
	forIdentity: string | null;
	password: string | null;
	allocations: string[];
}

export interface AuditRow {
	createdAt: string;
	createdBy: string;
	createdByDevice: string | null;
	reason: string;
	oldStatus: string | null;
	newStatus: string;
}

export interface RelationshipRow {
	id: string;
	relationshipTemplateId: string | null;
	from: string;
	to: string;
	createdAt: string;
	status: string;
	auditLog: AuditRow[];
	creationContent: string | null;
	creationResponseContent: string | null;
	decomposedBy: string[];
	/** parties whose decomposition the server has processed */
	departed: string[];
}

export interface MessageRow {
	id: string;
	createdAt: string;
	createdBy: string;
	createdByDevice: string;
	body: string;
	attachments: Array<{ id: string }>;
	recipients: Array<{
		address: string;
		encryptedKey: string;
		receivedAt: string | null;
		receivedByDevice: string | null;
		relationshipId: string;
	}>;
	/** id of the message that is shown again, for tests */
	repeats?: string;
}

export interface EventRow {
	id: string;
	type: string;
	index: number;
	createdAt: string;
	syncErrorCount: number;
	payload: Record<string, unknown>;
	owner: string;
	/** relationship whose status may hold the event back */
	context?: string;
	blocked: boolean;
	/** delay after which a finished event is repeated with the same id */
	repeatsAfterMs?: number;
	/** current run of the event */
	runId?: string | undefined;
	done: boolean;
}

export interface RunRow {
	id: string;
	type: string;
	owner: string;
	device: string;
	expiresAt: number;
	index: number;
	createdAt: string;
	/** excludes events that were given up or done before the last restart */
	events: EventRow[];
	eventCount: number;
	finalized: boolean;
}

export interface TokenRow {
	id: string;
	createdBy: string | null;
	createdByDevice: string | null;
	createdAt: string;
	expiresAt: string;
	content: string | null;
	forIdentity: string | null;
	password: string | null;
	allocations: string[];
	failures: number;
}

export interface FileRow {
	id: string;
	createdAt: string;
	createdBy: string;
	createdByDevice: string;
	modifiedAt: string;
	modifiedBy: string;
	modifiedByDevice: string;
	owner: string;
	ownerSignature: string;
	ownershipToken: string;
	ownershipIsLocked: boolean;
	cipherHash: string;
	cipherSize: number;
	expiresAt: string;
	encryptedProperties: string;
}

/** @see docs/protocol/backbone-api.md 18.1 */
export interface TagCollection {
	readonly supportedLanguages: readonly string[];
	readonly tagsForAttributeValueTypes: Readonly<Record<string, Readonly<Record<string, Tag>>>>;
}

export interface Tag {
	readonly displayNames: Readonly<Record<string, string>>;
	readonly children: Readonly<Record<string, Tag>>;
}

/** Values by language, with English as the fallback. */
export type Translated<Value> = { readonly en: Value } & {
	readonly [language: string]: Value | undefined;
};

export type Texts = Translated<{ readonly title: string; readonly body: string }>;

export interface Announced {
	readonly severity: 'Low' | 'Medium' | 'High';
	readonly texts: Texts;
	readonly expiresAt: string | null;
	/** empty for everyone */
	readonly recipients: readonly string[];
	readonly iqlQuery: string | null;
	readonly actions: ReadonlyArray<{
		readonly displayName: Translated<string>;
		readonly link: string;
	}>;
}

export interface AnnouncementRow extends Announced {
	readonly id: string;
	readonly createdAt: string;
}

/** Reference to a client's templates for the public, configured by the operator. */
export interface PublicReference {
	readonly title: string;
	readonly description: string;
	readonly truncatedReference: string;
}

export interface QuotaRow {
	readonly metricKey: Metric;
	readonly period: QuotaPeriod;
	/** in pieces, for storage in bytes */
	readonly max: number;
	/** null: for all identities, by their tier */
	readonly address: string | null;
}

export const metrics = [
	'NumberOfSentMessages',
	'NumberOfRelationships',
	'NumberOfRelationshipTemplates',
	'NumberOfFiles',
	'UsedFileStorageSpace',
	'NumberOfTokens',
] as const;
export type Metric = (typeof metrics)[number];

export const quotaPeriods = ['Hour', 'Day', 'Week', 'Month', 'Year', 'Total'] as const;
export type QuotaPeriod = (typeof quotaPeriods)[number];

export interface SentNotification {
	readonly id: string;
	readonly createdAt: string;
	readonly from: string;
	readonly recipients: readonly string[];
	readonly code: string;
}
