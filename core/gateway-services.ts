import { joinWork, type Cancellable } from './base/abort';
import { AnnouncementService } from './domain/announcement/announcement-service';
import { AttributeService } from './domain/attribute/attribute-service';
import { ChallengeService } from './domain/challenge/challenge-service';
import { FileOwnership } from './domain/file/file-ownership';
import { FileService } from './domain/file/file-service';
import { IdentityDeletionService } from './domain/identity/identity-deletion';
import type { MessageContext } from './domain/message/message-context';
import { MessageService } from './domain/message/message-service';
import { RestoredBackupGuard } from './domain/message/restored-backup';
import { NotificationService } from './domain/notification/notification-service';
import { reviewPlannedDeletions } from './domain/relationship/planned-deletions';
import { RelationshipActions } from './domain/relationship/relationship-actions';
import { RelationshipCreation } from './domain/relationship/relationship-creation';
import { toRelationshipDto } from './domain/relationship/relationship-dto';
import { RelationshipService } from './domain/relationship/relationship-service';
import { RelationshipSettlement } from './domain/relationship/relationship-settlement';
import { ObjectChanges } from './domain/object-changes';
import type { IncomingRequestService } from './domain/request/incoming-request-service';
import type { OutgoingRequestService } from './domain/request/outgoing-request-service';
import { noticeExpired } from './domain/request/request-expiry';
import { TagService } from './domain/tag/tag-service';
import { ItemLoader } from './domain/template/item-loader';
import { TemplateService } from './domain/template/template-service';
import { TemplateTokens } from './domain/template/template-tokens';
import { EmptyTokens } from './domain/token/empty-tokens';
import { FileTokens } from './domain/token/file-tokens';
import { TokenService } from './domain/token/token-service';
import type { GatewayParts } from './gateway';
import { openAttributes, type AttributeServices } from './gateway-attributes';
import { relationshipHoldings } from './gateway-holdings';
import { openRequests } from './gateway-requests';
import { prepareCreationContent } from './model/content/creation-content';
import { prepareMessageContent } from './model/content/message-content';
import { Problems } from './problems/problems';
import { consumerRetention, eventIndexing, eventRetention } from './events/event-retention';
import { sendIntentRetention } from './domain/message/send-intent-retention';
import { Housekeeping } from './sync/housekeeping';
import { inboxRetention } from './sync/inbox-retention';
import { Reconciliation } from './sync/reconciliation/reconciliation';
import { settle } from './sync/settle';
import { SyncEngine } from './sync/sync-engine';
import { SyncLoop } from './sync/sync-loop';

/** The services of one open gateway, wired to each other. */
export interface GatewayServices extends AttributeServices {
	readonly attributes: AttributeService;
	readonly outgoingRequests: OutgoingRequestService;
	readonly incomingRequests: IncomingRequestService;
	readonly templates: TemplateService;
	readonly templateTokens: TemplateTokens;
	readonly itemLoader: ItemLoader;
	readonly relationships: RelationshipService;
	readonly relationshipActions: RelationshipActions;
	readonly relationshipCreation: RelationshipCreation;
	readonly messages: MessageService;
	readonly files: FileService;
	readonly fileOwnership: FileOwnership;
	readonly fileTokens: FileTokens;
	readonly tokens: TokenService;
	readonly emptyTokens: EmptyTokens;
	readonly identityDeletion: IdentityDeletionService;
	readonly challenges: ChallengeService;
	readonly announcements: AnnouncementService;
	readonly notifications: NotificationService;
	readonly tags: TagService;
	readonly engine: SyncEngine;
	readonly loop: SyncLoop;
	readonly problems: Problems;
}

