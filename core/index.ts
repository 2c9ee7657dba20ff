/** Public interface of the core, for nodes, programs and servers. */
import './base/schema-texts';

export { Gateway, type GatewayDependencies } from './gateway/gateway';
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
} from './config';
export * from './account-transfer';
export { probeCredential, type CredentialProbe } from './gateway/credential-probe';
export {
	GatewayError,
	codeOf,
	isGatewayError,
	type ErrorFacts,
	type ErrorKind,
} from './base/errors';
export { createLogger, silentLogger, type Logger, type LogSink } from './base/logger';
export { eventCatalogue, gatewayEventSchema, type EventName } from './events/catalogue';
export { carriedRecord } from './events/carried-record';
export type { CarriedRecord, EventSubject } from './events/catalogue';
export * from './facade/gateway-facade';
export { listAll } from './facade/list-pages';
export type {
	AttributeField,
	Condition,
	FileField,
	MessageField,
	Query,
	RelationshipField,
	RequestField,
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
	type IdentityDeletionProcessDto,
} from './model/record/deletion-process';
export { tokenForTransfer } from './domain/file/file-errors';
export { fileDtoSchema, type DownloadedFile, type FileDto } from './model/record/file';
export { identityDtoSchema, type IdentityDto } from './model/record/identity';
export {
	attributeDtoSchema,
	type AttributeDto,
	type SuccessionDto,
} from './model/record/attribute';
export { toProfile, type PeerProfile } from './domain/attribute/peer-profile';
export { messageDtoSchema, type MessageDto } from './model/record/message';
export {
	discardedProblemDtoSchema,
	problemDtoSchema,
	retriedProblemDtoSchema,
} from './model/record/problem';
export { reconciliationDtoSchema, type ReconciliationDto } from './model/record/reconciliation';
export {
	contactDtoSchema,
	relationshipDtoSchema,
	type RelationshipDto,
} from './model/record/relationship';
export { requestDtoSchema, type RequestDto } from './model/record/request';
export {
	pushStatusDtoSchema,
	syncInfoDtoSchema,
	syncStatusDtoSchema,
	type SyncInfoDto,
	type SyncStatusDto,
} from './model/record/sync';
export { templateDtoSchema, type TemplateDto } from './model/record/template';
export type { DeviceOnboardingInfoDto, LoadedItemDto } from './model/record/loaded-item';
export { requestErrors } from './domain/request/request-errors';
export { waitErrors } from './domain/wait/wait-errors';
export { tokenDtoSchema, type TokenDto } from './model/record/token';
export { countryCodes, languageCodes } from './model/content/values/code-lists';
export { defaultHintsOf, effectiveValueHints } from './model/content/values/default-hints';
export { partsOf } from './model/content/values/value-types';
export { parseInstant } from './model/instant';
export * as z from './base/schema-kit';
