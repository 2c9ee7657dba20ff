import type { Cancellable } from '../base/abort';
import { usedPurposes } from '../domain/purposes';
import type { StatusAction } from '../domain/relationship/relationship-transitions';
import type { AttributeUseCases } from '../facade/attributes';
import type { GatewayFacade } from '../facade/gateway-facade';
import type { LocalAttributeUseCases } from '../facade/local-attributes';
import type { RelationshipUseCases } from '../facade/relationships';
import { memberOfGroup } from '../domain/wait/group-wait';
import type { WaitUseCases } from '../facade/waits';
import type { RelationshipDto } from '../model/record/relationship';
import { accountUseCases } from './account-use-cases';
import { eventUseCases } from './event-use-cases';
import { keepRunning } from './background-work';
import { keepDelivering } from './webhook-services';
import type { ServiceDependencies } from './service-dependencies';
import type { GatewayServices } from './services';

/** The named methods of a service: who has them reaches nothing else of it. */
function useCases<
	Name extends string,
	Service extends { readonly [Method in Name]: (...given: never[]) => unknown },
>(service: Service, ...names: readonly Name[]): Pick<Service, Name> {
	const bound = names.map((name) => [name, service[name].bind(service)] as const);
	// eslint-disable-next-line @typescript-eslint/no-unsafe-type-assertion -- the members have the names and types of the methods
	return Object.fromEntries(bound) as Pick<Service, Name>;
}

/** All use cases, each bound to the service that implements it, or composed of several services. */
export function openFacade(parts: ServiceDependencies, services: GatewayServices): GatewayFacade {
	const { templates, templateTokens, tokens, emptyTokens, files, fileTokens } = services;
	const { fileOwnership, messages, messageAttachments } = services;
	return {
		account: accountUseCases(parts, services),
		identityDeletion: {
			...useCases(services.identityDeletion, 'initiate', 'cancel', 'approve', 'reject'),
			...useCases(services.identityDeletion, 'getActive', 'get', 'list'),
		},
		attributes: attributeUseCases(services),
		localAttributes: localAttributeUseCases(services),
		localNotifications: {
			...useCases(services.localNotifications, 'get', 'list', 'process'),
			...useCases(services.localNotifications, 'received', 'sent'),
		},
		identityMetadata: useCases(services.identityMetadata, 'upsert', 'get', 'delete'),
		settings: {
			...useCases(services.settings, 'create', 'get', 'list', 'getByKey'),
			...useCases(services.settings, 'upsertByKey', 'update', 'delete'),
		},
		drafts: useCases(services.drafts, 'create', 'get', 'list', 'update', 'delete'),
		outgoingRequests: {
			...useCases(services.outgoingRequests, 'validate', 'create', 'get', 'list'),
			...useCases(services.outgoingRequests, 'discard', 'answers', 'answersOfAll'),
		},
		incomingRequests: {
			...useCases(services.incomingRequests, 'get', 'list', 'canAccept', 'canReject'),
			...useCases(services.incomingRequests, 'accept', 'reject', 'delete'),
		},
		templates: {
			...useCases(templates, 'qrCode', 'qrCodeSvg', 'create', 'get', 'list', 'loadPeer', 'delete'),
			createToken: templateTokens.create.bind(templateTokens),
			usedPurposes: (options) => parts.store.read(usedPurposes, options),
		},
		relationships: relationshipUseCases(services),
		contacts: {
			...useCases(services.contacts, 'get', 'list', 'find'),
			getHistory: services.contactHistory.list.bind(services.contactHistory),
			export: services.contactExport.page.bind(services.contactExport),
			erase: services.contactErasure.erase.bind(services.contactErasure),
		},
		messages: {
			...useCases(messages, 'send', 'get', 'list', 'markAsRead', 'markAsUnread', 'unresolvedSends'),
			listAttachments: messageAttachments.list.bind(messageAttachments),
			getAttachment: messageAttachments.get.bind(messageAttachments),
			downloadAttachment: messageAttachments.download.bind(messageAttachments),
		},
		files: {
			...useCases(files, 'qrCode', 'qrCodeSvg', 'upload', 'get', 'list', 'download', 'delete'),
			getOrLoad: fileTokens.getOrLoad.bind(fileTokens),
			createToken: fileTokens.create.bind(fileTokens),
			regenerateOwnershipToken: fileOwnership.regenerateToken.bind(fileOwnership),
			validateOwnershipToken: fileOwnership.validateToken.bind(fileOwnership),
			claimOwnership: fileOwnership.claim.bind(fileOwnership),
		},
		tokens: {
			...useCases(tokens, 'qrCode', 'qrCodeSvg', 'create', 'get', 'list', 'delete'),
			...useCases(tokens, 'loadPeer', 'loadAnonymous'),
			fill: emptyTokens.fill.bind(emptyTokens),
		},
		challenges: useCases(services.challenges, 'create', 'validate'),
		announcements: useCases(services.announcements, 'list'),
		backboneNotifications: useCases(services.notifications, 'send'),
		tags: useCases(services.tags, 'collection'),
		events: eventUseCases(parts, services),
		problems: useCases(services.problems, 'list', 'retry', 'discard'),
		waits: waitUseCases(parts, services),
		accessKeys: useCases(services.accessKeys, 'create', 'list', 'rotate', 'revoke', 'find'),
		audit: useCases(services.audit, 'record', 'page', 'head', 'verify', 'prune'),
		hostedAccounts: {
			...useCases(services.hostedAccounts, 'list', 'add', 'change', 'remove'),
		},
		idempotency: useCases(services.idempotency, 'once'),
		webhooks: {
			...useCases(services.webhooks, 'create', 'get', 'list', 'update', 'delete'),
			...useCases(services.webhooks, 'parked', 'retryParked', 'discardParked'),
			test: async (id, options) =>
				await services.webhookCalls.test(await services.webhooks.find(id, options), options),
			keepDelivering: (options) => keepDelivering(parts, services, options),
		},
	};
}

