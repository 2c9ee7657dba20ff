/** Public interface of the core, for nodes, programs and servers. */
import './base/require-node';

export { Gateway, type GatewayDependencies, type ReconfigureOptions } from './gateway/gateway';
export {
	acquireGateway,
	closeAllGateways,
	type AcquireOptions,
	type GatewayLease,
} from './gateway/gateway-registry';
export {
	gatewayConfigSchema,
	parseGatewayConfig,
	type GatewayConfig,
	type GatewayConfigInput,
	type StoreConfig,
} from './config';
export type { AutomationConfig } from './model/automation';
export type { Cancellable } from './base/abort';
export type { Clock } from './base/clock';
export type {
	Instruments,
	Judge,
	Operation,
	OperationResult,
	StoreWrite,
} from './base/observation/instruments';
export type { Random } from './base/random';
export type { SendTimings, Timings } from './base/timings';
export * from './account-transfer';
export { readStoredAudit, type StoredAudit } from './gateway/stored-audit';
export { probeCredential, type CredentialProbe } from './gateway/credential-probe';
export {
	GatewayError,
	codeOf,
	isGatewayError,
	type ErrorKind,
	type GatewayErrorInit,
	type GatewayErrorOf,
} from './base/errors';
export type {
	BackboneErrorCode,
	CallFacts,
	ErrorCode,
	ErrorCodes,
	ErrorFacts,
	FactsOf,
} from './base/error-codes';
export {
	createLogger,
	silentLogger,
	type LogFacts,
	type Logger,
	type LogSink,
} from './base/logger';
export { isKnownEvent } from './events/event-types';
export {
	eventCatalogue,
	type EventName,
	type EventPayload,
	type EventPayloads,
} from './events/catalogue';
export {
	gatewayEventSchema,
	isEventName,
	type AnyEventName,
	type EventVersion,
} from './events/event-names';
export type { EventNameOfVersion7 } from './events/version-7-events';
export { carriedRecord } from './events/carried-record';
export { passesFilter } from './events/filter';
export type { CarriedRecord, EventSubject } from './events/event-definition';
export * from './facade/gateway-facade';
export {
	openExportDocument,
	type ExportDocument,
	type ExportedFile,
} from './facade/export-document';
export { listAll, pagesOf } from './facade/list-pages';
export type {
	AttributeField,
	ColumnValue,
	Condition,
	DraftField,
	FieldCondition,
	FileField,
	LocalNotificationField,
	MessageField,
	Query,
	RelationshipField,
	RequestField,
	SettingField,
	TemplateField,
	TokenField,
} from './store/store';
export { announcementDtoSchema, type AnnouncementDto } from './model/record/announcement';
export {
	challengeDtoSchema,
	challengeVerdictDtoSchema,
	type ChallengeDto,
	type ChallengeVerdictDto,
} from './model/record/challenge';
export type { TagCollectionDto, TagDto } from './model/record/tag';
export {
	identityDeletionProcessDtoSchema,
	type DeletionProcessStatus,
	type IdentityDeletionProcessDto,
} from './model/record/deletion-process';
export type { ChallengeType } from './domain/challenge/challenge-signing';
export { fileErrors, tokenForTransfer } from './domain/file/file-errors';
export { decideAction } from './domain/relationship/relationship-rules';
export { relationshipTransitions } from './domain/relationship/relationship-transitions';
export { fileDtoSchema, type DownloadedFile, type FileDto } from './model/record/file';
export { identityDtoSchema, type IdentityDto } from './model/record/identity';
export {
	attributeDtoSchema,
	type AttributeDto,
	type AttributeListenerDto,
	type AttributeWithoutOwnerDto,
	type DeletionInfo,
	type ListenerQuery,
	type NotifiedSuccessionDto,
	type ShareInfo,
	type SuccessionDto,
	type SuccessionWithoutOwnerDto,
} from './model/record/attribute';
export {
	localAttributeDtoSchema,
	type EmittedDeletionStatus,
	type ForwardingDetailsDto,
	type LocalAttributeDto,
	type LocalAttributeType,
	type LocalDeletionDto,
	type LocalSuccessionDto,
	type NotifiedVersionDto,
	type ReceivedDeletionStatus,
} from './model/record/local-attribute';
export { toProfile, type PeerProfile } from './domain/attribute/peer-profile';
export { openLetters, type LetterDocument } from './domain/letter/letters';
export type { LetterInput, LetterOptionsInput } from './model/input/letter';
export { messageDtoSchema, type MessageDto, type SendIntentDto } from './model/record/message';
export {
	discardedProblemDtoSchema,
	problemDtoSchema,
	retriedProblemDtoSchema,
	type ProblemKind,
} from './model/record/problem';
export { reconciliationDtoSchema, type ReconciliationDto } from './model/record/reconciliation';
export {
	contactDtoSchema,
	foundContactDtoSchema,
	relationshipDtoSchema,
	type AuditLogEntry,
	type ContactDto,
	type RelationshipDto,
	type RelationshipStatus,
} from './model/record/relationship';
export {
	requestDtoSchema,
	type RefusedPeerAnswer,
	type RequestDto,
	type RequestStatus,
} from './model/record/request';
export {
	pushStatusDtoSchema,
	syncInfoDtoSchema,
	syncStatusDtoSchema,
	type ExternalEventFailure,
	type PushStatusDto,
	type SyncInfoDto,
	type ConsumerStatusDto,
	type SyncStatusDto,
} from './model/record/sync';
export { templateDtoSchema, type TemplateDto } from './model/record/template';
export type { IdentityMetadataDto } from './model/record/identity-metadata';
export type { LocalNotificationDto } from './model/record/local-notification';
export type { DraftDto, SettingDto } from './model/record/setting';
export type { PasswordProtectionDto } from './model/password-protection';
export type { RetrySettings } from './events/delivery/delivery-queue';
export type { CreateAccessKeyInput, RotateAccessKeyInput } from './model/input/access-key';
export type { AuditQueryInput, AuditVerificationInput } from './model/input/audit';
export type { AccessKeyDto, NewAccessKeyDto } from './model/record/http/access-key';
export type { HostedAccountDto } from './model/record/http/hosted-account';
export type { Json, JsonObject, UnknownContent } from './model/json';
export type { OpenEnum } from './model/open-enum';
export type { DeviceOnboardingInfoDto, LoadedItemDto } from './model/record/loaded-item';
export type {
	AuditActor,
	AuditEntryDto,
	AuditFindingDto,
	AuditHeadDto,
	AuditPageDto,
	AuditVerificationDto,
	NewAuditEntry,
} from './model/record/http/audit';
export { identityErrors } from './domain/identity/identity-errors';
export { changedLetters } from './base/similar-names';
export { requestErrors } from './domain/request/request-errors';
export { waitErrors } from './domain/wait/wait-errors';
export { tokenDtoSchema, type TokenDto } from './model/record/token';
export type {
	Attribute,
	IdentityAttribute,
	IdentityAttributeValue,
	RelationshipAttribute,
} from './model/content/attributes';
export type { CreationContent } from './model/content/creation-content';
export type { Mail, MessageContent } from './model/content/message-content';
export type { Notification, NotificationItem } from './model/content/notifications';
export type {
	AttributeQuery,
	IdentityAttributeQuery,
	IqlQuery,
	RelationshipAttributeQuery,
	ThirdPartyRelationshipAttributeQuery,
} from './model/content/requests/queries';
export type { RequestItem } from './model/content/requests/request-items';
export type { Request, RequestItemGroup, UntypedRequest } from './model/content/requests/requests';
export type { ResponseItem } from './model/content/requests/response-items';
export type {
	Response,
	ResponseItemGroup,
	ResponseWrapper,
	UntypedResponse,
} from './model/content/requests/responses';
export type {
	RelationshipTemplateContent,
	TemplateContent,
} from './model/content/template-content';
export type { TokenContent } from './model/content/token-content';
export type { FormFieldSettings } from './model/content/values/form-field-settings';
export type { ValueHints } from './model/content/values/hints';
export type { RelationshipAttributeValue } from './model/content/values/relationship-values';
export { countryCodes, languageCodes } from './model/content/values/code-lists';
export { defaultHintsOf, effectiveValueHints } from './model/content/values/default-hints';
export { partsOf } from './model/content/values/value-types';
export type { PasswordProtectionInput } from './model/password-protection';
export { parseInstant } from './model/instant';
export { safeParse } from './base/schema-parse';
export * as z from './base/schema-kit';
