import { canonicalJson } from '../../../base/canonical-json';
import type { GatewayError } from '../../../base/errors';
import { sharedIdFor7 } from '../../../model/content/dialects';
import type { Attribute, RelationshipAttribute } from '../../../model/content/attributes';
import type { RequestItemOf } from '../../../model/content/requests/request-items';
import type { AttributeRecord } from '../../../model/record/attribute';
import type { ReadTransaction } from '../../../store/store';
import { findAtPeer, idAtPeer, isGone, mayUse } from '../../attribute/attribute-ids';
import { isRelationshipAttribute, isRepositoryAttribute } from '../../attribute/attribute-kinds';
import { findPeerShared } from '../../attribute/attribute-lookup';
import { versionsOf } from '../../attribute/succession/attribute-versions';
import { shareAgain, storeShared, storeSharedCopy } from '../../attribute/shared-attributes';
import { hasEstablishedRelationship } from '../../current-relationship';
import { learnVersion } from '../../peer-version';
import { requestErrors } from '../request-errors';
import { accepted, answeredBy, invalidItem } from './answers';
import { takenId } from './attribute-answers';
import type {
	AcceptDependencies,
	CheckDependencies,
	DecisionDependencies,
	ItemHandler,
} from './item-handler';
import { checkReceivedTags } from './tags';
import { matching } from '../../query/conditions';

type ShareAttributeRequestItem = RequestItemOf<'ShareAttributeRequestItem'>;

const acceptType = 'ShareAttributeAcceptResponseItem';
const alreadyShared = 'AttributeAlreadySharedAcceptResponseItem';

/** states of copies that the peer no longer has, so the attribute may be shared again */
const deletedStates = ['DeletedByPeer', 'ToBeDeletedByPeer'];

