/** Facts of an error: small, and safe to log. */
export type ErrorFacts = Readonly<Record<string, string | number | boolean | readonly string[]>>;

/** Facts of an error in a call to the Backbone, as far as the call has come. */
export interface CallFacts {
	/** HTTP method of the call */
	readonly method?: string;
	/** path of the call, without its query */
	readonly path?: string;
	/** HTTP status of the answer */
	readonly status?: number;
	/** code in the answer of the Backbone */
	readonly platformCode?: string;
	/** false if the Backbone cannot have received the call */
	readonly sent?: boolean;
	/** true if an attempt before the last one may have arrived */
	readonly mayHaveArrived?: boolean;
}

/**
 * Every code that this package gives its errors, with its facts: the names on which callers can
 * rely. The catalogues of the nouns say what a code means and what to do; docs/errors.md lists
 * both.
 *
 * @hidden
 */
export interface ErrorCodes {
	// Codes that the Backbone chooses are passed on, so this package knows only some of them. Those
	// without the prefix are names of its checks (docs/protocol/backbone-api.md 3).
	[code: `error.platform.${string}`]: CallFacts;
	[code: `${string}Validator`]: CallFacts;

	// general
	'error.gateway.accessKeys.nameTaken': { readonly field: string };
	'error.gateway.accessKeys.tooMany': ErrorFacts;
	'error.gateway.accounts.exists': { readonly field: string };
	'error.gateway.accounts.tooMany': ErrorFacts;
	'error.gateway.accounts.unknown': ErrorFacts;
	'error.gateway.accounts.notRunning': { readonly retryAfterSeconds: number };
	'error.gateway.accounts.fromConfiguration': ErrorFacts;
	'error.gateway.accounts.notHosted': ErrorFacts;
	'error.gateway.accounts.wrongConfirmation': { readonly field: string };
	'error.gateway.accounts.noFreePlace': { readonly field: string };
	'error.gateway.audit.broken': { readonly number: number };
	'error.gateway.audit.cannotRecord': ErrorFacts;
	'error.gateway.configuration.invalid': {
		readonly field?: string;
		readonly settings?: readonly string[];
	};
	'error.runtime.requestDeserialization': { readonly field?: string };
	'error.runtime.validation.invalidPropertyValue': {
		readonly prefix?: string;
		readonly field?: string;
		readonly size?: number;
		readonly maxPlaintextBytes?: number;
		readonly maxCipherBytes?: number;
		readonly maxContentBytes?: number;
	};
	'error.transport.general.notIntendedForYou': ErrorFacts;
	'error.gateway.backbone.unexpectedAnswer': CallFacts & {
		readonly place?: string;
		readonly asked?: number;
		readonly answered?: number | string;
		readonly pageNumber?: number;
		readonly askedFor?: string;
		readonly deletionProcessId?: string;
		readonly challengeId?: string;
	};
	'error.runtime.recordNotFound': {
		readonly deletionProcessId?: string;
		readonly fileId?: string;
		readonly messageId?: string;
		readonly relationshipId?: string;
		readonly tokenId?: string;
		readonly templateId?: string;
		readonly attributeId?: string;
		readonly requestId?: string;
		readonly webhookId?: string;
	};
	'error.transport.datawallet.insufficientSupportedDatawalletVersion': CallFacts & {
		readonly version?: number;
	};
	'error.transport.signatureNotValid': {
		readonly relationshipId?: string;
		readonly templateId?: string;
	};
	'error.runtime.unknownType': { readonly field?: string; readonly type?: string };
	'error.runtime.servalError': { readonly field?: string };
	'error.transport.recordNotFound': {
		readonly relationshipId?: string;
		readonly attributeId?: string;
		readonly requestId?: string;
		readonly notificationId?: string;
	};
	'error.runtime.unknown': {
		readonly field?: string;
		readonly requestId?: string;
		readonly status?: string;
		readonly notificationId?: string;
		readonly itemCode?: ErrorCode;
	};
	'error.gateway.messages.outcomeUnknown': {
		readonly intentId?: string;
		readonly requestId?: string;
	};
	'error.runtime.invalidTokenContent': ErrorFacts;

