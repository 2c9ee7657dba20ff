import type { Cancellable } from '../base/abort';
import { AccessKeyService } from '../domain/access-key/access-key-service';
import { attributeHoldings } from '../domain/attribute/attribute-holdings';
import { AttributeService } from '../domain/attribute/attribute-service';
import { AttributeListenerService } from '../domain/attribute-sharing/attribute-listener-service';
import { AttributeSharingService } from '../domain/attribute-sharing/attribute-sharing-service';
import { AnnouncementService } from '../domain/operator/announcement-service';
import { BackboneNotificationService } from '../domain/operator/backbone-notification-service';
import { TagService } from '../domain/operator/tag-service';
import { AuditService } from '../domain/audit/audit-service';
import { ChallengeService } from '../domain/challenge/challenge-service';
import { ContactService } from '../domain/contact/contact-service';
import { ContactHistory } from '../domain/contact-data/contact-history';
import { IdempotencyService } from '../domain/idempotency/idempotency-service';
import { FileOwnership } from '../domain/file/file-ownership';
import { FileService } from '../domain/file/file-service';
import { HostedAccountService } from '../domain/hosted-account/hosted-account-service';
import { IdentityDeletionService } from '../domain/identity/identity-deletion';
import { IdentityMetadataService } from '../domain/identity-metadata/identity-metadata-service';
import { AttributeExchange } from '../domain/local-notification/attribute-exchange';
import { LocalAttributeExchange } from '../domain/local-attribute/local-attribute-exchange';
import { LocalAttributeService } from '../domain/local-attribute/local-attribute-service';
import { LocalNotificationService } from '../domain/local-notification/local-notification-service';
import { messageHoldings } from '../domain/message/message-holdings';
import { openMessages } from '../domain/message/open-messages';
import { RestoredBackupGuard } from '../domain/message/sending/restored-backup';
import { ObjectChanges } from '../domain/object-changes';
import { Observers } from '../domain/observers';
import { reviewPlannedDeletions } from '../domain/relationship/planned-deletions';
import { RelationshipActions } from '../domain/relationship/relationship-actions';
import { RelationshipCreation } from '../domain/relationship/relationship-creation';
import { toRelationshipDto } from '../domain/relationship/relationship-dto';
import { RelationshipService } from '../domain/relationship/relationship-service';
import { checkCreationContent } from '../domain/request/creation-check';
import { DraftService } from '../domain/setting/draft-service';
import { SettingService } from '../domain/setting/setting-service';
import { ItemLoader } from '../domain/template/item-loader';
import { templateHoldings } from '../domain/template/template-holdings';
import { TemplateService } from '../domain/template/template-service';
import { TemplateTokens } from '../domain/template/template-tokens';
import { EmptyTokens } from '../domain/token/empty-tokens';
import { FileTokens } from '../domain/token/file-tokens';
import { TokenService } from '../domain/token/token-service';
import { prepareCreationContent } from '../model/content/creation-content';
import { Ledger } from '../domain/unfinished/ledger';
import { WaitService } from '../domain/wait/wait-service';
import { prepareMessageContent } from '../model/content/message-content';
import type { ServiceDependencies } from './service-dependencies';
import { openRequests } from './request-services';
import { stayingBackbone } from './staying-backbone';

export type DomainServices = ReturnType<typeof openDomain>;

/**
 * The domain services of an open gateway, each built on the previous ones. The table of observers
 * lists what a later service does inside the transaction of an earlier one.
 *
 * @param wakeSync starts a sync soon, for changes that the Backbone does not announce
 */
