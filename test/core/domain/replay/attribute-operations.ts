import { judged } from '../../../../core';
import type { JsonObject } from '../../../../core/model/json';
import type { Operation } from './consumption-player';

/* The operations of the official facade on attributes, and what they are here. */

const id = (input: JsonObject): string => String(input['attributeId'] ?? input['id']);
const withoutId = ({ attributeId: _attributeId, ...rest }: JsonObject): JsonObject => rest;

const succeed: Operation = ({ attributes }, { predecessorId, ...input }) =>
	attributes.succeed(String(predecessorId), judged(input));

export const attributeOperations: Readonly<Record<string, Operation>> = {
	createRepositoryAttribute: ({ attributes }, input) => attributes.create(judged(input)),
	canCreateRepositoryAttribute: ({ attributes }, input) => attributes.canCreate(judged(input)),
	getAttribute: ({ attributes }, input) => attributes.get(id(input)),
	markAttributeAsViewed: ({ attributes }, input) => attributes.markAsViewed(id(input)),
	changeDefaultRepositoryAttribute: ({ attributes }, input) => attributes.changeDefault(id(input)),
	succeedRepositoryAttribute: succeed,
	succeedRelationshipAttributeAndNotifyPeer: succeed,
	getVersionsOfAttribute: ({ attributes }, input) => attributes.versions(id(input)),
	getSharedVersionsOfAttribute: ({ attributes }, input) =>
		attributes.sharedVersions(id(input), judged(withoutId(input))),
	getAttributes: ({ attributes }, input) => attributes.list(input),
	getRepositoryAttributes: ({ attributes }, input) => attributes.listRepository(judged(input)),
	getOwnSharedAttributes: ({ attributes }, input) => attributes.listOwnShared(judged(input)),
	getPeerSharedAttributes: ({ attributes }, input) => attributes.listPeerShared(judged(input)),
	executeIdentityAttributeQuery: ({ attributes }, input) =>
		attributes.executeIdentityAttributeQuery(judged(input)),
	executeRelationshipAttributeQuery: ({ attributes }, input) =>
		attributes.executeRelationshipAttributeQuery(judged(input)),
	executeThirdPartyRelationshipAttributeQuery: ({ attributes }, input) =>
		attributes.executeThirdPartyRelationshipAttributeQuery(judged(input)),
	executeIQLQuery: ({ attributes }, input) => attributes.executeIqlQuery(judged(input)),
	deleteRepositoryAttribute: ({ attributes }, input) => attributes.delete(id(input)),
	deleteOwnSharedAttributeAndNotifyPeer: ({ attributes }, input) =>
		attributes.deleteOwnShared(id(input)),
	deletePeerSharedAttributeAndNotifyOwner: ({ attributes }, input) =>
		attributes.deletePeerShared(id(input)),
	deleteThirdPartyRelationshipAttributeAndNotifyPeer: ({ attributes }, input) =>
		attributes.deleteThirdParty(id(input)),
	shareRepositoryAttribute: ({ attributes }, input) =>
		attributes.share(id(input), judged(withoutId(input))),
	createAndShareRelationshipAttribute: ({ attributes }, input) =>
		attributes.createAndShareRelationshipAttribute(judged(input)),
	notifyPeerAboutRepositoryAttributeSuccession: ({ attributes }, input) =>
		attributes.notifyPeer(id(input), judged(withoutId(input))),
};
