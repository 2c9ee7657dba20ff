import type { AccessKeyUseCases } from './http/access-keys';
import type { AccountUseCases } from './account';
import type { AttributeUseCases } from './attributes';
import type { AnnouncementUseCases, NotificationUseCases, TagUseCases } from './operator';
import type { AuditUseCases } from './http/audit';
import type { ChallengeUseCases } from './challenges';
import type { ContactUseCases } from './contacts';
import type { EventUseCases } from './events';
import type { FileUseCases } from './files';
import type { HostedAccountUseCases } from './http/hosted-accounts';
import type { IdempotencyUseCases } from './http/idempotency';
import type { IdentityDeletionUseCases } from './identity-deletion';
import type { LocalAttributeUseCases } from './local-attributes';
import type { LocalNotificationUseCases } from './local-notifications';
import type { MessageUseCases } from './messages';
import type { ProblemUseCases } from './problems';
import type { RelationshipUseCases } from './relationships';
import type { IncomingRequestUseCases, OutgoingRequestUseCases } from './requests';
import type { DraftUseCases, IdentityMetadataUseCases, SettingUseCases } from './settings';
import type { TemplateUseCases } from './templates';
import type { TokenUseCases } from './tokens';
import type { WaitUseCases } from './waits';
import type { WebhookUseCases } from './http/webhooks';

/**
 * The only entrance to the gateway: nodes, HTTP server, webhooks, sandbox wallet and tests use
 * these interfaces and nothing behind them. Schemas parse the inputs, whatever their types say, and
 * refuse them with coded errors. Results are plain JSON objects.
 */
export interface GatewayFacade {
	/** identity, sync and connection of the account */
	readonly account: AccountUseCases;
	/** deletion of this identity */
	readonly identityDeletion: IdentityDeletionUseCases;
	/** attributes of this identity and of peers */
	readonly attributes: AttributeUseCases;
	/** the same attributes in the form of version 7 */
	readonly localAttributes: LocalAttributeUseCases;
	/** notifications about attributes that both sides have */
	readonly localNotifications: LocalNotificationUseCases;
	/** data that clients store about identities */
	readonly identityMetadata: IdentityMetadataUseCases;
	/** values that clients store under keys */
	readonly settings: SettingUseCases;
	/** unfinished objects of clients */
	readonly drafts: DraftUseCases;
	/** requests of this identity to peers */
	readonly outgoingRequests: OutgoingRequestUseCases;
	/** requests of peers to this identity */
	readonly incomingRequests: IncomingRequestUseCases;
	/** relationship templates, own and loaded ones */
	readonly templates: TemplateUseCases;
	/** relationships and their changes of status */
	readonly relationships: RelationshipUseCases;
	/** peers with what they have shared */
	readonly contacts: ContactUseCases;
	/** messages, sent and received */
	readonly messages: MessageUseCases;
	/** files, own and received ones */
	readonly files: FileUseCases;
	/** tokens, which carry objects behind a reference */
	readonly tokens: TokenUseCases;
	/** proof of an identity */
	readonly challenges: ChallengeUseCases;
	/** announcements of the operator of the Backbone */
	readonly announcements: AnnouncementUseCases;
	/** texts of the operator on the phones of peers */
	readonly backboneNotifications: NotificationUseCases;
	/** tags that the operator suggests for attributes */
	readonly tags: TagUseCases;
	/** stored events, their consumers, and continuous sync */
	readonly events: EventUseCases;
	/** failures that wait for a person */
	readonly problems: ProblemUseCases;
	/** executions of n8n that wait for an answer */
	readonly waits: WaitUseCases;
	/** keys of programs that use this account over HTTP */
	readonly accessKeys: AccessKeyUseCases;
	/** who did what over HTTP */
	readonly audit: AuditUseCases;
	/** other accounts of the HTTP gateway whose default account this is */
	readonly hostedAccounts: HostedAccountUseCases;
	/** calls that clients repeat under a key */
	readonly idempotency: IdempotencyUseCases;
	/** webhooks that clients register */
	readonly webhooks: WebhookUseCases;
}

export type {
	AnyEvent,
	ConsumeOptions,
	Delivery,
	DeliveryVerdict,
	EventFilter,
	EventHead,
	EventOf,
	GatewayEvent,
	RelationshipChange,
} from '../events/event-types';
export type { EventPage, EventPageInput } from '../events/event-pages';
export type { FollowedEvents, FollowOptions } from '../events/follow';
export { judged } from './judged';
export type { ListInput, ListQueryInput } from './lists';
export type * from '../model/input/contents';
export type * from './http/access-keys';
export type * from './account';
export type * from './attributes';
export type * from './operator';
export type * from './http/audit';
export type * from './challenges';
export type * from './contacts';
export type * from './events';
export type * from './files';
export type * from './http/hosted-accounts';
export type * from './http/idempotency';
export type * from './identity-deletion';
export type * from './local-attributes';
export type * from './local-notifications';
export type * from './messages';
export type * from './problems';
export type * from './qr-codes';
export type * from './relationships';
export type * from './requests';
export type * from './settings';
export type * from './templates';
export type * from './tokens';
export type * from './waits';
export type * from './http/webhooks';