	// attribute
	'error.runtime.attributes.cannotCreateDuplicateRepositoryAttribute': {
		readonly attributeId: string;
	};
	'error.consumption.attributes.wrongOwnerOfRepositoryAttribute': { readonly field: string };
	'error.runtime.attributes.isNotRepositoryAttribute': { readonly attributeId: string };
	'error.runtime.attributes.isNotOwnSharedAttribute': { readonly attributeId: string };
	'error.runtime.attributes.isNotPeerSharedAttribute': { readonly attributeId: string };
	'error.runtime.attributes.isNotThirdPartyRelationshipAttribute': { readonly attributeId: string };
	'error.runtime.attributes.cannotSeparatelyDeleteChildOfComplexAttribute': {
		readonly attributeId: string;
		readonly parentId: string;
	};
	'error.runtime.attributes.cannotDeleteSharedAttributeWhileRelationshipIsPending': {
		readonly attributeId: string;
	};
	'error.runtime.attributes.hasSuccessor': { readonly attributeId: string };
	'error.runtime.attributes.setDefaultRepositoryAttributesIsDisabled': ErrorFacts;
	'error.runtime.attributes.noPreviousVersionOfRepositoryAttributeHasBeenSharedWithPeerBefore': {
		readonly attributeId: string;
	};
	'error.runtime.attributes.repositoryAttributeHasAlreadyBeenSharedWithPeer': {
		readonly attributeId: string;
	};
	'error.runtime.attributes.cannotSucceedAttributesWithDeletionInfo': {
		readonly attributeId: string;
	};
	'error.consumption.attributes.cannotSetDeletionInfoOfRepositoryAttributes': {
		readonly attributeId: string;
	};
	'error.consumption.attributes.invalidDeletionInfoOfOwnSharedAttribute': {
		readonly attributeId: string;
	};
	'error.consumption.attributes.invalidDeletionInfoOfPeerSharedAttribute': {
		readonly attributeId: string;
	};
	'error.consumption.attributes.invalidDeletionInfoOfThirdPartyRelationshipAttribute': {
		readonly attributeId: string;
	};
	'error.consumption.attributes.invalidTags': { readonly field: string };
	'error.consumption.attributes.successorDoesNotExist': { readonly attributeId: string };

	// local attribute
	'error.runtime.attributes.cannotCreateDuplicateOwnIdentityAttribute': {
		readonly attributeId: string;
	};
	'error.runtime.attributes.isNotOwnIdentityAttribute': { readonly attributeId: string };
	'error.runtime.attributes.isNotOwnRelationshipAttribute': { readonly attributeId: string };
	'error.runtime.attributes.peerHasNoPreviousVersionOfAttribute': { readonly attributeId: string };
	'error.runtime.attributes.ownIdentityAttributeHasAlreadyBeenSharedWithPeer': {
		readonly attributeId: string;
	};
	'error.runtime.attributes.successorOfOwnIdentityAttributeHasAlreadyBeenSharedWithPeer': {
		readonly attributeId: string;
	};
	'error.consumption.attributes.cannotSucceedSharedAttributesDeletedByPeer': {
		readonly attributeId: string;
	};
	'error.consumption.attributes.forbiddenCharactersInAttribute': { readonly field: string };