export function openDomain(parts: ServiceDependencies, wakeSync: () => void) {
	const { store, account, clock, random, timings, logger, config } = parts;
	const identityDeletion = new IdentityDeletionService({
		...{ store, backbone: parts.backbone, clock },
		onCancelled: wakeSync,
	});
	const backbone = stayingBackbone(parts.backbone, identityDeletion);
	const observers = new Observers();
	const ledger = new Ledger({ store, clock });
	const changes = new ObjectChanges({ store, ledger, logger: logger.child('changes') });
	const shared = { store, backbone, account, clock, random, ledger, changes, observers };

	const settings = new SettingService(shared);
	const identityMetadata = new IdentityMetadataService(shared);
	const attributes = new AttributeService({
		...shared,
		setsDefaults: config.defaultAttributes,
		hasOneId: account.hasOneId,
	});
	const writer = () => attributes.writer();
	const files = new FileService(shared);
	const fileOwnership = new FileOwnership(shared, files);
	const tokens = new TokenService({ ...shared, logger: logger.child('tokens') });
	const fileTokens = new FileTokens(files, tokens);

	const messageContext = {
		...shared,
		timings: timings.sending,
		logger: logger.child('messages'),
		files,
		prepareContent: prepareMessageContent,
	};
	const backupGuard = new RestoredBackupGuard(messageContext);

	const relationships = new RelationshipService({
		...shared,
		logger: logger.child('relationships'),
		prepareCreationContent,
		checkCreationContent,
		beforeSealing: backupGuard.check.bind(backupGuard),
		wakeSync,
	});
	const relationshipActions = new RelationshipActions(relationships.dependencies, relationships);
	const relationshipCreation = new RelationshipCreation(relationships.dependencies, relationships);

	const messaging = openMessages({
		...messageContext,
		beforeSealing: async (peers: readonly string[], options: Cancellable) => {
			await backupGuard.check(options);
			await reviewPlannedDeletions(relationships, peers, options);
		},
	});

	const requests = openRequests(parts, {
		ledger,
		attributes,
		files: { store, backbone, files, ownership: fileOwnership },
		preparedMessages: messaging.preparedMessages,
		relationships,
		relationshipCreation,
	});
	const { outgoingRequests, automaticDecisions, requestExchange } = requests;
	const templates = new TemplateService({
		...shared,
		tokens,
		prepareContent: (content, expiresAt, options) =>
			outgoingRequests.prepareTemplateContent(content, expiresAt, options),
		afterLoading: (options) => automaticDecisions.settle(options),
	});

	const sharing = {
		store,
		account,
		writer,
		logger: logger.child('attributes'),
		requests: outgoingRequests,
		messages: messaging.preparedMessages,
	};
	const attributeExchange = new AttributeExchange(sharing);
	const tags = new TagService(shared);
	const localNotifications = new LocalNotificationService(sharing);
	const attributeListeners = new AttributeListenerService(sharing);

	const waits = new WaitService({ store });
	const idempotency = new IdempotencyService({ ...shared, logger: logger.child('calls') });
	observers.connect({
		attributeCreated: [attributeListeners],
		messagePrepared: [requestExchange],
		messageAwaited: [waits],
		messageNotAwaited: [waits],
		templateAwaited: [waits],
		templateDeleted: [waits],
		messageSent: [requestExchange, localNotifications],
		messageReceived: [requestExchange, localNotifications],
		templateLoaded: [requestExchange],
		relationshipCreated: [requestExchange],
		relationshipArrived: [requestExchange],
		relationshipAccepted: [attributeListeners],
		relationshipEnded: [attributeHoldings(account.address, writer)],
		relationshipLeftByPeer: [attributeHoldings(account.address, writer)],
		relationshipDecomposed: [
			messageHoldings(account.address),
			templateHoldings,
			tokens,
			attributeHoldings(account.address, writer),
			requestExchange,
			localNotifications,
			identityMetadata,
			settings,
			waits,
			idempotency,
		],
	});

	return {
		...requests,
		ledger,
		settings,
		drafts: new DraftService(shared),
		identityMetadata,
		identityDeletion,
		challenges: new ChallengeService({
			...shared,
			showRelationship: ({ record, secrets }) =>
				toRelationshipDto(record, secrets, account.backboneBaseUrl),
		}),
		announcements: new AnnouncementService(backbone),
		notifications: new BackboneNotificationService(shared),
		tags,
		attributes,
		attributeExchange,
		localAttributes: new LocalAttributeService({
			...{ store, clock, account, writer, tags },
			exchange: new LocalAttributeExchange({ exchange: attributeExchange, clock }),
		}),
		attributeSharing: new AttributeSharingService(sharing),
		attributeListeners,
		localNotifications,
		files,
		fileOwnership,
		fileTokens,
		tokens,
		emptyTokens: new EmptyTokens(tokens),
		templates,
		templateTokens: new TemplateTokens(templates, tokens, clock),
		itemLoader: new ItemLoader(templates, fileTokens, tokens),
		relationships,
		relationshipActions,
		relationshipCreation,
		contacts: new ContactService(shared),
		contactHistory: new ContactHistory(shared),
		...messaging,
		waits,
		accessKeys: new AccessKeyService(shared),
		audit: new AuditService(shared),
		hostedAccounts: new HostedAccountService(shared),
		idempotency,
		backupGuard,
		changes,
	};
}
