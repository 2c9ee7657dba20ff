import type { JsonObject } from '../../../../core/model/json';
import type { Operation } from './consumption-player';

/* The operations of the official facade on attributes, and what they are here. */

const id = (input: JsonObject): string => String(input['attributeId'] ?? input['id']);
const withoutId = ({ attributeId: _attributeId, ...rest }: JsonObject): JsonObject => rest;

const succeed: Operation = ({ attributes }, { predecessorId, ...input }) =>
	attributes.succeed(String(predecessorId), input);

export const attributeOperations: Readonly<Record<string, Operation>> = {
	createRepositoryAttribute: ({ attributes }, input) => attributes.create(input),
	canCreateRepositoryAttribute: ({ attributes }, input) => attributes.canCreate(input),
	getAttribute: ({ attributes }, input) => attributes.get(id(input)),
	markAttributeAsViewed: ({ attributes }, input) => attributes.markAsViewed(id(input)),
	changeDefaultRepositoryAttribute: ({ attributes }, input) => attributes.changeDefault(id(input)),
	succeedRepositoryAttribute: succeed,
	succeedRelationshipAttributeAndNotifyPeer: succeed,
	getVersionsOfAttribute: ({ attributes }, input) => attributes.versions(id(input)),
	getSharedVersionsOfAttribute: ({ attributes }, input) =>
		attributes.sharedVersions(id(input), withoutId(input)),
	getAttributes: ({ attributes }, input) => attributes.list(input),
	getRepositoryAttributes: ({ attributes }, input) => attributes.listRepository(input),
	getOwnSharedAttributes: ({ attributes }, input) => attributes.listOwnShared(input),
	getPeerSharedAttributes: ({ attributes }, input) => attributes.listPeerShared(input),
	executeIdentityAttributeQuery: ({ attributes }, input) =>
		attributes.executeIdentityAttributeQuery(input),
	executeRelationshipAttributeQuery: ({ attributes }, input) =>
		attributes.executeRelationshipAttributeQuery(input),
	executeThirdPartyRelationshipAttributeQuery: ({ attributes }, input) =>
		attributes.executeThirdPartyRelationshipAttributeQuery(input),
	executeIQLQuery: ({ attributes }, input) => attributes.executeIqlQuery(input),
	deleteRepositoryAttribute: ({ attributes }, input) => attributes.delete(id(input)),
	deleteOwnSharedAttributeAndNotifyPeer: ({ attributes }, input) =>
		attributes.deleteOwnShared(id(input)),
	deletePeerSharedAttributeAndNotifyOwner: ({ attributes }, input) =>
		attributes.deletePeerShared(id(input)),
	deleteThirdPartyRelationshipAttributeAndNotifyPeer: ({ attributes }, input) =>
		attributes.deleteThirdParty(id(input)),
	shareRepositoryAttribute: ({ attributes }, input) =>
		attributes.share(id(input), withoutId(input)),
	createAndShareRelationshipAttribute: ({ attributes }, input) =>
		attributes.createAndShareRelationshipAttribute(input),
	notifyPeerAboutRepositoryAttributeSuccession: ({ attributes }, input) =>
		attributes.notifyPeer(id(input), withoutId(input)),
};
