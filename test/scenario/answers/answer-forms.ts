/**
 * An answer that the gateway reads, as docs/protocol/backbone-api.md describes it and not as our own schemas do:
 * what both read the same wrong way is what a test cannot see. Places are paths of members; a star
 * stands for every item.
 */
export interface AnswerForm {
	readonly title: string;
	/** `GET /Messages/{id}`: an id or address stands in braces, a query is named by its first member */
	readonly routes: readonly string[];
	/** where the objects stand; default: `result`, or each of its items */
	readonly at?: 'body' | 'error';
	/** texts that have no meaning for a client */
	readonly texts?: readonly string[];
	/** texts out of a list that may grow */
	readonly enumerations?: readonly string[];
	readonly numbers?: readonly string[];
	/** members that may be null or absent */
	readonly optional?: readonly string[];
	/** an answer that names no object is touched once */
	readonly isAboutNothing?: true;
}

const audit = {
	enumerations: ['status', 'auditLog.*.reason', 'auditLog.*.oldStatus', 'auditLog.*.newStatus'],
	texts: ['auditLog.*.createdByDevice'],
	optional: ['auditLog.*.oldStatus'],
} as const;

const fileMembers = {
	texts: ['createdByDevice', 'modifiedByDevice'],
	numbers: ['cipherSize'],
	optional: ['deletedAt', 'deletedBy', 'deletedByDevice', 'modifiedByDevice'],
} as const;

