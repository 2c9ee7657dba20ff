import { canonicalJson } from '../../../base/canonical-json';
import type { GatewayError } from '../../../base/errors';
import { objectMember, textMember } from '../../../model/content/members';
import type { JsonObject } from '../../../model/json';
import type { AttributeRecord } from '../../../model/record/attribute';
import type { ReadTransaction } from '../../../store/store';
import { isRepositoryAttribute } from '../../attribute/attribute-rules';
import { storeOwnShared } from '../../attribute/shared-attributes';
import { requestErrors } from '../request-errors';
import type { CheckContext, ItemHandler } from './item-handler';

/** copies in these states are gone for the peer, so the attribute may be shared again */
const deletedStates = ['DeletedByPeer', 'ToBeDeletedByPeer'];
/** statuses of a relationship whose attributes may be shared with others */
const establishedStatuses = ['Active', 'Terminated', 'DeletionProposed'];

/** 'Here is one of my attributes' (docs/protocol/consumption.md 6.8). */
export const shareAttributeHandler: ItemHandler = {
	async checkOutgoing(item, context) {
		const sourceId = textMember(item, 'sourceAttributeId');
		const source = (await context.tx.attributes.get(sourceId))?.record;
		if (source === undefined) {
			return invalid(`The attribute '${sourceId}' that is to be shared does not exist.`);
		}
		if (canonicalJson(objectMember(item, 'attribute')) !== canonicalJson(source.content)) {
			return invalid(`The attribute '${sourceId}' has another content than the item gives.`);
		}
		return source.content['@type'] === 'IdentityAttribute'
			? await checkIdentityAttribute(item, source, context)
			: await checkRelationshipAttribute(item, source, context);
	},

	checkResponse(_item, response) {
		switch (response['@type']) {
			case 'ShareAttributeAcceptResponseItem':
			case 'AttributeAlreadySharedAcceptResponseItem':
				return undefined;
			default:
				return requestErrors.create('responseMismatch', {
					message: `A ShareAttributeRequestItem was answered with '${textMember(response, '@type')}'.`,
				});
		}
	},

	async applyResponse(item, response, { tx, peer, requestId, now }) {
		if (response['@type'] !== 'ShareAttributeAcceptResponseItem') return undefined;
		const source = await tx.attributes.get(textMember(item, 'sourceAttributeId'));
		if (source === undefined) return 'the shared attribute was deleted meanwhile';
		const isStored = await storeOwnShared(
			tx,
			{ id: textMember(response, 'attributeId'), source: source.record },
			{ peer, requestReference: requestId, now },
		);
		return isStored ? undefined : 'the attribute ID that the peer chose is taken or malformed';
	},
};

async function checkIdentityAttribute(
	item: JsonObject,
	source: AttributeRecord,
	{ tx, ownAddress, peer }: CheckContext,
): Promise<GatewayError | undefined> {
	if (source.content['owner'] !== ownAddress) {
		return invalid(
			'The provided IdentityAttribute belongs to someone else. You can only share own IdentityAttributes.',
		);
	}
	if (!isRepositoryAttribute(source, ownAddress)) {
		return invalid(
			'The provided IdentityAttribute is a shared copy of a RepositoryAttribute. You can only share RepositoryAttributes.',
		);
	}
	if (peer !== undefined && (await isShared(tx, await versionsOf(tx, source), peer))) {
		return invalid(
			`The attribute '${source.id}', or another version of it, is already shared with this peer.`,
		);
	}
	if (textMember(item, 'thirdPartyAddress') === '') return undefined;
	return invalid("A 'thirdPartyAddress' belongs to relationship attributes only.");
}

async function checkRelationshipAttribute(
	item: JsonObject,
	source: AttributeRecord,
	{ tx, peer }: CheckContext,
): Promise<GatewayError | undefined> {
	const thirdParty = source.shareInfo?.peer;
	if (thirdParty === undefined || source.shareInfo?.sourceAttribute !== undefined) {
		return invalid('The provided RelationshipAttribute is itself a shared copy.');
	}
	if (peer !== undefined) {
		if (thirdParty === peer || (await isShared(tx, [source.id], peer))) {
			return invalid(`The attribute '${source.id}' is already known to this peer.`);
		}
	}
	const established = await tx.relationships.first({
		where: [
			{ field: 'peer', op: 'eq', value: thirdParty },
			{ field: 'status', op: 'in', value: establishedStatuses },
		],
	});
	if (established === undefined) {
		return requestErrors.create('pendingRelationshipAttribute', {
			message: `The relationship that the attribute '${source.id}' belongs to is not established.`,
		});
	}
	if (textMember(item, 'thirdPartyAddress') !== thirdParty) {
		return invalid(
			"'thirdPartyAddress' must be the peer of the relationship that the attribute belongs to.",
		);
	}
	if (peer !== undefined && source.content['owner'] === peer) {
		return invalid('The recipient owns the provided RelationshipAttribute.');
	}
	if (source.content['confidentiality'] !== 'private') return undefined;
	return invalid("A RelationshipAttribute with the confidentiality 'private' cannot be shared.");
}

/** The ids of this version and of all earlier and later ones. */
async function versionsOf(tx: ReadTransaction, source: AttributeRecord): Promise<string[]> {
	const versions = new Set([source.id]);
	for (const next of ['succeeds', 'succeededBy'] as const) {
		let id = source[next];
		while (id !== undefined && !versions.has(id)) {
			versions.add(id);
			id = (await tx.attributes.get(id))?.record[next];
		}
	}
	return [...versions];
}

async function isShared(
	tx: ReadTransaction,
	sourceIds: readonly string[],
	peer: string,
): Promise<boolean> {
	const copies = await tx.attributes.list({
		where: [
			{ field: 'peer', op: 'eq', value: peer },
			{ field: 'sourceAttribute', op: 'in', value: sourceIds },
		],
	});
	return copies.some(
		({ record }) => !deletedStates.includes(record.deletionInfo?.deletionStatus ?? ''),
	);
}

function invalid(message: string): GatewayError {
	return requestErrors.create('invalidItem', { message });
}
