import type { Cancellable } from '../base/abort';
import { isoInstant } from '../base/clock';
import type { AttributeService } from '../domain/attribute/attribute-service';
import { toMessageDto } from '../domain/message/message-dto';
import type { PreparedMessages } from '../domain/message/sending/prepared-messages';
import { openCreations } from '../domain/relationship/creation-intents';
import { reviewPlannedDeletions } from '../domain/relationship/planned-deletions';
import type { RelationshipCreation } from '../domain/relationship/relationship-creation';
import type { RelationshipService } from '../domain/relationship/relationship-service';
import { AutomaticDecisions } from '../domain/request/decisions/automatic-decisions';
import { requireUsable, type Automation } from '../domain/request/decisions/automation';
import { IncomingRequestService } from '../domain/request/incoming-request-service';
import type { FileAccess } from '../domain/request/items/file-facts';
import { OutgoingRequestService } from '../domain/request/outgoing-request-service';
import { ProcessingResultEvents } from '../domain/request/processing-result-events';
import { RequestCompletion } from '../domain/request/request-completion';
import { RequestExchange } from '../domain/request/request-exchange';
import { RequestReception } from '../domain/request/request-reception';
import {
	ResponseDelivery,
	type ResponseTransport,
} from '../domain/request/responses/response-delivery';
import { toTemplateDto } from '../domain/template/template-dto';
import type { Ledger } from '../domain/unfinished/ledger';
import { WorkAttempts } from '../domain/unfinished/work-attempts';
import type { ServiceDependencies } from './service-dependencies';

interface ServicesOfRequests {
	readonly ledger: Ledger;
	readonly attributes: AttributeService;
	readonly files: FileAccess;
	readonly preparedMessages: PreparedMessages;
	readonly relationships: RelationshipService;
	readonly relationshipCreation: RelationshipCreation;
}

/**
 * @throws `error.gateway.configuration.invalid`,
 * `error.runtime.decide.requestConfigDoesNotMatchResponseConfig`
 */
export function openRequests(parts: ServiceDependencies, services: ServicesOfRequests) {
	const { store, backbone, account, clock, random, config } = parts;
	const { attributes, files, ledger, relationships } = services;
	// An account whose attributes have one id is served as version 7.
	const automation: Automation = { rules: config.automation, version: account.hasOneId ? 7 : 6 };
	requireUsable(automation);
	const logger = parts.logger.child('requests');
	const writer = () => attributes.writer();
	const now = (): string => isoInstant(clock.now());
	const resultEvents = new ProcessingResultEvents({
		clock,
		showMessage: toMessageDto,
		showTemplate: (record, secrets) => toTemplateDto(record, secrets, account.backboneBaseUrl),
	});
	const reception = new RequestReception({ now, random, logger, automation, resultEvents });
	const completion = new RequestCompletion({
		ownAddress: account.address,
		logger,
		random,
		writer,
		acceptUnprovenAnswers: config.acceptUnprovenAnswers,
	});
	const transport = responseTransport(services);
	const delivery = new ResponseDelivery({ store, clock, ledger, logger, transport });
	const reviewPeer = (peer: string, options: Cancellable): Promise<void> =>
		reviewPlannedDeletions(relationships, [peer], options);
	const shared = { store, account, clock, files, reviewPeer };
	const incomingRequests = new IncomingRequestService({
		...shared,
		writer,
		delivery,
		resultEvents,
	});
	return {
		outgoingRequests: new OutgoingRequestService({
			...shared,
			random,
			logger,
			hasOneId: account.hasOneId,
		}),
		incomingRequests,
		automaticDecisions: new AutomaticDecisions({
			...{ store, clock, logger, writer, automation, resultEvents, delivery },
			requests: incomingRequests,
			attempts: (options) => new WorkAttempts({ ledger, store, backbone, clock, logger }, options),
		}),
		requestExchange: new RequestExchange({ reception, completion, resultEvents, writer }),
	};
}

/** Sends responses in messages, or in relationships that answer templates. */
function responseTransport({
	preparedMessages: prepared,
	relationshipCreation,
}: ServicesOfRequests): ResponseTransport {
	return {
		ready: (peers, options) => prepared.ready(peers, options),
		prepareMessage: (tx, peer, content) => prepared.prepare(tx, peer, content),
		isWaiting: (intentId, options) => prepared.isWaiting(intentId, options),
		createRelationship: async (input, options) => {
			await relationshipCreation.create(input, options);
		},
		waitBeforeCreatingAgainMs: (templateId, options) =>
			relationshipCreation.waitBeforeCreatingAgainMs(templateId, options),
		isCreationAwaited: async (tx, templateId) => (await openCreations(tx, templateId)).length > 0,
	};
}
