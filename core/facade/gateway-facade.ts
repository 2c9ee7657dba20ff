import type { AccountUseCases } from './account';
import type { AttributeUseCases } from './attributes';
import type { AnnouncementUseCases, NotificationUseCases, TagUseCases } from './operator';
import type { ChallengeUseCases } from './challenges';
import type { ContactUseCases } from './contacts';
import type { EventUseCases } from './events';
import type { FileUseCases } from './files';
import type { IdentityDeletionUseCases } from './identity-deletion';
import type { LocalNotificationUseCases } from './local-notifications';
import type { MessageUseCases } from './messages';
import type { ProblemUseCases } from './problems';
import type { RelationshipUseCases } from './relationships';
import type { IncomingRequestUseCases, OutgoingRequestUseCases } from './requests';
import type { DraftUseCases, IdentityMetadataUseCases, SettingUseCases } from './settings';
import type { TemplateUseCases } from './templates';
import type { TokenUseCases } from './tokens';
import type { WaitUseCases } from './waits';

/**
 * The only entrance to the gateway: nodes, HTTP server, webhooks, sandbox wallet and tests use
 * these interfaces and nothing behind them. Inputs may be `unknown`: schemas parse them and refuse
 * them with coded errors. Results are plain JSON objects.
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
	readonly contacts: ContactUseCases;
	readonly messages: MessageUseCases;
	readonly files: FileUseCases;
	readonly tokens: TokenUseCases;
	readonly challenges: ChallengeUseCases;
	readonly announcements: AnnouncementUseCases;
	readonly backboneNotifications: NotificationUseCases;
	readonly tags: TagUseCases;
	readonly events: EventUseCases;
	readonly problems: ProblemUseCases;
	readonly waits: WaitUseCases;
}

export type {
	ConsumeOptions,
	Delivery,
	DeliveryVerdict,
	EventFilter,
	GatewayEvent,
	RelationshipChange,
} from '../events/event-types';
export type { FollowedEvents, FollowOptions } from '../events/follow';
export type { ListInput } from './lists';
export type * from './account';
export type * from './attributes';
export type * from './operator';
export type * from './challenges';
export type * from './contacts';
export type * from './events';
export type * from './files';
export type * from './identity-deletion';
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