function waitUseCases(
	parts: ServiceDependencies,
	{ waits, resumption }: GatewayServices,
): WaitUseCases {
	return {
		...useCases(waits, 'find', 'handOver', 'discard', 'list', 'knowsFreeText'),
		...useCases(waits, 'beginGroup', 'groupAsked', 'members', 'ofTemplate'),
		groupMember: memberOfGroup,
		keepResuming: () =>
			keepRunning(parts, 'waits', (signal) =>
				resumption.run(signal).catch((error: unknown) => {
					const reason = String(error);
					parts.logger.error('waiting executions are not resumed any more', { reason });
				}),
			),
	};
}

function attributeUseCases(services: GatewayServices): AttributeUseCases {
	const { attributes, attributeExchange, attributeSharing, attributeListeners } = services;
	const { lists, queries } = attributes;
	return {
		...useCases(attributes, 'create', 'upsert', 'canCreate', 'get', 'versions', 'sharedVersions'),
		...useCases(attributes, 'delete', 'markAsViewed', 'changeDefault'),
		...useCases(attributeExchange, 'notifyPeer'),
		...useCases(attributeExchange, 'deleteOwnShared', 'deletePeerShared', 'deleteThirdParty'),
		...useCases(attributeSharing, 'share', 'createAndShareRelationshipAttribute'),
		list: lists.all.bind(lists),
		listRepository: lists.repository.bind(lists),
		listOwnShared: lists.ownShared.bind(lists),
		listPeerShared: lists.peerShared.bind(lists),
		succeed: async (id, input, options) =>
			(await attributes.isRelationshipAttribute(id, options))
				? await attributeExchange.succeedRelationshipAttribute(id, input, options)
				: await attributes.succeed(id, input, options),
		executeIdentityAttributeQuery: queries.identity.bind(queries),
		executeRelationshipAttributeQuery: queries.relationship.bind(queries),
		executeThirdPartyRelationshipAttributeQuery: queries.thirdParty.bind(queries),
		executeIqlQuery: queries.iql.bind(queries),
		validateIqlQuery: queries.validateIql.bind(queries),
		listeners: attributeListeners.list.bind(attributeListeners),
	};
}

function localAttributeUseCases(services: GatewayServices): LocalAttributeUseCases {
	const { localAttributes, attributes, relationships } = services;
	const { lists, queries, exchange } = localAttributes;
	return {
		...useCases(localAttributes, 'create', 'canCreate', 'succeed'),
		...useCases(lists, 'get', 'forwardingDetails', 'versions', 'sharedVersions'),
		...useCases(exchange, 'notifyPeer', 'delete'),
		list: lists.all.bind(lists),
		listOwnIdentity: lists.ownIdentity.bind(lists),
		listOwnShared: lists.ownShared.bind(lists),
		listPeer: lists.ofPeer.bind(lists),
		listOfRelationship: async (id, options = {}) => {
			const { record } = await relationships.find(id, options);
			return await lists.ofRelationship(record.peer, options);
		},
		executeIdentityAttributeQuery: queries.identity.bind(queries),
		executeRelationshipAttributeQuery: queries.relationship.bind(queries),
		executeThirdPartyRelationshipAttributeQuery: queries.thirdParty.bind(queries),
		executeIqlQuery: queries.iql.bind(queries),
		validateIqlQuery: attributes.queries.validateIql.bind(attributes.queries),
	};
}

function relationshipUseCases(services: GatewayServices): RelationshipUseCases {
	const { relationships, relationshipActions, relationshipCreation, attributes } = services;
	const action =
		(name: StatusAction) =>
		(id: string, options?: Cancellable): Promise<RelationshipDto> =>
			relationshipActions.take(name, id, options);
	return {
		...useCases(relationships, 'get', 'list'),
		...useCases(relationshipCreation, 'create', 'canCreate'),
		accept: action('accept'),
		reject: action('reject'),
		revoke: action('revoke'),
		terminate: action('terminate'),
		requestReactivation: action('requestReactivation'),
		acceptReactivation: action('acceptReactivation'),
		rejectReactivation: action('rejectReactivation'),
		revokeReactivation: action('revokeReactivation'),
		decompose: relationshipActions.decompose.bind(relationshipActions),
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
