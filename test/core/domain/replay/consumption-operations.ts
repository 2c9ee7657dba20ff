import { judged } from '../../../../core';
import type { JsonObject } from '../../../../core/model/json';
import { withoutHints } from '../../../../core/server/routes/outgoing-requests';
import { attributeOperations } from './attribute-operations';
import type { Operation } from './consumption-player';

/* The operations of the official facades, and what they are here. */

const text = (input: JsonObject, name: string): string => String(input[name]);

const decision = ({ requestId: _requestId, ...rest }: JsonObject): JsonObject => rest;

const requestOperations: Readonly<Record<string, Operation>> = {
	'incomingRequests.getRequest': ({ incomingRequests }, input) =>
		incomingRequests.get(text(input, 'id')),
	'incomingRequests.canAccept': ({ incomingRequests }, input) =>
		incomingRequests.canAccept(text(input, 'requestId'), judged(decision(input))),
	'incomingRequests.canReject': ({ incomingRequests }, input) =>
		incomingRequests.canReject(text(input, 'requestId'), judged(decision(input))),
	'incomingRequests.accept': ({ incomingRequests }, input) =>
		incomingRequests.accept(text(input, 'requestId'), judged(decision(input))),
	'incomingRequests.reject': ({ incomingRequests }, input) =>
		incomingRequests.reject(text(input, 'requestId'), judged(decision(input))),
	'outgoingRequests.getRequest': ({ outgoingRequests }, input) =>
		outgoingRequests.get(text(input, 'id')),
	'incomingRequests.delete': ({ incomingRequests }, input) =>
		incomingRequests.delete(text(input, 'requestId')),
	'outgoingRequests.canCreate': async ({ outgoingRequests }, input) =>
		withoutHints(await outgoingRequests.validate(judged(input))),
	'outgoingRequests.create': ({ outgoingRequests }, input) =>
		outgoingRequests.create(judged(input)),
	'outgoingRequests.discard': ({ outgoingRequests }, input) =>
		outgoingRequests.discard(text(input, 'id')),
	'outgoingRequests.getRequests': ({ outgoingRequests }) => outgoingRequests.list(),
};

const transportOperations: Readonly<Record<string, Operation>> = {
	'relationshipTemplates.createOwnRelationshipTemplate': async ({ templates }, input) => {
		const { id, content } = await templates.create(judged(input));
		return { id, content };
	},
	'relationships.createRelationship': ({ relationships }, input) =>
		relationships.create(judged(input)),
	'relationships.getRelationships': async ({ relationships }) =>
		(await relationships.list()).map(({ id, status, creationContent }) => ({
			id,
			status,
			creationContent,
		})),
	'messages.sendMessage': async ({ messages }, input) => {
		const { id } = await messages.send(judged(input));
		return { id };
	},
	'attributeListeners.getAttributeListeners': ({ attributes }) => attributes.listeners(),
};

const keptOperations: Readonly<Record<string, Operation>> = {
	'identityMetadata.upsertIdentityMetadata': ({ identityMetadata }, input) =>
		identityMetadata.upsert(judged(input)),
	'identityMetadata.getIdentityMetadata': ({ identityMetadata }, input) =>
		identityMetadata.get(judged(input)),
	'identityMetadata.deleteIdentityMetadata': ({ identityMetadata }, input) =>
		identityMetadata.delete(judged(input)),
	'settings.createSetting': ({ settings }, input) => settings.create(judged(input)),
	'settings.upsertSettingByKey': ({ settings }, input) => settings.upsertByKey(judged(input)),
	'settings.getSettingByKey': ({ settings }, input) => settings.getByKey(judged(input)),
	'drafts.createDraft': ({ drafts }, input) => drafts.create(judged(input)),
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
