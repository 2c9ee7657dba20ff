import type { Cancellable } from './base/abort';
import type { Logger } from './base/logger';
import type { AttributeService } from './domain/attribute/attribute-service';
import { toMessageDto } from './domain/message/message-dto';
import type { MessageService } from './domain/message/message-service';
import { openCreations } from './domain/relationship/creation-intents';
import type { RelationshipCreation } from './domain/relationship/relationship-creation';
import { reviewPlannedDeletions } from './domain/relationship/planned-deletions';
import type { RelationshipService } from './domain/relationship/relationship-service';
import { AutomaticDecisions } from './domain/request/automatic-decisions';
import { requireUsable } from './domain/request/automation';
import { IncomingRequestService } from './domain/request/incoming-request-service';
import type { FileAccess } from './domain/request/items/file-facts';
import { OutgoingRequestService } from './domain/request/outgoing-request-service';
import { ProcessedAnnouncements } from './domain/request/processed-events';
import { RequestCompletion } from './domain/request/request-completion';
import { RequestExchange } from './domain/request/request-exchange';
import { RequestReception } from './domain/request/request-reception';
import { ResponseDelivery, type ResponseTransport } from './domain/request/response-delivery';
import { UnfinishedAttempts } from './domain/unfinished/unfinished-attempts';
import { toTemplateDto } from './domain/template/template-dto';
import type { GatewayParts } from './gateway';

export interface RequestServices {
	readonly outgoingRequests: OutgoingRequestService;
	readonly incomingRequests: IncomingRequestService;
	readonly automaticDecisions: AutomaticDecisions;
	readonly exchange: RequestExchange;
}

/** Services of nouns that are wired after the requests, because they build on them. */
export interface LaterServices {
	readonly messages: MessageService;
	readonly relationships: RelationshipService;
	readonly relationshipCreation: RelationshipCreation;
}

/**
 * The services of requests, wired to each other.
 *
 * @throws `error.runtime.decide.requestConfigDoesNotMatchResponseConfig`
 */
export function openRequests(
	{ store, backbone, account, clock, random, config }: GatewayParts,
	attributes: AttributeService,
	files: FileAccess,
	logger: Logger,
	later: () => LaterServices,
): RequestServices {
	const { automation } = config;
	requireUsable(automation);
	const writer = () => attributes.writer();
	const now = (): string => writer().now;
	const announce = new ProcessedAnnouncements({
		now,
		showMessage: toMessageDto,
		showTemplate: (record, secrets) => toTemplateDto(record, secrets, account.backboneBaseUrl),
	});
	const reception = new RequestReception({ now, random, logger, automation, announce });
	const completion = new RequestCompletion({ ownAddress: account.address, logger, writer });
	const delivery = new ResponseDelivery({ store, clock, logger, transport: transportOver(later) });
	const reviewPeer = (peer: string, options: Cancellable): Promise<void> =>
		reviewPlannedDeletions(later().relationships, [peer], options);
	const shared = { store, account, clock, files, reviewPeer };
	const incomingRequests = new IncomingRequestService({ ...shared, writer, delivery, announce });
	return {
		outgoingRequests: new OutgoingRequestService({ ...shared, random }),
		incomingRequests,
		automaticDecisions: new AutomaticDecisions({
			store,
			clock,
			logger,
			writer,
			automation,
			announce,
			requests: incomingRequests,
			delivery,
			attempts: (options) => new UnfinishedAttempts({ store, backbone, clock, logger }, options),
		}),
		exchange: new RequestExchange({ reception, completion, announce, writer }),
	};
}

function transportOver(later: () => LaterServices): ResponseTransport {
	return {
		ready: (peers, options) => later().messages.prepared.ready(peers, options),
		prepareMessage: (tx, peer, content) => later().messages.prepared.prepare(tx, peer, content),
		isWaiting: (intentId, options) => later().messages.prepared.isWaiting(intentId, options),
		createRelationship: async (input, options) => {
			await later().relationshipCreation.create(input, options);
		},
		waitBeforeCreatingAgainMs: (templateId, options) =>
			later().relationshipCreation.waitBeforeCreatingAgainMs(templateId, options),
		isCreationAwaited: async (tx, templateId) => (await openCreations(tx, templateId)).length > 0,
	};
}