	// backbone
	'error.transport.general.baseUrlNotSet': CallFacts;
	'error.transport.general.invalidBaseUrl': CallFacts;
	'error.gateway.backbone.invalidPushUrl': CallFacts & { readonly field?: string };
	'error.transport.general.platformClientIdNotSet': CallFacts;
	'error.transport.general.platformClientSecretNotSet': CallFacts;
	'error.transport.general.platformClientInvalid': CallFacts;
	'error.gateway.backbone.versionNotSupported': CallFacts & {
		readonly majorVersion?: number;
		readonly min?: number;
		readonly max?: number;
	};
	'error.gateway.backbone.notABackbone': CallFacts;
	'error.gateway.backbone.redirected': CallFacts & { readonly location?: string };
	'error.gateway.backbone.tooLate': CallFacts;
	'error.transport.request.aborted': CallFacts & {
		readonly cause?: string;
		readonly timeoutMs?: number;
	};
	'error.transport.request.unknown': CallFacts & { readonly cause?: string };
	'error.transport.request.addressNotFound': CallFacts & { readonly cause?: string };
	'error.transport.request.bodyLengthExceeded': CallFacts & {
		readonly maxRequestBytes?: number;
		readonly size?: number;
		readonly maxContentBytes?: number;
	};
	'error.transport.request.badRequest': CallFacts;
	'error.transport.request.notFound': CallFacts;
	'error.transport.request.resultUndefined': CallFacts & { readonly place?: string };
	'error.gateway.backbone.answerTooLarge': CallFacts & { readonly maxBytes?: number };
	'error.gateway.backbone.pageTooLarge': CallFacts & {
		readonly itemCount?: number;
		readonly maxItemsPerPage?: number;
	};
	'error.gateway.backbone.tooManyPages': CallFacts & {
		readonly totalPages?: number;
		readonly maxPages?: number;
		readonly maxItems?: number;
		readonly maxBytes?: number;
	};
	'error.transport.request.noAuthGrant': CallFacts & { readonly oauthError?: string };
	'error.gateway.identity.deleted': CallFacts & { readonly deletionDate?: string };
	'error.transport.request.noAuthPossible': CallFacts & { readonly oauthError?: string };
	'error.transport.secrets.secretNotFound': CallFacts;
	'error.platform.unauthorized': CallFacts;
	'error.platform.forbidden': CallFacts;
	'error.platform.quotaExhausted': CallFacts & {
		readonly metricKeys?: readonly string[];
		readonly isExhaustedUntil?: string;
	};
	'error.platform.unexpected': CallFacts;
	'error.transport.relationships.deletedOwnerOfRelationshipTemplate': CallFacts;
	'error.gateway.backbone.pushEnded': CallFacts;
	'error.gateway.backbone.pushSilent': CallFacts & { readonly silenceMs?: number };
	'error.gateway.backbone.pushNotAvailable': CallFacts;
	'error.gateway.backbone.pushNotRegistered': CallFacts;
	'error.gateway.backbone.closed': CallFacts;

	// backbone notification
	'error.transport.backboneNotifications.atLeastOneRecipientRequired': { readonly field: string };
	'error.transport.backboneNotifications.codeMustNotBeEmpty': { readonly field: string };
	'error.transport.backboneNotifications.noActiveRelationshipFoundForRecipients': {
		readonly addresses: readonly string[];
	};

	// broker
	'error.gateway.brokers.notSupported': { readonly setting: string };
	'error.gateway.brokers.unreachable': { readonly setting: string };
	'error.gateway.brokers.loginRefused': { readonly setting: string };
	'error.gateway.brokers.exchangeNotFound': { readonly setting: string };
	'error.gateway.brokers.notAcknowledged': { readonly setting: string };
	'error.gateway.brokers.eventRefused': ErrorFacts;

	// challenge
	'error.runtime.validation.invalidPayload': { readonly field: string };
	'error.transport.challenges.challengeTypeRequiresActiveRelationship': {
		readonly relationshipId: string;
		readonly status: string;
	};
	'error.runtime.notSupported': ErrorFacts;

	// contact
	'error.gateway.contacts.notFound': { readonly address: string };
	'error.gateway.contacts.several': { readonly people: number };
	'error.gateway.contacts.notEnded': {
		readonly address: string;
		readonly relationshipId: string;
		readonly status: string;
	};
	'error.gateway.contacts.notDecomposed': {
		readonly address: string;
		readonly relationshipId: string;
		readonly status: string;
	};

	// crypto
	'error.crypto.encryption.decrypt': ErrorFacts;
	'error.crypto.encryption.wrongCounter': ErrorFacts;
	'error.crypto.validation.nonceAndCounter': ErrorFacts;
	'error.crypto.validation.noNonceNorCounter': ErrorFacts;
	'error.crypto.wrongSerializedBuffer': ErrorFacts;
	'error.crypto.wrongBuffer': ErrorFacts;
	'error.crypto.signature.wrongAlgorithm': ErrorFacts;
	'error.crypto.hash.wrongHashAlgorithm': ErrorFacts;
	'error.crypto.exchange.wrongExchangeAlgorithm': ErrorFacts;
	'error.crypto.exchange.keyDerivation': ErrorFacts;
	'error.crypto.signature.verify': ErrorFacts;
	'error.crypto.sealing.cannotOpen': { readonly table: string };
	'error.crypto.sealing.wrongKeyFile': ErrorFacts;
	'error.transport.secrets.wrongSecretType': ErrorFacts;
	'error.crypto.passwordHash.failed': ErrorFacts;