/** Handles 'Here is one of my attributes' (docs/protocol/consumption.md 6.8). */
export const shareAttributeHandler: ItemHandler<ShareAttributeRequestItem> = {
	async checkOutgoing(item, context) {
		const { sourceAttributeId: sourceId = '' } = item;
		const source = (await context.tx.attributes.get(sourceId))?.record;
		if (source === undefined) {
			return invalidItem(`The attribute '${sourceId}' that is to be shared does not exist.`);
		}
		if (canonicalJson(item.attribute) !== canonicalJson(source.content)) {
			return invalidItem(`The attribute '${sourceId}' has another content than the item gives.`);
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
		const refused = context.hasOneId ? checkItemOf7(item) : undefined;
		if (refused !== undefined) return refused;
		const id = idFromPeer(item);
		if (id === undefined || (await knownCopy(item, context)) !== undefined) return undefined;
		if (await mayUse(context.tx, context.peer, id)) return undefined;
		return requestErrors.create('invalidAcceptParameters', {
			message: `The item names no new attribute: ${takenId}.`,
		});
	},

	async accept(item, _parameters, context) {
		const known = await knownCopy(item, context);
		if (known !== undefined) {
			await shareAgain(context.tx, known, context.writer);
			return { response: accepted(alreadyShared, { attributeId: idAtPeer(known) }) };
		}
		const id = idFromPeer(item);
		const stored = await keep(item, id, context);
		return {
			response:
				item.sourceAttributeId === undefined || (id !== undefined && context.generation === 7)
					? accepted('AcceptResponseItem')
					: accepted(acceptType, { attributeId: idAtPeer(stored) }),
		};
	},

	checkResponse: (item, response) =>
		answeredBy(
			// The last type is the answer of wallets of version 7 (docs/protocol/content.md 13.2).
			[acceptType, alreadyShared, 'AcceptResponseItem'],
			item,
			response,
		),

	async applyResponse(item, response, context) {
		const { tx, peer, requestId, seed, writer } = context;
		const isOf7 = response['@type'] === 'AcceptResponseItem';
		const isKnown = response['@type'] === alreadyShared && writer.hasOneId;
		if (!isOf7 && !isKnown && response['@type'] !== acceptType) return {};
		const source = (await tx.attributes.get(item.sourceAttributeId ?? ''))?.record;
		if (source === undefined) return { problem: 'the shared attribute was deleted meanwhile' };
		const sharing = { peer, requestReference: requestId };
		if (isOf7) await learnVersion(tx, peer, { version: 7 });
		const sent = item.attributeId ?? sharedIdFor7(source.id, seed);
		const id = isOf7 ? sent : response.attributeId;
		const copy = await findAtPeer(tx, peer, id);
		if (writer.hasOneId && copy?.shareInfo?.sourceAttribute !== undefined && !isGone(copy)) {
			await shareAgain(tx, copy, writer);
			return {};
		}
		const stored = await storeSharedCopy(tx, { id, source }, sharing, writer);
		return stored === undefined ? { problem: takenId } : {};
	},
};

/**
 * Id that the peer has chosen: version 7 sends the id under which both sides store the attribute.
 * Another gateway with this core that is served as version 7 sends it too, as the source as well. In
 * version 6 the accepting side chooses the id.
 */
function idFromPeer({
	attributeId,
	sourceAttributeId = attributeId,
}: ShareAttributeRequestItem): string | undefined {
	return attributeId === sourceAttributeId ? attributeId : undefined;
}

/** Finds the same attribute, if this peer has shared it before. */
async function knownCopy(
	item: ShareAttributeRequestItem,
	{ tx, peer }: DecisionDependencies,
): Promise<AttributeRecord | undefined> {
	const { attribute } = item;
	const isIdentity = attribute['@type'] === 'IdentityAttribute';
	const known = isIdentity ? await findPeerShared(tx, attribute.value, peer) : undefined;
	const id = idFromPeer(item);
	if (known !== undefined || id === undefined) return known;
	// With one id, an attribute that is not deleted yet cannot be stored once more.
	const same = await findAtPeer(tx, peer, id);
	const isSame = same !== undefined && !isGone(same) && isEqualValue(same.content, attribute);
	return isSame ? same : undefined;
}

const isEqualValue = (a: Attribute, b: Attribute): boolean =>
	canonicalJson(a.value) === canonicalJson(b.value);

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

/** Checks what version 7 refuses on receipt (docs/protocol/generation-7.md 8.6). */
function checkItemOf7({
	attribute,
	thirdPartyAddress,
}: ShareAttributeRequestItem): GatewayError | undefined {
	const tags = checkReceivedTags(attribute);
	if (tags !== undefined) return tags;
	const isIdentity = attribute['@type'] === 'IdentityAttribute';
	if (isIdentity === (thirdPartyAddress === undefined)) return undefined;
	const [kind, state] = isIdentity ? ['a Relationship', 'defined'] : ['an Identity', 'undefined'];
	return invalidItem(
		`The RequestItem is invalid, since it must contain ${kind}Attribute if initialAttributePeer is ${state}.`,
	);
}

async function checkIdentityAttribute(
	item: ShareAttributeRequestItem,
	source: AttributeRecord,
	{ tx, ownAddress, peer }: CheckDependencies,
): Promise<GatewayError | undefined> {
	if (source.content.owner !== ownAddress) {
		return invalidItem(
			'The provided IdentityAttribute belongs to someone else. You can only share own IdentityAttributes.',
		);
	}
	if (!isRepositoryAttribute(source, ownAddress)) {
		return invalidItem(
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
		return invalidItem(
			`The attribute '${source.id}', or another version of it, is already shared with this peer.`,
		);
	}
	if (!item.thirdPartyAddress) return undefined;
	return invalidItem("A 'thirdPartyAddress' belongs to relationship attributes only.");
}

async function checkRelationshipAttribute(
	item: ShareAttributeRequestItem,
	source: AttributeRecord & { readonly content: RelationshipAttribute },
	{ tx, peer }: CheckDependencies,
): Promise<GatewayError | undefined> {
	const thirdParty = source.shareInfo?.peer;
	if (thirdParty === undefined || source.shareInfo?.sourceAttribute !== undefined) {
		return invalidItem('The provided RelationshipAttribute is itself a shared copy.');
	}
	if (peer !== undefined) {
		if (thirdParty === peer || (await isShared(tx, [source.id], peer))) {
			return invalidItem(`The attribute '${source.id}' is already known to this peer.`);
		}
	}
	if (!(await hasEstablishedRelationship(tx, thirdParty))) {
		return requestErrors.create('pendingRelationshipAttribute', {
			message: `The relationship that the attribute '${source.id}' belongs to is not established.`,
		});
	}
	if (item.thirdPartyAddress !== thirdParty) {
		return invalidItem(
			"'thirdPartyAddress' must be the peer of the relationship that the attribute belongs to.",
		);
	}
	if (peer !== undefined && source.content.owner === peer) {
		return invalidItem('The recipient owns the provided RelationshipAttribute.');
	}
	if (source.content.confidentiality !== 'private') return undefined;
	return invalidItem(
		"A RelationshipAttribute with the confidentiality 'private' cannot be shared.",
	);
}

async function isShared(
	tx: ReadTransaction,
	sourceIds: readonly string[],
	peer: string,
): Promise<boolean> {
	const copies = await tx.attributes.list({
		where: matching({ peer, sourceAttribute: sourceIds }),
	});
	return copies.some(
		({ record }) => !deletedStates.includes(record.deletionInfo?.deletionStatus ?? ''),
	);
}
