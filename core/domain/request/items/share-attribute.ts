import { canonicalJson } from '../../../base/canonical-json';
import type { GatewayError } from '../../../base/errors';
import { sharedIdFor7 } from '../../../model/content/dialects';
import type { RelationshipAttribute } from '../../../model/content/attributes';
import type { RequestItemOf } from '../../../model/content/requests/request-items';
import { isId } from '../../../model/ids';
import type { AttributeRecord } from '../../../model/record/attribute';
import type { ReadTransaction } from '../../../store/store';
import { isRelationshipAttribute, isRepositoryAttribute } from '../../attribute/attribute-kinds';
import { findPeerShared } from '../../attribute/attribute-lookup';
import { versionsOf } from '../../attribute/succession/attribute-versions';
import { storeShared, storeSharedCopy } from '../../attribute/shared-attributes';
import { hasEstablishedRelationship } from '../../current-relationship';
import { learnGeneration } from '../../peer-generation';
import { requestErrors } from '../request-errors';
import { accepted, answeredBy } from './answers';
import { takenId } from './attribute-answers';
import type {
	AcceptDependencies,
	CheckDependencies,
	DecisionDependencies,
	ItemHandler,
} from './item-handler';

type ShareAttributeRequestItem = RequestItemOf<'ShareAttributeRequestItem'>;

const acceptType = 'ShareAttributeAcceptResponseItem';

/** states of copies that the peer no longer has, so the attribute may be shared again */
const deletedStates = ['DeletedByPeer', 'ToBeDeletedByPeer'];

/** Handles 'Here is one of my attributes' (docs/protocol/consumption.md 6.8). */
export const shareAttributeHandler: ItemHandler<ShareAttributeRequestItem> = {
	async checkOutgoing(item, context) {
		const { sourceAttributeId: sourceId = '' } = item;
		const source = (await context.tx.attributes.get(sourceId))?.record;
		if (source === undefined) {
			return invalid(`The attribute '${sourceId}' that is to be shared does not exist.`);
		}
		if (canonicalJson(item.attribute) !== canonicalJson(source.content)) {
			return invalid(`The attribute '${sourceId}' has another content than the item gives.`);
		}
		return isRelationshipAttribute(source)
			? await checkRelationshipAttribute(item, source, context)
			: await checkIdentityAttribute(item, source, context);
	},

	async checkAccept(item, _parameters, context) {
		const { '@type': kind, owner } = item.attribute;
		if (kind === 'IdentityAttribute' && owner !== context.peer) {
			return requestErrors.create('invalidAcceptParameters', {
				message: 'The shared identity attribute does not belong to the sender of the request.',
			});
		}
		const id = idFromPeer(item);
		if (id === undefined || (await knownCopy(item, context)) !== undefined) return undefined;
		if (isId('attribute', id) && (await context.tx.attributes.get(id)) === undefined) {
			return undefined;
		}
		return requestErrors.create('invalidAcceptParameters', {
			message: `The item names no new attribute: ${takenId}.`,
		});
	},

	async accept(item, _parameters, context) {
		const known = await knownCopy(item, context);
		if (known !== undefined) {
			const type = 'AttributeAlreadySharedAcceptResponseItem';
			return { response: accepted(type, { attributeId: known.id }) };
		}
		const id = idFromPeer(item);
		const stored = await keep(item, id, context);
		return {
			response:
				id === undefined
					? accepted(acceptType, { attributeId: stored.id })
					: accepted('AcceptResponseItem'),
		};
	},

	checkResponse: (item, response) =>
		answeredBy(
			// The last type is the answer of wallets of version 7 (docs/protocol/content.md 13.2).
			[acceptType, 'AttributeAlreadySharedAcceptResponseItem', 'AcceptResponseItem'],
			item,
			response,
		),

	async applyResponse(item, response, context) {
		const isOf7 = response['@type'] === 'AcceptResponseItem';
		if (!isOf7 && response['@type'] !== acceptType) return {};
		const { tx, peer, requestId, seed, writer } = context;
		const source = (await tx.attributes.get(item.sourceAttributeId ?? ''))?.record;
		if (source === undefined) return { problem: 'the shared attribute was deleted meanwhile' };
		const sharing = { peer, requestReference: requestId };
		if (isOf7) await learnGeneration(tx, peer, 7);
		const id = isOf7 ? sharedIdFor7(source.id, seed) : response.attributeId;
		const stored =
			(await storeSharedCopy(tx, { id, source }, sharing, writer)) ??
			// Another peer has received this id from the same template: only the first peer can be notified of
			// changes.
			(isOf7 ? await storeSharedCopy(tx, { source }, sharing, writer) : undefined);
		return stored === undefined ? { problem: takenId } : {};
	},
};

