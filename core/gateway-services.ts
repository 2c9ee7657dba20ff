import type { Cancellable } from './base/abort';
import { AttributeService } from './domain/attribute/attribute-service';
import { MessageService } from './domain/message/message-service';
import { RestoredBackupGuard } from './domain/message/restored-backup';
import { RelationshipCreation } from './domain/relationship/relationship-creation';
import { RelationshipService } from './domain/relationship/relationship-service';
import { OutgoingRequestService } from './domain/request/outgoing-request-service';
import { TemplateService } from './domain/template/template-service';
import type { GatewayParts } from './gateway';
import { prepareCreationContent } from './model/content/creation-content';
import { prepareMessageContent } from './model/content/message-content';
import { settle } from './sync/settle';
import { SyncEngine } from './sync/sync-engine';
import { SyncLoop } from './sync/sync-loop';

/** The services of one open gateway, wired to each other. */
export interface GatewayServices {
	readonly attributes: AttributeService;
	readonly outgoingRequests: OutgoingRequestService;
	readonly templates: TemplateService;
	readonly relationships: RelationshipService;
	readonly relationshipCreation: RelationshipCreation;
	readonly messages: MessageService;
	readonly engine: SyncEngine;
	readonly loop: SyncLoop;
}

export function openServices(parts: GatewayParts): GatewayServices {
	const { store, backbone, account, clock, random, logger, consumers, config, closing, stop } =
		parts;
	const shared = { store, backbone, account, clock, random };
	const attributes = new AttributeService({ store, account, clock, random });
	const outgoingRequests = new OutgoingRequestService({
		store,
		account,
		clock,
		logger: logger.child('requests'),
	});
	const templates = new TemplateService({
		...shared,
		prepareContent: (content, expiresAt, options) =>
			outgoingRequests.prepareTemplateContent(content, expiresAt, options),
	});
	const relationships = new RelationshipService({
		...shared,
		logger: logger.child('relationships'),
		prepareCreationContent,
		onRelationshipArrived: (tx, relationship) =>
			outgoingRequests.completeFromRelationship(tx, relationship),
		onAccepted: () => loop.wake(),
	});
	const relationshipCreation = new RelationshipCreation(relationships.context, relationships);
	const messageContext = {
		...shared,
		logger: logger.child('messages'),
		prepareContent: prepareMessageContent,
	};
	const guard = new RestoredBackupGuard(messageContext);
	const messages = new MessageService({
		...messageContext,
		beforeSealing: (options: Cancellable) => guard.check(options),
	});
	const services = { relationships, messages, templates };
	const engine = new SyncEngine({
		store,
		backbone,
		clock,
		random,
		logger: logger.child('sync'),
		services,
		settle: (options) =>
			settle(
				{ store, backbone, account, clock, logger: logger.child('sync'), relationships, messages },
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
		maintain: () => consumers.maintain(config.eventRetentionDays),
	});
	closing.add('sync', async () => {
		stop.abort();
		await loop.close();
		await engine.close();
	});
	return {
		attributes,
		outgoingRequests,
		templates,
		relationships,
		relationshipCreation,
		messages,
		engine,
		loop,
	};
}