export const answerForms = {
	version: {
		title: 'the version',
		routes: ['GET /Version'],
		numbers: ['majorVersion'],
		isAboutNothing: true,
	},
	accessToken: {
		title: 'an access token',
		routes: ['POST /connect/token'],
		at: 'body',
		texts: ['token_type'],
		numbers: ['expires_in'],
		optional: ['refresh_token'],
		isAboutNothing: true,
	},
	refusedLogin: {
		title: 'a refused login',
		routes: ['POST /connect/token 401'],
		at: 'body',
		texts: ['error_description'],
		optional: ['error_uri'],
		isAboutNothing: true,
	},
	error: {
		title: 'an error',
		routes: ['GET /RelationshipTemplates/{id} 404'],
		at: 'error',
		texts: ['id', 'message', 'docs'],
		optional: ['data'],
		isAboutNothing: true,
	},
	challenge: {
		title: 'a challenge',
		routes: ['POST /Challenges', 'GET /Challenges/{id}'],
		optional: ['createdByDevice'],
	},
	identity: {
		title: 'a new identity',
		routes: ['POST /Identities'],
		texts: ['device.id'],
		isAboutNothing: true,
	},
	identityState: {
		title: 'whether an identity is deleted',
		routes: ['GET /Identities/IsDeleted'],
		optional: ['deletionDate'],
		isAboutNothing: true,
	},
	self: {
		title: 'the own identity',
		routes: ['GET /Identities/Self'],
		texts: ['tierId'],
		enumerations: ['status'],
		numbers: ['identityVersion'],
		optional: ['deletionGracePeriodEndsAt', 'tierId'],
		isAboutNothing: true,
	},
	flags: {
		title: 'the feature flags of an identity',
		routes: ['GET /Identities/{address}/FeatureFlags'],
		isAboutNothing: true,
	},
	device: {
		title: 'the own device',
		routes: ['GET /Devices/Self'],
		texts: ['id', 'username', 'createdByDevice', 'communicationLanguage'],
		optional: ['lastLogin', 'communicationLanguage'],
		isAboutNothing: true,
	},
	deletionProcess: {
		title: 'a deletion process',
		routes: [
			'POST /Identities/Self/DeletionProcesses',
			'GET /Identities/Self/DeletionProcesses',
			'GET /Identities/Self/DeletionProcesses/{id}',
		],
		texts: ['createdByDevice', 'approvedByDevice'],
		enumerations: ['status'],
		optional: [
			'gracePeriodReminder1SentAt',
			'gracePeriodReminder2SentAt',
			'gracePeriodReminder3SentAt',
			'rejectedAt',
		],
	},
	cancelledDeletion: {
		title: 'a cancelled deletion process',
		routes: ['PUT /Identities/Self/DeletionProcesses/{id}/Cancel'],
		texts: ['createdByDevice', 'cancelledByDevice'],
		enumerations: ['status'],
		optional: ['gracePeriodEndsAt', 'rejectedAt'],
	},
	datawallet: {
		title: 'the datawallet',
		routes: ['GET /Datawallet'],
		numbers: ['version'],
		isAboutNothing: true,
	},
	syncRunStart: {
		title: 'the start of a sync run',
		routes: ['POST /SyncRuns'],
		texts: ['syncRun.createdByDevice'],
		enumerations: ['syncRun.type'],
		numbers: ['syncRun.eventCount', 'syncRun.index'],
		optional: ['syncRun'],
		isAboutNothing: true,
	},
	syncRun: {
		title: 'a sync run',
		routes: ['GET /SyncRuns/{id}', 'PUT /SyncRuns/{id}/RefreshExpirationTime'],
		texts: ['createdByDevice'],
		enumerations: ['type'],
		numbers: ['eventCount', 'index'],
		isAboutNothing: true,
	},
	externalEvent: {
		title: 'an external event',
		routes: ['GET /SyncRuns/{id}/ExternalEvents'],
		numbers: ['index', 'syncErrorCount'],
	},
	syncRunEnd: {
		title: 'the end of a sync run',
		routes: ['PUT /SyncRuns/{id}/FinalizeExternalEventSync'],
		numbers: ['newDatawalletModificationIndex'],
		optional: ['newDatawalletModificationIndex'],
		isAboutNothing: true,
	},
	newTemplate: {
		title: 'a new template',
		routes: ['POST /RelationshipTemplates'],
		isAboutNothing: true,
	},
	template: {
		title: 'a template',
		routes: ['GET /RelationshipTemplates/{id}', 'GET /RelationshipTemplates?templates.0.id'],
		texts: ['createdByDevice'],
		numbers: ['maxNumberOfAllocations'],
		optional: ['maxNumberOfAllocations', 'forIdentity'],
	},
	canCreate: {
		title: 'whether a relationship can be created',
		routes: ['GET /Relationships/CanCreate?peer'],
		optional: ['code'],
		isAboutNothing: true,
	},
	newRelationship: {
		title: 'a new relationship',
		routes: ['POST /Relationships'],
		...audit,
		isAboutNothing: true,
	},
	changedRelationship: {
		title: 'a changed relationship',
		routes: [
			'PUT /Relationships/{id}/Terminate',
			'PUT /Relationships/{id}/Reactivate',
			'PUT /Relationships/{id}/Reactivate/Revoke',
			'PUT /Relationships/{id}/Decompose',
		],
		...audit,
	},
	relationship: {
		title: 'a relationship',
		routes: ['GET /Relationships/{id}', 'GET /Relationships?ids'],
		...audit,
		optional: [...audit.optional, 'creationResponseContent'],
	},
	sentMessage: {
		title: 'a sent message',
		routes: ['POST /Messages'],
		isAboutNothing: true,
	},
	message: {
		title: 'a message',
		routes: ['GET /Messages/{id}', 'GET /Messages?ids', 'GET /Messages?pageNumber'],
		texts: ['createdByDevice', 'recipients.*.receivedByDevice'],
		optional: ['recipients.*.receivedAt', 'recipients.*.receivedByDevice'],
	},
	newFile: {
		title: 'a new file',
		routes: ['POST /Files'],
		texts: ['ownershipToken', 'createdByDevice'],
		numbers: ['cipherSize'],
		optional: ['deletedAt', 'deletedBy'],
		isAboutNothing: true,
	},
	file: {
		title: 'a file',
		routes: ['GET /Files/{id}/metadata', 'GET /Files?ids'],
		...fileMembers,
	},
	validity: {
		title: 'whether an ownership token is valid',
		routes: ['POST /Files/{id}/ValidateOwnershipToken'],
		isAboutNothing: true,
	},
	newOwnershipToken: {
		title: 'a new ownership token',
		routes: ['PATCH /Files/{id}/ClaimOwnership', 'PATCH /Files/{id}/RegenerateOwnershipToken'],
		isAboutNothing: true,
	},
	newToken: { title: 'a new token', routes: ['POST /Tokens'], isAboutNothing: true },
	token: {
		title: 'a token',
		routes: ['GET /Tokens/{id}', 'GET /Tokens?ids', 'POST /Tokens/{id}/UpdateContent'],
		texts: ['createdByDevice'],
		optional: ['forIdentity'],
	},
	tags: { title: 'the tags', routes: ['GET /Tags'], isAboutNothing: true },
	announcement: {
		title: 'an announcement',
		routes: ['GET /Announcements?language'],
		texts: ['title', 'body', 'id', 'actions.*.displayName', 'actions.*.link'],
		enumerations: ['severity'],
		optional: ['expiresAt', 'iqlQuery'],
	},
} as const satisfies Record<string, AnswerForm>;

export type AnswerName = keyof typeof answerForms;
