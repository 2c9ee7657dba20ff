import { canonicalJson } from '../../../base/canonical-json';
import type { GatewayError } from '../../../base/errors';
import type { JsonObject } from '../../../model/json';
import type { AttributeRecord } from '../../../model/record/attribute';
import { requestErrors } from '../request-errors';
import {
	isRepositoryAttribute,
	objectMember,
	textMember,
	type CheckContext,
	type ItemHandler,
} from './item-handler';

/** copies in these states are gone for the peer, so the attribute may be shared again */
const deletedStates = ['DeletedByPeer', 'ToBeDeletedByPeer'];

/** 'Here is one of my attributes' (docs/protocol/consumption.md 6.8). */
export const shareAttributeHandler: ItemHandler = {
	async checkOutgoing(item, context) {
		const sourceId = textMember(item, 'sourceAttributeId');
		const source = (await context.tx.attributes.get(sourceId))?.record;
		if (source === undefined) {
			return invalid(`The attribute '${sourceId}' that is to be shared does not exist.`);
		}
		const attribute = objectMember(item, 'attribute');
		if (canonicalJson(attribute) !== canonicalJson(source.content)) {
			return invalid(`The attribute '${sourceId}' has another content than the item gives.`);
		}
		if (attribute['@type'] !== 'IdentityAttribute') {
			return requestErrors.create('notSupportedYet', {
				message: 'Sharing relationship attributes is not supported yet.',
			});
		}
		return await checkIdentityAttribute(item, source, context);
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

	async applyResponse(item, response, context) {
		if (response['@type'] !== 'ShareAttributeAcceptResponseItem') return;
		const source = await context.tx.attributes.get(textMember(item, 'sourceAttributeId'));
		// Deleted meanwhile: the peer has its copy, ours has nothing to be tied to.
		if (source === undefined) return;
		await context.attributes.storeOwnShared(context.tx, {
			id: textMember(response, 'attributeId'),
			source: source.record,
			peer: context.peer,
			requestReference: context.requestId,
		});
	},
};

async function checkIdentityAttribute(
	item: JsonObject,
	source: AttributeRecord,
	context: CheckContext,
): Promise<GatewayError | undefined> {
	if (source.content['owner'] !== context.ownAddress) {
		return invalid(
			'The provided IdentityAttribute belongs to someone else. You can only share own IdentityAttributes.',
		);
	}
	if (!isRepositoryAttribute(source, context.ownAddress)) {
		return invalid(
			'The provided IdentityAttribute is a shared copy of a RepositoryAttribute. You can only share RepositoryAttributes.',
		);
	}
	if (context.peer !== undefined && (await isShared(source, context.peer, context))) {
		return invalid(
			`The attribute '${source.id}', or another version of it, is already shared with this peer.`,
		);
	}
	if (textMember(item, 'thirdPartyAddress') === '') return undefined;
	return invalid("A 'thirdPartyAddress' belongs to relationship attributes only.");
}

/** This version, an earlier or a later one. */
async function isShared(
	source: AttributeRecord,
	peer: string,
	{ tx }: CheckContext,
): Promise<boolean> {
	const versions = [source.id];
	for (const next of ['succeeds', 'succeededBy'] as const) {
		let record: AttributeRecord | undefined = source;
		while (record?.[next] !== undefined && versions.length < 1_000) {
			versions.push(record[next]);
			record = (await tx.attributes.get(record[next]))?.record;
		}
	}
	const copies = await tx.attributes.list({
		where: [
			{ field: 'peer', op: 'eq', value: peer },
			{ field: 'sourceAttribute', op: 'in', value: versions },
		],
	});
	return copies.some(
		({ record }) => !deletedStates.includes(record.deletionInfo?.deletionStatus ?? ''),
	);
}

function invalid(message: string): GatewayError {
	return requestErrors.create('invalidItem', { message });
}