/**
 * Id that the peer has chosen: version 7 sends the id under which both sides store the attribute; in version
 * 6 the accepting side chooses it.
 */
function idFromPeer(item: ShareAttributeRequestItem): string | undefined {
	return item.sourceAttributeId === undefined ? item.attributeId : undefined;
}

/** Finds the same identity attribute, if this peer has shared it before. */
async function knownCopy(
	item: ShareAttributeRequestItem,
	{ tx, peer }: DecisionDependencies,
): Promise<AttributeRecord | undefined> {
	const { attribute } = item;
	if (attribute['@type'] !== 'IdentityAttribute') return undefined;
	return await findPeerShared(tx, attribute.value, peer);
}

async function keep(
	item: ShareAttributeRequestItem,
	id: string | undefined,
	{ tx, peer, requestId, writer }: AcceptDependencies,
): Promise<AttributeRecord> {
	const { thirdPartyAddress, attribute: content } = item;
	const sharing = {
		peer,
		requestReference: requestId,
		...(thirdPartyAddress ? { thirdPartyAddress } : {}),
	};
	const stored = await storeShared(tx, { id, content }, sharing, writer);
	if (stored === undefined) throw new TypeError('Expected an attribute ID that was checked');
	return stored;
}

async function checkIdentityAttribute(
	item: ShareAttributeRequestItem,
	source: AttributeRecord,
	{ tx, ownAddress, peer }: CheckDependencies,
): Promise<GatewayError | undefined> {
	if (source.content.owner !== ownAddress) {
		return invalid(
			'The provided IdentityAttribute belongs to someone else. You can only share own IdentityAttributes.',
		);
	}
	if (!isRepositoryAttribute(source, ownAddress)) {
		return invalid(
			'The provided IdentityAttribute is a shared copy of a RepositoryAttribute. You can only share RepositoryAttributes.',
		);
	}
	if (
		peer !== undefined &&
		(await isShared(
			tx,
			(await versionsOf(tx, source)).map(({ id }) => id),
			peer,
		))
	) {
		return invalid(
			`The attribute '${source.id}', or another version of it, is already shared with this peer.`,
		);
	}
	if (!item.thirdPartyAddress) return undefined;
	return invalid("A 'thirdPartyAddress' belongs to relationship attributes only.");
}

async function checkRelationshipAttribute(
	item: ShareAttributeRequestItem,
	source: AttributeRecord & { readonly content: RelationshipAttribute },
	{ tx, peer }: CheckDependencies,
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
	if (!(await hasEstablishedRelationship(tx, thirdParty))) {
		return requestErrors.create('pendingRelationshipAttribute', {
			message: `The relationship that the attribute '${source.id}' belongs to is not established.`,
		});
	}
	if (item.thirdPartyAddress !== thirdParty) {
		return invalid(
			"'thirdPartyAddress' must be the peer of the relationship that the attribute belongs to.",
		);
	}
	if (peer !== undefined && source.content.owner === peer) {
		return invalid('The recipient owns the provided RelationshipAttribute.');
	}
	if (source.content.confidentiality !== 'private') return undefined;
	return invalid("A RelationshipAttribute with the confidentiality 'private' cannot be shared.");
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