export function openServices(parts: GatewayParts): GatewayServices {
	const { store, backbone, account, clock, random, logger, consumers, config, closing, stop } =
		parts;
	const { timings } = parts;
	const shared = { store, backbone, account, clock, random };
	const attributes = new AttributeService({
		store,
		account,
		clock,
		random,
		setsDefaults: config.defaultAttributes,
		onCreated: (tx, attribute) => around.attributeListeners.attributeCreated(tx, attribute),
	});
	const changes = new ObjectChanges({ store, clock, logger: logger.child('changes') });
	const fileContext = { ...shared, changes };
	const files = new FileService(fileContext);
	const fileOwnership = new FileOwnership(fileContext, files);
	const { outgoingRequests, incomingRequests, automaticDecisions, exchange } = openRequests(
		parts,
		attributes,
		{ store, backbone, files, ownership: fileOwnership },
		logger.child('requests'),
		() => ({ messages, relationships, relationshipCreation }),
	);
	const tokens = new TokenService({ ...shared, changes });
	const fileTokens = new FileTokens(files, tokens);
	const emptyTokens = new EmptyTokens(tokens);
	const templates = new TemplateService({
		...shared,
		tokens,
		changes,
		prepareContent: (content, expiresAt, options) =>
			outgoingRequests.prepareTemplateContent(content, expiresAt, options),
		contentLoaded: (tx, template) => exchange.templateLoaded(tx, template),
		afterLoading: (options) => automaticDecisions.settle(options),
	});
	const templateTokens = new TemplateTokens(templates, tokens, clock);
	const itemLoader = new ItemLoader(templates, fileTokens, tokens);
	const relationships = new RelationshipService({
		...shared,
		logger: logger.child('relationships'),
		prepareCreationContent,
		holdings: relationshipHoldings(
			account,
			() => attributes.writer(),
			() => around.attributeListeners,
		),
		checkCreationContent: (tx, templateId, content) =>
			exchange.checkCreation(tx, templateId, content),
		onRelationshipCreated: (tx, relationship) => exchange.relationshipCreated(tx, relationship),
		onRelationshipArrived: (tx, relationship) => exchange.relationshipArrived(tx, relationship),
		onAccepted: () => loop.wake(),
	});
	const relationshipActions = new RelationshipActions(relationships.context, relationships);
	const relationshipCreation = new RelationshipCreation(relationships.context, relationships);
	const messageContext: Omit<MessageContext, 'beforeSealing'> = {
		...shared,
		timings: timings.sending,
		logger: logger.child('messages'),
		files,
		prepareContent: prepareMessageContent,
		contentPrepared: (tx, message) => exchange.messagePrepared(tx, message),
		contentSent: async (tx, message) => {
			await exchange.messageSent(tx, message);
			await around.localNotifications.messageSent(tx, message);
		},
		contentReceived: async (tx, message) => {
			await exchange.messageReceived(tx, message);
			await around.localNotifications.messageReceived(tx, message);
		},
	};
	const guard = new RestoredBackupGuard(messageContext);
	const messages = new MessageService({
		...messageContext,
		beforeSealing: async (peers: readonly string[], options: Cancellable) => {
			await guard.check(options);
			await reviewPlannedDeletions(relationships, peers, options);
		},
	});
	const around = openAttributes(
		parts,
		attributes,
		outgoingRequests,
		messages,
		logger.child('attributes'),
	);
	const identityDeletion = new IdentityDeletionService({
		store,
		backbone,
		clock,
		onCancelled: () => loop.wake(),
	});
	const services = { relationships, messages, templates, fileOwnership, identityDeletion };
	const settlement = new RelationshipSettlement(
		relationships.context,
		relationships,
		relationshipActions,
	);
	const reconciliation = new Reconciliation({
		store,
		backbone,
		clock,
		logger: logger.child('sync'),
		refreshDeletion: (run) => identityDeletion.refresh(run),
	});
	const { eventRetentionDays } = config;
	const housekeeping = new Housekeeping({
		clock,
		logger: logger.child('housekeeping'),
		slices: [
			eventRetention(store, clock, eventRetentionDays),
			eventIndexing(store),
			consumerRetention(store, clock),
			inboxRetention(store, clock),
			sendIntentRetention(store, clock, 'sent', eventRetentionDays),
			sendIntentRetention(store, clock, 'failed', eventRetentionDays),
			templates.retention(),
		],
		afterwards: (options) => relationshipCreation.endLost(options),
	});
	const engine = new SyncEngine({
		store,
		backbone,
		clock,
		random,
		leaseMs: timings.syncLeaseMs,
		logger: logger.child('sync'),
		services,
		lookAtStore: (options) => guard.checkIfPossible(options),
		eventsFound: (createdAt) => loop.push.eventsFound(createdAt),
		followUp: (options) => automaticDecisions.settle(options),
		reconcile: (options) => reconciliation.run(options),
		isFollowed: (): boolean => loop.isFollowed,
		afterSync: () => housekeeping.start(),
		settle: (options) =>
			settle(
				{
					store,
					backbone,
					clock,
					logger: logger.child('sync'),
					relationships: settlement,
					messages,
					settleDeletion: (run) => identityDeletion.settle(run),
					settleObjects: (attempts, run) =>
						changes.settle(
							(intent) => {
								const { id, action } = intent;
								if (action === 'deleteToken') return tokens.deleteOwn(id, run);
								if (action === 'deleteTemplate') return templates.deleteOwn(id, run);
								return fileOwnership.settle(intent, run);
							},
							attempts,
							run,
						),
				},
				options,
			),
	});
	const loop = new SyncLoop({
		store,
		backbone,
		clock,
		random,
		logger: logger.child('sync'),
		sync: async (options) => (await engine.run(options)) !== undefined,
		nextDueAt: (options) => engine.nextDueAt(options),
		endAsking: (): Promise<void> => engine.endAsking(),
		maintain: (options) => noticeExpired({ store, clock }, options),
	});
	closing.add('sync', async () => {
		stop.abort();
		await loop.close();
		await engine.close();
		await housekeeping.close();
	});
	return {
		...around,
		attributes,
		outgoingRequests,
		incomingRequests,
		templates,
		templateTokens,
		itemLoader,
		relationships,
		relationshipActions,
		relationshipCreation,
		messages,
		files,
		fileOwnership,
		fileTokens,
		tokens,
		emptyTokens,
		identityDeletion,
		challenges: new ChallengeService({
			...shared,
			showRelationship: ({ record, secrets }) =>
				toRelationshipDto(record, secrets, account.backboneBaseUrl),
		}),
		announcements: new AnnouncementService(backbone),
		notifications: new NotificationService({ store, backbone }),
		tags: new TagService({ backbone, clock }),
		engine,
		loop,
		problems: new Problems({
			store,
			clock,
			messages,
			wakeConsumers: () => consumers.wakeUp.wake(),
			sync: (options) => joinWork(engine.run({ signal: stop.signal }), options),
		}),
	};
}