	// envelope
	'error.transport.messages.ownAddressNotInList': ErrorFacts;
	'error.transport.messages.signatureListMismatch': ErrorFacts;
	'error.transport.messages.signatureNotValid': ErrorFacts;
	'error.transport.messages.plaintextMismatch': ErrorFacts;
	'error.transport.files.cipherMismatch': ErrorFacts;
	'error.transport.files.plaintextHashMismatch': ErrorFacts;

	// event
	'error.gateway.events.unknownName': { readonly field: string };
	'error.gateway.events.unknownPosition': { readonly after: number; readonly last: number };

	// file
	'error.transport.files.maxFileSizeExceeded': {
		readonly field: string;
		readonly size: number;
		readonly maxPlaintextBytes: number;
		readonly maxCipherBytes: number;
		readonly maxContentBytes: number;
	};
	'error.gateway.files.unreadable': { readonly reason: string };
	'error.gateway.files.outcomeUnknown': ErrorFacts;
	'error.gateway.files.overLimit': ErrorFacts;
	'error.runtime.files.notOwnedByYou': { readonly fileId: string };
	'error.gateway.files.tokenNotRenewed': {
		readonly fileId: string;
		readonly hasFormerToken: boolean;
	};
	'error.gateway.files.ownershipTokenUnknown': { readonly fileId: string };
	'error.transport.files.invalidMetadata': { readonly fileId: string };

	// identity
	'error.transport.general.noIdentityFound': ErrorFacts;
	'error.gateway.identity.belongsToAnotherBackbone': {
		readonly accountBackbone: string;
		readonly configuredBackbone: string;
	};
	'error.gateway.backbone.downgraded': {
		readonly accountBackbone: string;
		readonly configuredBackbone: string;
	};
	'error.gateway.identity.attributesHaveOneId': ErrorFacts & { readonly field: string };
	'error.gateway.identity.addressMismatch': {
		readonly field?: string;
		readonly expected?: string;
		readonly found?: string;
	};
	'error.gateway.identity.creationBusy': ErrorFacts;
	'error.runtime.identityDeletionProcess.activeIdentityDeletionProcessAlreadyExists': {
		readonly deletionProcessId: string;
		readonly status: string;
	};
	'error.runtime.identityDeletionProcess.noActiveIdentityDeletionProcess': ErrorFacts;
	'error.runtime.identityDeletionProcess.noApprovedIdentityDeletionProcess': ErrorFacts;
	'error.runtime.identityDeletionProcess.noWaitingForApprovalIdentityDeletionProcess': ErrorFacts;
	'error.platform.validation.syncRun.cannotStartSyncRunWhileIdentityIsToBeDeleted': CallFacts;
	'error.gateway.identity.notByAgent': ErrorFacts;
	'error.gateway.identity.toBeDeleted': { readonly sent: boolean };

	// identity metadata
	'error.runtime.identityMetadata.notFound': ErrorFacts;
	'error.runtime.identityMetadata.unfamiliarReferencedIdentity': { readonly field: string };

	// key
	'error.crypto.wrongEncryptionAlgorithm': ErrorFacts;
	'error.crypto.encryption.wrongSecretKey': ErrorFacts;

	// local notification
	'error.runtime.notifications.messageDoesNotContainNotification': { readonly messageId: string };
	'error.runtime.notifications.cannotReceiveNotificationFromOwnMessage': {
		readonly messageId: string;
	};
	'error.runtime.notifications.cannotSaveSentNotificationFromPeerMessage': {
		readonly messageId: string;
	};
	'error.consumption.attributes.successionPeerIsNotOwner': ErrorFacts;
	'error.consumption.attributes.isNotPeerSharedAttribute': { readonly attributeId: string };
	'error.consumption.attributes.isNotOwnSharedAttribute': { readonly attributeId: string };
	'error.consumption.attributes.isNotThirdPartyRelationshipAttribute': {
		readonly attributeId: string;
	};
	'error.consumption.attributes.senderIsNotPeerOfSharedAttribute': { readonly attributeId: string };

	// message
	'error.transport.messages.missingOrInactiveRelationship': {
		readonly addresses: readonly string[];
	};
	'error.runtime.messages.peerIsInDeletion': { readonly addresses: readonly string[] };
	'error.transport.messages.peerIsDeleted': { readonly addresses: readonly string[] };
	'error.runtime.messages.fileNotFoundInMessage': {
		readonly messageId: string;
		readonly fileId: string;
	};
	'error.gateway.messages.deliveredTooEarly': { readonly messageId: string };
	'error.gateway.messages.sentByAnotherCopy': ErrorFacts;
	'error.gateway.messages.notSent': ErrorFacts;

