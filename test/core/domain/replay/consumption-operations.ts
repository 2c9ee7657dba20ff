import type { JsonObject } from '../../../../core/model/json';
import { attributeOperations } from './attribute-operations';
import type { Operation } from './consumption-player';

/* The operations of the official facades, and what they are here. */

const text = (input: JsonObject, name: string): string => String(input[name]);

const decision = ({ requestId: _requestId, ...rest }: JsonObject): JsonObject => rest;

const requestOperations: Readonly<Record<string, Operation>> = {
	'incomingRequests.getRequest': ({ incomingRequests }, input) =>
		incomingRequests.get(text(input, 'id')),
	'incomingRequests.canAccept': ({ incomingRequests }, input) =>
		incomingRequests.canAccept(text(input, 'requestId'), decision(input)),
	'incomingRequests.canReject': ({ incomingRequests }, input) =>
		incomingRequests.canReject(text(input, 'requestId'), decision(input)),
	'incomingRequests.accept': ({ incomingRequests }, input) =>
		incomingRequests.accept(text(input, 'requestId'), decision(input)),
	'incomingRequests.reject': ({ incomingRequests }, input) =>
		incomingRequests.reject(text(input, 'requestId'), decision(input)),
	'outgoingRequests.getRequest': ({ outgoingRequests }, input) =>
		outgoingRequests.get(text(input, 'id')),
	'incomingRequests.delete': ({ incomingRequests }, input) =>
		incomingRequests.delete(text(input, 'requestId')),
	'outgoingRequests.canCreate': ({ outgoingRequests }, input) => outgoingRequests.validate(input),
	'outgoingRequests.create': ({ outgoingRequests }, input) => outgoingRequests.create(input),
	'outgoingRequests.discard': ({ outgoingRequests }, input) =>
		outgoingRequests.discard(text(input, 'id')),
	'outgoingRequests.getRequests': ({ outgoingRequests }) => outgoingRequests.list(),
};

const transportOperations: Readonly<Record<string, Operation>> = {
	'relationshipTemplates.createOwnRelationshipTemplate': async ({ templates }, input) => {
		const { id, content } = await templates.create(input);
		return { id, content };
	},
	'relationships.createRelationship': ({ relationships }, input) => relationships.create(input),
	'relationships.getRelationships': async ({ relationships }) =>
		(await relationships.list()).map(({ id, status, creationContent }) => ({
			id,
			status,
			creationContent,
		})),
	'messages.sendMessage': async ({ messages }, input) => {
		const { id } = await messages.send(input);
		return { id };
	},
	'attributeListeners.getAttributeListeners': ({ attributes }) => attributes.listeners(),
};

const keptOperations: Readonly<Record<string, Operation>> = {
	'identityMetadata.upsertIdentityMetadata': ({ identityMetadata }, input) =>
		identityMetadata.upsert(input),
	'identityMetadata.getIdentityMetadata': ({ identityMetadata }, input) =>
		identityMetadata.get(input),
	'identityMetadata.deleteIdentityMetadata': ({ identityMetadata }, input) =>
		identityMetadata.delete(input),
	'settings.createSetting': ({ settings }, input) => settings.create(input),
	'settings.upsertSettingByKey': ({ settings }, input) => settings.upsertByKey(input),
	'settings.getSettingByKey': ({ settings }, input) => settings.getByKey(input),
	'drafts.createDraft': ({ drafts }, input) => drafts.create(input),
};

export const operations: Readonly<Record<string, Operation>> = {
	...Object.fromEntries(
		Object.entries(attributeOperations).map(([name, operation]) => [
			`attributes.${name}`,
			operation,
		]),
	),
	...requestOperations,
	...transportOperations,
	...keptOperations,
	sync: async ({ account }) => {
		await account.sync();
	},
	'messages.getMessages': async ({ messages }, input) =>
		(await messages.list(input)).map(({ content }) => content),
	'notifications.getNotifications': ({ localNotifications }) => localNotifications.list(),
	'notifications.getNotification': ({ localNotifications }, input) =>
		localNotifications.get(text(input, 'id')),
	'notifications.processNotificationById': ({ localNotifications }, input) =>
		localNotifications.process(text(input, 'notificationId')),
};
