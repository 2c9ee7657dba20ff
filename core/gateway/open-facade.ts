import type { Cancellable } from '../base/abort';
import type { StatusAction } from '../domain/relationship/relationship-transitions';
import type { AttributeUseCases } from '../facade/attributes';
import type { FileUseCases } from '../facade/files';
import type { GatewayFacade } from '../facade/gateway-facade';
import type { MessageUseCases } from '../facade/messages';
import type { RelationshipUseCases } from '../facade/relationships';
import type { WaitUseCases } from '../facade/waits';
import type { RelationshipDto } from '../model/record/relationship';
import { accountUseCases } from './account-use-cases';
import { boundMethods } from './bound-methods';
import { eventUseCases } from './event-use-cases';
import type { ServiceDependencies } from './service-dependencies';
import type { GatewayServices } from './services';

/**
 * All use cases: a service itself where it implements a whole interface, otherwise composed of several.
 */
export function openFacade(parts: ServiceDependencies, services: GatewayServices): GatewayFacade {
	const { templates, templateTokens, tokens, emptyTokens } = services;
	return {
		account: accountUseCases(parts, services),
		identityDeletion: boundMethods(services.identityDeletion),
		attributes: attributeUseCases(services),
		localNotifications: boundMethods(services.localNotifications),
		identityMetadata: boundMethods(services.identityMetadata),
		settings: boundMethods(services.settings),
		drafts: boundMethods(services.drafts),
		outgoingRequests: boundMethods(services.outgoingRequests),
		incomingRequests: boundMethods(services.incomingRequests),
		templates: {
			...boundMethods(templates),
			createToken: (id, input, options) => templateTokens.create(id, input, options),
		},
		relationships: relationshipUseCases(services),
		contacts: boundMethods(services.contacts),
		messages: messageUseCases(services),
		files: fileUseCases(services),
		tokens: {
			...boundMethods(tokens),
			fill: (input, options) => emptyTokens.fill(input, options),
		},
		challenges: boundMethods(services.challenges),
		announcements: boundMethods(services.announcements),
		backboneNotifications: boundMethods(services.notifications),
		tags: boundMethods(services.tags),
		events: eventUseCases(parts, services),
		problems: boundMethods(services.problems),
		waits: waitUseCases(parts, services),
	};
}

function waitUseCases(
	{ closing, logger, stop }: ServiceDependencies,
	{ waits, resumption }: GatewayServices,
): WaitUseCases {
	return {
		find: (id, key, options) => waits.find(id, key, options),
		handOver: (id, key, options) => waits.handOver(id, key, options),
		discard: (id, key, options) => waits.discard(id, key, options),
		list: (options) => waits.list(options),
		knowsFreeText: (peer, options) => waits.knowsFreeText(peer, options),
		keepResuming: () => {
			const released = new AbortController();
			const done = resumption
				.run(AbortSignal.any([stop.signal, released.signal]))
				.catch((error: unknown) => {
					logger.error('waiting executions are not resumed any more', { reason: String(error) });
				});
			const release = async (): Promise<void> => {
				released.abort();
				await done;
			};
			closing.add('waits', release);
			return { release };
		},
	};
}

function attributeUseCases(services: GatewayServices): AttributeUseCases {
	const { attributes, attributeExchange, attributeSharing, attributeListeners } = services;
	const { lists, queries } = attributes;
	return {
		...boundMethods(attributes),
		list: (input, options) => lists.all(input, options),
		listRepository: (input, options) => lists.repository(input, options),
		listOwnShared: (input, options) => lists.ownShared(input, options),
		listPeerShared: (input, options) => lists.peerShared(input, options),
		succeed: async (id, input, options) =>
			(await attributes.isRelationshipAttribute(id, options))
				? await attributeExchange.succeedRelationshipAttribute(id, input, options)
				: await attributes.succeed(id, input, options),
		notifyPeer: (id, input, options) => attributeExchange.notifyPeer(id, input, options),
		share: (id, input, options) => attributeSharing.share(id, input, options),
		createAndShareRelationshipAttribute: (input, options) =>
			attributeSharing.createAndShareRelationshipAttribute(input, options),
		deleteOwnShared: (id, options) => attributeExchange.deleteOwnShared(id, options),
		deletePeerShared: (id, options) => attributeExchange.deletePeerShared(id, options),
		deleteThirdParty: (id, options) => attributeExchange.deleteThirdParty(id, options),
		executeIdentityAttributeQuery: (input, options) => queries.identity(input, options),
		executeRelationshipAttributeQuery: (input, options) => queries.relationship(input, options),
		executeThirdPartyRelationshipAttributeQuery: (input, options) =>
			queries.thirdParty(input, options),
		executeIqlQuery: (input, options) => queries.iql(input, options),
		validateIqlQuery: (input) => queries.validateIql(input),
		listeners: (options) => attributeListeners.list(options),
	};
}

function relationshipUseCases(services: GatewayServices): RelationshipUseCases {
	const { relationships, relationshipActions, relationshipCreation, attributes } = services;
	const action =
		(name: StatusAction) =>
		(id: string, options?: Cancellable): Promise<RelationshipDto> =>
			relationshipActions.take(name, id, options);
	return {
		...boundMethods(relationships),
		create: (input, options) => relationshipCreation.create(input, options),
		canCreate: (input, options) => relationshipCreation.canCreate(input, options),
		accept: action('accept'),
		reject: action('reject'),
		revoke: action('revoke'),
		terminate: action('terminate'),
		requestReactivation: action('requestReactivation'),
		acceptReactivation: action('acceptReactivation'),
		rejectReactivation: action('rejectReactivation'),
		revokeReactivation: action('revokeReactivation'),
		decompose: (id, options) => relationshipActions.decompose(id, options),
		peerAttributes: async (id, options = {}) => {
			const { record } = await relationships.find(id, options);
			return await attributes.peerAttributes(record.peer, options);
		},
		attributes: async (id, view = {}, options = {}) => {
			const { record } = await relationships.find(id, options);
			return await attributes.lists.sharedWith(record.peer, view, options);
		},
	};
}

function messageUseCases({ messages }: GatewayServices): MessageUseCases {
	const { attachments } = messages;
	return {
		...boundMethods(messages),
		listAttachments: (id, options) => attachments.list(id, options),
		getAttachment: (id, fileId, options) => attachments.get(id, fileId, options),
		downloadAttachment: (id, fileId, options) => attachments.download(id, fileId, options),
	};
}

function fileUseCases({ files, fileTokens, fileOwnership }: GatewayServices): FileUseCases {
	return {
		...boundMethods(files),
		getOrLoad: (input, options) => fileTokens.getOrLoad(input, options),
		createToken: (id, input, options) => fileTokens.create(id, input, options),
		regenerateOwnershipToken: (id, options) => fileOwnership.regenerateToken(id, options),
		validateOwnershipToken: (id, token, options) => fileOwnership.validateToken(id, token, options),
		claimOwnership: (id, token, options) => fileOwnership.claim(id, token, options),
	};
}