	// problem
	'error.gateway.problems.unknown': { readonly problemIds: readonly string[] };
	'error.gateway.problems.notDiscardable': { readonly problemIds: readonly string[] };
	'error.gateway.problems.invalidSelection': { readonly field: string };

	// letter
	'error.gateway.letters.characterNotInFont': { readonly field: string };
	'error.gateway.letters.doesNotFit': { readonly field: string };
	'error.gateway.letters.invalidFont': { readonly field: string };
	'error.gateway.letters.invalidPicture': { readonly field: string };

	// reference
	'error.core-types.invalidTruncatedReference': { readonly field?: string };
	'error.core-types.missingBackboneBaseUrl': ErrorFacts;
	'error.gateway.references.tooLongForQrCode': ErrorFacts;
	'error.runtime.invalidReference': ErrorFacts;
	'error.transport.noPasswordProvided': { readonly field: string };

	// relationship
	'error.transport.relationships.wrongRelationshipStatus': {
		readonly relationshipId: string;
		readonly status: string;
		readonly peer: string;
		readonly action: string;
	};
	'error.transport.relationships.operationOnlyAllowedForPeer': {
		readonly relationshipId: string;
		readonly status: string;
		readonly peer: string;
		readonly action: string;
	};
	'error.transport.relationships.reactivationNotRequested': {
		readonly relationshipId: string;
		readonly status: string;
		readonly peer: string;
		readonly action: string;
	};
	'error.transport.relationships.reactivationAlreadyRequested': {
		readonly relationshipId: string;
		readonly status: string;
		readonly peer: string;
		readonly action: string;
	};
	'error.transport.relationships.relationshipCurrentlyExists': {
		readonly relationshipId: string;
		readonly status: string;
	};
	'error.transport.relationships.relationshipTemplateIsExpired': { readonly templateId: string };
	'error.transport.relationships.relationshipNotYetDecomposedByPeer': ErrorFacts;
	'error.transport.relationships.activeIdentityDeletionProcessOfOwnerOfRelationshipTemplate': ErrorFacts;
	'error.platform.validation.relationship.cannotCreateRelationshipWithYourself': CallFacts & {
		readonly field: string;
	};
	'error.gateway.relationships.refusedByBackbone': { readonly platformCode: string };
	'error.gateway.relationships.unknownTemplate': {
		readonly relationshipId: string;
		readonly peer: string;
	};

	// request
	'error.runtime.relationshipTemplates.requestCannotExpireAfterRelationshipTemplate': {
		readonly field: string;
	};
	'error.consumption.requests.cannotShareRequestWithYourself': ErrorFacts;
	'error.consumption.requests.cannotCreateRequestWithExpirationDateInPast': ErrorFacts;
	'error.consumption.requests.missingRelationship': ErrorFacts;
	'error.consumption.requests.wrongRelationshipStatus': ErrorFacts;
	'error.consumption.requests.peerIsInDeletion': ErrorFacts;
	'error.consumption.requests.peerIsDeleted': ErrorFacts;
	'error.consumption.requests.invalidRequestItem': { readonly field?: string };
	'error.consumption.validation.inheritedFromItem': {
		/** code of the first item that is not valid */
		readonly itemCode: ErrorCode;
		readonly field: string;
	};
	'error.consumption.requests.violatedKeyUniquenessOfRelationshipAttributes': ErrorFacts;
	'error.consumption.requests.cannotShareRelationshipAttributeOfPendingRelationship': ErrorFacts;
	'error.consumption.requests.attributeQueryMismatch': ErrorFacts;
	'error.gateway.requests.responseMismatch': ErrorFacts;
	'error.gateway.requests.answeredAlready': ErrorFacts;
	'error.gateway.requests.answerFromOther': ErrorFacts;
	'error.gateway.requests.templateDeleted': ErrorFacts;
	'error.gateway.requests.templateUsedUp': ErrorFacts;
	'error.gateway.requests.unprovenAnswer': ErrorFacts;
	'error.gateway.requests.answerToLostRequest': ErrorFacts;
	'error.consumption.requests.cannotCreateRequestWithDuplicateId': ErrorFacts;
	'error.consumption.requests.canOnlyDeleteIncomingRequestThatIsExpired': {
		readonly requestId: string;
		readonly status: string;
	};
	'error.consumption.requests.invalidAcceptParameters': { readonly field?: string };
	'error.consumption.requests.decide.validation.invalidNumberOfItems': ErrorFacts;
	'error.consumption.requests.decide.validation.itemAcceptedButRequestNotAccepted': ErrorFacts;
	'error.consumption.requests.decide.validation.mustBeAcceptedItemNotAccepted': ErrorFacts;
	'error.consumption.requests.decide.validation.requestItemAnsweredAsRequestItemGroup': ErrorFacts;
	'error.consumption.requests.decide.validation.requestItemGroupAnsweredAsRequestItem': ErrorFacts;
	'error.consumption.requests.servalErrorDuringRequestItemProcessing': { readonly field?: string };
	'error.consumption.requests.unexpectedErrorDuringRequestItemProcessing': {
		readonly field?: string;
	};
	'error.runtime.decide.requestConfigDoesNotMatchResponseConfig': { readonly field: string };
	'error.runtime.relationships.noAcceptedIncomingRequest': { readonly templateId: string };
	'error.runtime.relationships.wrongResponseProvidedAsCreationContent': {
		readonly requestId: string;
	};
	'error.runtime.messages.cannotSendMessageWithExpiredRequest': { readonly requestId: string };
	'error.runtime.messages.cannotSendRequestThatWasAlreadySent': { readonly requestId: string };
	'error.gateway.requests.unknownAttributeTypes': ErrorFacts;
	'error.gateway.requests.notUnderstoodByPeer': {
		readonly field: string;
		readonly generation?: number;
	};

