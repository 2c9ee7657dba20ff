import type { Logger } from './base/logger';
import type { AttributeService } from './domain/attribute/attribute-service';
import { AttributeListenerService } from './domain/attribute-sharing/attribute-listener-service';
import { AttributeSharingService } from './domain/attribute-sharing/attribute-sharing-service';
import { IdentityMetadataService } from './domain/identity-metadata/identity-metadata-service';
import { AttributeExchange } from './domain/local-notification/attribute-exchange';
import { LocalNotificationService } from './domain/local-notification/local-notification-service';
import { localNotificationQueryFields } from './domain/local-notification/local-notification-query';
import type { MessageService } from './domain/message/message-service';
import type { OutgoingRequestService } from './domain/request/outgoing-request-service';
import { DraftService } from './domain/setting/draft-service';
import { draftQueryFields, settingQueryFields } from './domain/setting/setting-query';
import { SettingService } from './domain/setting/setting-service';
import type {
	AttributeUseCases,
	DraftUseCases,
	LocalNotificationUseCases,
	SettingUseCases,
} from './facade';
import type { GatewayParts } from './gateway';
import { listWithQuery } from './gateway-lists';

/** Services around attributes that build on messages and requests. */
export interface AttributeServices {
	readonly localNotifications: LocalNotificationService;
	readonly attributeExchange: AttributeExchange;
	readonly attributeSharing: AttributeSharingService;
	readonly attributeListeners: AttributeListenerService;
	readonly identityMetadata: IdentityMetadataService;
	readonly settings: SettingService;
	readonly drafts: DraftService;
}

export function openAttributes(
	{ store, account, clock, random }: GatewayParts,
	attributes: AttributeService,
	requests: OutgoingRequestService,
	messages: MessageService,
	logger: Logger,
): AttributeServices {
	const writer = () => attributes.writer();
	const shared = { store, writer, logger, requests, messages: messages.prepared };
	return {
		localNotifications: new LocalNotificationService({ ...shared, account }),
		attributeExchange: new AttributeExchange(shared),
		attributeSharing: new AttributeSharingService(shared),
		attributeListeners: new AttributeListenerService(shared),
		identityMetadata: new IdentityMetadataService({ store, account, random }),
		settings: new SettingService({ store, clock, random }),
		drafts: new DraftService({ store, clock, random }),
	};
}

type UsedServices = AttributeServices & { readonly attributes: AttributeService };

export function attributeUseCases(services: UsedServices): AttributeUseCases {
	const { attributes, attributeExchange, attributeSharing, attributeListeners } = services;
	const { lists, queries } = attributes;
	return {
		create: (input, options) => attributes.create(input, options),
		canCreate: (input, options) => attributes.canCreate(input, options),
		get: (id, options) => attributes.get(id, options),
		list: (input, options) => lists.all(input, options),
		listRepository: (input, options) => lists.repository(input, options),
		listOwnShared: (input, options) => lists.ownShared(input, options),
		listPeerShared: (input, options) => lists.peerShared(input, options),
		versions: (id, options) => attributes.versions(id, options),
		sharedVersions: (id, input, options) => attributes.sharedVersions(id, input, options),
		succeed: async (id, input, options) =>
			(await attributes.isRelationshipAttribute(id, options))
				? await attributeExchange.succeedRelationshipAttribute(id, input, options)
				: await attributes.succeed(id, input, options),
		notifyPeer: (id, input, options) => attributeExchange.notifyPeer(id, input, options),
		share: (id, input, options) => attributeSharing.share(id, input, options),
		createAndShareRelationshipAttribute: (input, options) =>
			attributeSharing.createAndShareRelationshipAttribute(input, options),
		delete: (id, options) => attributes.delete(id, options),
		deleteOwnShared: (id, options) => attributeExchange.deleteOwnShared(id, options),
		deletePeerShared: (id, options) => attributeExchange.deletePeerShared(id, options),
		deleteThirdParty: (id, options) => attributeExchange.deleteThirdParty(id, options),
		executeIdentityAttributeQuery: (input, options) => queries.identity(input, options),
		executeRelationshipAttributeQuery: (input, options) => queries.relationship(input, options),
		executeThirdPartyRelationshipAttributeQuery: (input, options) =>
			queries.thirdParty(input, options),
		executeIqlQuery: (input, options) => queries.iql(input, options),
		validateIqlQuery: (input) => queries.validateIql(input),
		markAsViewed: (id, options) => attributes.markAsViewed(id, options),
		changeDefault: (id, options) => attributes.changeDefault(id, options),
		listeners: (options) => attributeListeners.list(options),
	};
}

export function localNotificationUseCases({
	localNotifications,
}: UsedServices): LocalNotificationUseCases {
	return {
		get: (id, options) => localNotifications.get(id, options),
		list: listWithQuery(
			(query, options) => localNotifications.list(query, options),
			localNotificationQueryFields,
		),
		process: (id, options) => localNotifications.processById(id, options),
		received: (messageId, options) => localNotifications.received(messageId, options),
		sent: (messageId, options) => localNotifications.sent(messageId, options),
	};
}

export function settingUseCases({ settings }: UsedServices): SettingUseCases {
	return {
		create: (input, options) => settings.create(input, options),
		get: (id, options) => settings.get(id, options),
		list: listWithQuery((query, options) => settings.list(query, options), settingQueryFields),
		getByKey: (input, options) => settings.getByKey(input, options),
		upsertByKey: (input, options) => settings.upsertByKey(input, options),
		update: (id, input, options) => settings.update(id, input, options),
		delete: (id, options) => settings.delete(id, options),
	};
}

export function draftUseCases({ drafts }: UsedServices): DraftUseCases {
	return {
		create: (input, options) => drafts.create(input, options),
		get: (id, options) => drafts.get(id, options),
		list: listWithQuery((query, options) => drafts.list(query, options), draftQueryFields),
		update: (id, input, options) => drafts.update(id, input, options),
		delete: (id, options) => drafts.delete(id, options),
	};
}
