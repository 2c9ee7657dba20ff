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
		identityDeletion: {
			initiate: (input, options) => services.identityDeletion.initiate(input, options),
			cancel: (options) => services.identityDeletion.cancel(options),
			approve: (options) => services.identityDeletion.approve(options),
			reject: (options) => services.identityDeletion.reject(options),
			getActive: (options) => services.identityDeletion.getActive(options),
			get: (id, options) => services.identityDeletion.get(id, options),
			list: (options) => services.identityDeletion.list(options),
		},
		attributes: attributeUseCases(services),
		localNotifications: {
			get: (id, options) => services.localNotifications.get(id, options),
			list: (input, options) => services.localNotifications.list(input, options),
			process: (id, options) => services.localNotifications.process(id, options),
			received: (id, options) => services.localNotifications.received(id, options),
			sent: (id, options) => services.localNotifications.sent(id, options),
		},
		identityMetadata: {
			upsert: (input, options) => services.identityMetadata.upsert(input, options),
			get: (input, options) => services.identityMetadata.get(input, options),
			delete: (input, options) => services.identityMetadata.delete(input, options),
		},
		settings: {
			create: (input, options) => services.settings.create(input, options),
			get: (id, options) => services.settings.get(id, options),
			list: (input, options) => services.settings.list(input, options),
			getByKey: (input, options) => services.settings.getByKey(input, options),
			upsertByKey: (input, options) => services.settings.upsertByKey(input, options),
			update: (id, input, options) => services.settings.update(id, input, options),
			delete: (id, options) => services.settings.delete(id, options),
		},
		drafts: {
			create: (input, options) => services.drafts.create(input, options),
			get: (id, options) => services.drafts.get(id, options),
			list: (input, options) => services.drafts.list(input, options),
			update: (id, input, options) => services.drafts.update(id, input, options),
			delete: (id, options) => services.drafts.delete(id, options),
		},
		outgoingRequests: {
			validate: (input, options) => services.outgoingRequests.validate(input, options),
			create: (input, options) => services.outgoingRequests.create(input, options),
			get: (id, options) => services.outgoingRequests.get(id, options),
			list: (input, options) => services.outgoingRequests.list(input, options),
			discard: (id, options) => services.outgoingRequests.discard(id, options),
			answers: (id, options) => services.outgoingRequests.answers(id, options),
			answersOfAll: (ids, options) => services.outgoingRequests.answersOfAll(ids, options),
		},
		incomingRequests: {
			get: (id, options) => services.incomingRequests.get(id, options),
			list: (input, options) => services.incomingRequests.list(input, options),
			canAccept: (id, input, options) => services.incomingRequests.canAccept(id, input, options),
			canReject: (id, input, options) => services.incomingRequests.canReject(id, input, options),
			accept: (id, input, options) => services.incomingRequests.accept(id, input, options),
			reject: (id, input, options) => services.incomingRequests.reject(id, input, options),
			delete: (id, options) => services.incomingRequests.delete(id, options),
		},
		templates: {
			qrCode: (id, format, options) => templates.qrCode(id, format, options),
			qrCodeSvg: (id, format, options) => templates.qrCodeSvg(id, format, options),
			create: (input, options) => templates.create(input, options),
			get: (id, options) => templates.get(id, options),
			list: (input, options) => templates.list(input, options),
			loadPeer: (input, options) => templates.loadPeer(input, options),
			delete: (id, options) => templates.delete(id, options),
			createToken: (id, input, options) => templateTokens.create(id, input, options),
		},
		relationships: relationshipUseCases(services),
		contacts: {
			get: (address, options) => services.contacts.get(address, options),
			list: (input, options) => services.contacts.list(input, options),
			find: (input, options) => services.contacts.find(input, options),
		},
		messages: messageUseCases(services),
		files: fileUseCases(services),
		tokens: {
			qrCode: (id, format, options) => tokens.qrCode(id, format, options),
			qrCodeSvg: (id, format, options) => tokens.qrCodeSvg(id, format, options),
			create: (input, options) => tokens.create(input, options),
			get: (id, options) => tokens.get(id, options),
			list: (input, options) => tokens.list(input, options),
			loadPeer: (input, options) => tokens.loadPeer(input, options),
			loadAnonymous: (input, options) => tokens.loadAnonymous(input, options),
			delete: (id, options) => tokens.delete(id, options),
			fill: (input, options) => emptyTokens.fill(input, options),
		},
		challenges: {
			create: (input, options) => services.challenges.create(input, options),
			validate: (input, options) => services.challenges.validate(input, options),
		},
		announcements: {
			list: (input, options) => services.announcements.list(input, options),
		},
		backboneNotifications: {
			send: (input, options) => services.notifications.send(input, options),
		},
		tags: {
			collection: (options) => services.tags.collection(options),
		},
		events: eventUseCases(parts, services),
		problems: {
			list: (input, options) => services.problems.list(input, options),
			retry: (input, options) => services.problems.retry(input, options),
			discard: (input, options) => services.problems.discard(input, options),
		},
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
		create: (input, options) => attributes.create(input, options),
		upsert: (input, options) => attributes.upsert(input, options),
		canCreate: (input, options) => attributes.canCreate(input, options),
		get: (id, options) => attributes.get(id, options),
		versions: (id, options) => attributes.versions(id, options),
		sharedVersions: (id, input, options) => attributes.sharedVersions(id, input, options),
		delete: (id, options) => attributes.delete(id, options),
		markAsViewed: (id, options) => attributes.markAsViewed(id, options),
		changeDefault: (id, options) => attributes.changeDefault(id, options),
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
		get: (id, options) => relationships.get(id, options),
		list: (input, options) => relationships.list(input, options),
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
		send: (input, options) => messages.send(input, options),
		get: (id, options) => messages.get(id, options),
		list: (input, options) => messages.list(input, options),
		markAsRead: (id, options) => messages.markAsRead(id, options),
		markAsUnread: (id, options) => messages.markAsUnread(id, options),
		unresolvedSends: (options) => messages.unresolvedSends(options),
		listAttachments: (id, options) => attachments.list(id, options),
		getAttachment: (id, fileId, options) => attachments.get(id, fileId, options),
		downloadAttachment: (id, fileId, options) => attachments.download(id, fileId, options),
	};
}

function fileUseCases({ files, fileTokens, fileOwnership }: GatewayServices): FileUseCases {
	return {
		qrCode: (id, format, options) => files.qrCode(id, format, options),
		qrCodeSvg: (id, format, options) => files.qrCodeSvg(id, format, options),
		upload: (input, content, options) => files.upload(input, content, options),
		get: (id, options) => files.get(id, options),
		list: (input, options) => files.list(input, options),
		download: (id, options) => files.download(id, options),
		delete: (id, options) => files.delete(id, options),
		getOrLoad: (input, options) => fileTokens.getOrLoad(input, options),
		createToken: (id, input, options) => fileTokens.create(id, input, options),
		regenerateOwnershipToken: (id, options) => fileOwnership.regenerateToken(id, options),
		validateOwnershipToken: (id, token, options) => fileOwnership.validateToken(id, token, options),
		claimOwnership: (id, token, options) => fileOwnership.claim(id, token, options),
	};
}