	// server
	'error.connector.validation.invalidJsonInPayload': { readonly field: string };
	'error.connector.unauthorized': ErrorFacts;
	'error.connector.forbidden': { readonly roles: readonly string[] };
	'error.connector.http.routeDoesNotExist': ErrorFacts;
	'error.connector.http.methodNotAllowed': { readonly allow: readonly string[] };
	'error.connector.http.notAcceptable': ErrorFacts;
	'error.connector.incomingRequests.decidedByAutomation': { readonly field: string };
	'error.connector.unexpected': ErrorFacts;
	'error.gateway.http.signInFailed': ErrorFacts;
	'error.gateway.http.foreignPage': ErrorFacts;
	'error.gateway.http.tooManyAttempts': { readonly retryAfterSeconds: number };
	'error.gateway.http.bodyTooLarge': { readonly field: string; readonly maxBytes: number };
	'error.gateway.http.unsupportedBody': { readonly field: string };
	'error.gateway.http.malformedRequest': { readonly field: string };
	'error.gateway.modules.cannotStart': { readonly module: string };
	'error.gateway.tls.certificateNotPinned': { readonly host: string; readonly fingerprint: string };
	'error.gateway.http.servedAsVersion7': ErrorFacts;
	'error.gateway.http.tooManyConnections': ErrorFacts;
	'error.gateway.http.tooManyStreams': ErrorFacts;
	'error.gateway.http.cannotListen': { readonly port: number; readonly reason: string };

