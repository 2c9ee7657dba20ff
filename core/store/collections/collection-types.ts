import type { AttributeListenerRecord, AttributeRecord } from '../../model/record/attribute';
import type { AccessKeyRecord } from '../../model/record/http/access-key';
import type {
	AuditChainRecord,
	AuditChainSecrets,
	AuditEntryRecord,
} from '../../model/record/http/audit';
import type { DeletionProcessRecord } from '../../model/record/deletion-process';
import type { FileRecord, FileSecrets } from '../../model/record/file';
import type {
	HostedAccountRecord,
	HostedAccountSecrets,
} from '../../model/record/http/hosted-account';
import type {
	IdempotencyKeyRecord,
	IdempotencyKeySecrets,
} from '../../model/record/http/idempotency-key';
import type { IdentityRecord, IdentitySecrets } from '../../model/record/identity';
import type { IdentityMetadataRecord } from '../../model/record/identity-metadata';
import type { LocalNotificationRecord } from '../../model/record/local-notification';
import type {
	MessageRecord,
	MessageSecrets,
	SendIntentRecord,
	SendIntentSecrets,
} from '../../model/record/message';
import type {
	RelationshipIntentRecord,
	RelationshipIntentSecrets,
	RelationshipRecord,
	RelationshipSecretsRecord,
} from '../../model/record/relationship';
import type { RequestRecord } from '../../model/record/request';
import type { DraftRecord, SettingRecord } from '../../model/record/setting';
import type { InboxEvent, SyncState } from '../../model/record/sync';
import type { TemplateRecord, TemplateSecrets } from '../../model/record/template';
import type { TokenRecord, TokenSecrets } from '../../model/record/token';
import type { WaitRecord } from '../../model/record/wait';
import type { WebhookRecord, WebhookSecrets } from '../../model/record/http/webhook';
import type { WorkRecord } from '../../model/record/work';
import type {
	AccessKeyField,
	AttributeField,
	AttributeListenerField,
	DeletionProcessField,
	DraftField,
	FileField,
	IdempotencyKeyField,
	IdentityMetadataField,
	InboxField,
	LocalNotificationField,
	MessageField,
	RelationshipField,
	RelationshipIntentField,
	RequestField,
	SendIntentField,
	SettingField,
	TemplateField,
	TokenField,
	WaitField,
	WorkField,
} from './fields';

/** Collections of an account: their records, the sealed secrets of the records, and the columns. */
export interface CollectionTypes {
	readonly identity: readonly [IdentityRecord, IdentitySecrets, 'state'];
	readonly attributes: readonly [AttributeRecord, undefined, AttributeField];
	readonly attributeListeners: readonly [
		AttributeListenerRecord,
		undefined,
		AttributeListenerField,
	];
	readonly localNotifications: readonly [
		LocalNotificationRecord,
		undefined,
		LocalNotificationField,
	];
	readonly identityMetadata: readonly [IdentityMetadataRecord, undefined, IdentityMetadataField];
	readonly settings: readonly [SettingRecord, undefined, SettingField];
	readonly drafts: readonly [DraftRecord, undefined, DraftField];
	readonly accessKeys: readonly [AccessKeyRecord, undefined, AccessKeyField];
	readonly auditEntries: readonly [AuditEntryRecord, undefined, never];
	readonly auditChain: readonly [AuditChainRecord, AuditChainSecrets, never];
	readonly hostedAccounts: readonly [HostedAccountRecord, HostedAccountSecrets, 'createdAt'];
	readonly requests: readonly [RequestRecord, undefined, RequestField];
	readonly templates: readonly [TemplateRecord, TemplateSecrets, TemplateField];
	readonly relationships: readonly [
		RelationshipRecord,
		RelationshipSecretsRecord,
		RelationshipField,
	];
	readonly relationshipIntents: readonly [
		RelationshipIntentRecord,
		RelationshipIntentSecrets,
		RelationshipIntentField,
	];
	readonly messages: readonly [MessageRecord, MessageSecrets, MessageField];
	readonly sendIntents: readonly [SendIntentRecord, SendIntentSecrets, SendIntentField];
	readonly files: readonly [FileRecord, FileSecrets, FileField];
	readonly tokens: readonly [TokenRecord, TokenSecrets, TokenField];
	readonly deletionProcesses: readonly [DeletionProcessRecord, undefined, DeletionProcessField];
	readonly work: readonly [WorkRecord, undefined, WorkField];
	readonly inbox: readonly [InboxEvent, undefined, InboxField];
	readonly waits: readonly [WaitRecord, undefined, WaitField];
	readonly webhooks: readonly [WebhookRecord, WebhookSecrets, never];
	readonly idempotencyKeys: readonly [
		IdempotencyKeyRecord,
		IdempotencyKeySecrets,
		IdempotencyKeyField,
	];
	readonly syncState: readonly [SyncState, undefined, never];
}