	// store
	'error.gateway.store.sqliteInQueueMode': ErrorFacts;
	'error.gateway.store.passphraseRequired': { readonly field?: string };
	'error.gateway.store.postgresUnreachable': ErrorFacts;
	'error.gateway.store.postgresHostNotFound': ErrorFacts;
	'error.gateway.store.postgresRefused': ErrorFacts;
	'error.gateway.store.postgresNoDatabase': ErrorFacts;
	'error.gateway.store.postgresForbidden': ErrorFacts;
	'error.gateway.store.postgresTls': ErrorFacts;
	'error.gateway.store.postgresUnsuitable': { readonly field?: string; readonly version?: number };
	'error.gateway.store.postgresPooled': { readonly field?: string };
	'error.gateway.store.postgresOverloaded': ErrorFacts;
	'error.gateway.store.postgresLost': ErrorFacts;
	'error.gateway.store.postgresOutcomeUnknown': ErrorFacts;
	'error.gateway.store.leaseLost': ErrorFacts;
	'error.gateway.store.foreignSchema': { readonly field?: string };
	'error.gateway.store.folderNotAbsolute': { readonly field?: string };
	'error.gateway.store.folderNotAllowed': { readonly field?: string };
	'error.gateway.store.notWritable': ErrorFacts;
	'error.gateway.store.tooManyOpenFiles': ErrorFacts;
	'error.gateway.store.foreignFile': ErrorFacts;
	'error.gateway.store.newerSchema': { readonly version?: number };
	'error.gateway.store.earlierSchema': { readonly version?: number };
	'error.gateway.store.wrongPassphrase': ErrorFacts;
	'error.gateway.store.passphraseMissing': ErrorFacts;
	'error.gateway.store.passphraseUnexpected': ErrorFacts;
	'error.gateway.store.databaseMissing': { readonly left?: readonly string[] };
	'error.gateway.store.databaseReplaced': ErrorFacts;
	'error.gateway.store.keyFileMissing': ErrorFacts;
	'error.gateway.store.wrongKeyFile': ErrorFacts;
	'error.gateway.store.wrongClientSecret': ErrorFacts;
	'error.gateway.store.invalidList': { readonly field?: string };
	'error.gateway.store.busy': ErrorFacts;
	'error.gateway.store.ioFailed': ErrorFacts;
	'error.gateway.store.damagedFile': ErrorFacts;
	'error.gateway.store.rolledBack': ErrorFacts;
	'error.gateway.store.accountMoved': { readonly movedTo?: string; readonly movedAt?: string };
	'error.gateway.store.moveUnfinished': { readonly copiedFrom?: string; readonly begunAt?: string };
	'error.gateway.store.openElsewhere': ErrorFacts;
	'error.gateway.store.unknownCursor': { readonly id?: string };
	'error.gateway.store.queryTooLarge': ErrorFacts;
	'error.gateway.store.corruptRow': { readonly table?: string; readonly id?: string };
	'error.gateway.store.closed': ErrorFacts;

	// succession
	'error.consumption.attributes.successorIsNotAValidAttribute': ErrorFacts;
	'error.consumption.attributes.successorMustNotYetExist': ErrorFacts;
	'error.consumption.attributes.cannotSucceedChildOfComplexAttribute': ErrorFacts;
	'error.consumption.attributes.predecessorDoesNotExist': ErrorFacts;
	'error.consumption.attributes.cannotSucceedAttributesWithASuccessor': ErrorFacts;
	'error.consumption.attributes.cannotSucceedAttributesWithDeletionInfo': ErrorFacts;
	'error.consumption.attributes.successionMustChangeContent': ErrorFacts;
	'error.consumption.attributes.successionMustNotChangeOwner': ErrorFacts;
	'error.consumption.attributes.successionMustNotChangeContentType': ErrorFacts;
	'error.consumption.attributes.successionMustNotChangeValueType': ErrorFacts;
	'error.consumption.attributes.successionMustNotChangeKey': ErrorFacts;
	'error.consumption.attributes.successionMustNotChangePeer': ErrorFacts;
	'error.consumption.attributes.successionMustNotChangeThirdParty': ErrorFacts;
	'error.consumption.attributes.predecessorIsNotRepositoryAttribute': ErrorFacts;
	'error.consumption.attributes.successorIsNotRepositoryAttribute': ErrorFacts;
	'error.consumption.attributes.predecessorIsNotOwnSharedIdentityAttribute': ErrorFacts;
	'error.consumption.attributes.successorIsNotOwnSharedIdentityAttribute': ErrorFacts;
	'error.consumption.attributes.successorSourceAttributeIsNotSpecified': ErrorFacts;
	'error.consumption.attributes.successorSourceAttributeDoesNotExist': ErrorFacts;
	'error.consumption.attributes.successorSourceAttributeIsNotRepositoryAttribute': ErrorFacts;
	'error.consumption.attributes.successorSourceContentIsNotEqualToCopyContent': ErrorFacts;
	'error.consumption.attributes.predecessorSourceAttributeIsNotRepositoryAttribute': ErrorFacts;
	'error.consumption.attributes.successorSourceDoesNotSucceedPredecessorSource': ErrorFacts;
	'error.consumption.attributes.predecessorSourceContentIsNotEqualToCopyContent': ErrorFacts;
	'error.consumption.attributes.predecessorIsNotOwnSharedRelationshipAttribute': ErrorFacts;
	'error.consumption.attributes.successorIsNotOwnSharedRelationshipAttribute': ErrorFacts;
	'error.consumption.attributes.predecessorIsNotPeerSharedIdentityAttribute': ErrorFacts;
	'error.consumption.attributes.successorIsNotPeerSharedIdentityAttribute': ErrorFacts;
	'error.consumption.attributes.predecessorIsNotPeerSharedRelationshipAttribute': ErrorFacts;
	'error.consumption.attributes.successorIsNotPeerSharedRelationshipAttribute': ErrorFacts;
	'error.consumption.attributes.predecessorIsNotThirdPartyRelationshipAttribute': ErrorFacts;
	'error.consumption.attributes.successorIsNotThirdPartyRelationshipAttribute': ErrorFacts;

	// sync
	'error.gateway.sync.busyElsewhere': ErrorFacts;
	'error.gateway.sync.notReconciled': ErrorFacts;
	'error.transport.unknown': { readonly eventId: string; readonly type?: string };

	// template
	'error.runtime.relationshipTemplates.cannotCreateTokenForPeerTemplate': {
		readonly templateId: string;
	};
	'error.runtime.relationshipTemplates.personalizationMustBeInherited': { readonly field: string };
	'error.runtime.relationshipTemplates.passwordProtectionMustBeInherited': {
		readonly field: string;
	};
	'error.platform.validation.relationshipTemplate.maxNumberOfAllocationsExhausted': CallFacts & {
		readonly field: string;
	};

	// token
	'error.transport.tokens.emptyToken': { readonly tokenId: string };
	'error.transport.tokens.invalidTokenContent': { readonly tokenId: string };

	// transfer
	'error.gateway.moving.noAccount': ErrorFacts;
	'error.gateway.moving.samePlace': { readonly field: string };
	'error.gateway.moving.identityLivesHere': { readonly address: string; readonly account: string };
	'error.gateway.moving.targetTaken': { readonly account: string };
	'error.gateway.moving.formerCopyHere': { readonly movedTo: string };
	'error.gateway.moving.copyDiffers': { readonly sections: readonly string[] };
	'error.gateway.moving.keyDoesNotSign': ErrorFacts;
	'error.gateway.moving.contentInvalid': { readonly section: string; readonly id: string };
	'error.gateway.moving.weakPassword': { readonly field: string };
	'error.gateway.moving.wrongPassword': ErrorFacts;
	'error.gateway.moving.fileExists': ErrorFacts;
	'error.gateway.moving.fileNotUsable': { readonly field: string };
	'error.gateway.moving.fileForeign': ErrorFacts;
	'error.gateway.moving.fileNewer': { readonly version: number };
	'error.gateway.moving.fileDamaged': ErrorFacts;

	// wait
	'error.gateway.waits.severalItems': ErrorFacts;
	'error.gateway.waits.cannotWaitHere': ErrorFacts;
	'error.gateway.waits.deadlinePassed': ErrorFacts;
	'error.gateway.waits.nothingAsked': ErrorFacts;
	'error.gateway.waits.emptyExpression': ErrorFacts;
	'error.gateway.waits.timeIsUp': ErrorFacts;
	'error.gateway.waits.noAnswerPossible': ErrorFacts;
	'error.gateway.waits.notResumed': ErrorFacts;
	'error.gateway.waits.notAccepted': ErrorFacts;

	// webhook
	'error.runtime.modules.webhooks.invalidTargetReference': { readonly setting: string };
	'error.runtime.modules.webhooks.invalidUrlFormat': { readonly setting: string };
	'error.runtime.modules.webhooks.invalidAuthenticationConfig': { readonly setting: string };
	'error.gateway.webhooks.forbiddenAddress': { readonly setting: string };
	'error.gateway.webhooks.privateAddress': { readonly field: string };
	'error.gateway.idempotency.keyReused': ErrorFacts;
	'error.gateway.idempotency.inProgress': ErrorFacts;
	'error.gateway.idempotency.tooMany': { readonly most: number };
	'error.gateway.webhooks.loop': ErrorFacts;
	'error.gateway.webhooks.ownAddress': { readonly field: string };
	'error.gateway.webhooks.tooMany': { readonly most: number };
}

/** Code of a {@link GatewayError}. */
export type ErrorCode = keyof ErrorCodes;

/** Code that the Backbone chose. */
export type BackboneErrorCode = `error.platform.${string}` | `${string}Validator`;

/** Facts of the errors with a code, beside others that are not promised. */
export type FactsOf<Code extends ErrorCode> = ErrorFacts & ErrorCodes[Code];
