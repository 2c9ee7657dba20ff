import * as z from 'zod';
import { toVersion7Form } from '../content/version-7-form';
import { objectMember, textMember } from '../content/members';
import { isJsonObject, objectOf, ownMember, type JsonObject } from '../json';
import type { Attribute } from '../content/attributes';

const ownKinds = ['OwnIdentityAttribute', 'OwnRelationshipAttribute'] as const;
const receivedKinds = [
	'PeerIdentityAttribute',
	'PeerRelationshipAttribute',
	'ThirdPartyRelationshipAttribute',
] as const;
type Kind = (typeof ownKinds)[number] | (typeof receivedKinds)[number];

/**
 * Attribute as events of version 7 carry it, which do not count its forwards
 * (docs/protocol/connector-7.md 3, 9).
 */
export const attributeInEventOfVersion7Schema = z.object({
	/** kind of the attribute: who owns it, and in which relationship */
	'@type': z.enum([...ownKinds, ...receivedKinds]),
	/** `ATT` id, which is the same at all identities that hold the attribute */
	id: z.string(),
	/** ISO time at which this account stored it */
	createdAt: z.string(),
	/** IdentityAttribute or RelationshipAttribute JSON with `@type`, `owner`, `value` */
	content: objectOf<Attribute>(),
	/** id of the version before */
	succeeds: z.string().optional(),
	/** id of the next version; absent for the latest one */
	succeededBy: z.string().optional(),
	/** ISO time at which it was first marked as viewed */
	wasViewedAt: z.string().optional(),
	/** set for the default attribute of its type, if the gateway has default attributes */
	isDefault: z.literal(true).optional(),
	/** other side of its relationship, or who shared it; absent for own identity attributes */
	peer: z.string().optional(),
	/** `REQ` or `NOT` id by which it came; absent for own identity attributes */
	sourceReference: z.string().optional(),
	/** set when a side has deleted it, or the relationship has ended */
	deletionInfo: z.object({ deletionStatus: z.string(), deletionDate: z.string() }).optional(),
	/** other side of the relationship from which a third-party attribute comes */
	initialAttributePeer: z.string().optional(),
});

/** Words of version 7 in deletion statuses: for what the peer holds, and for what it has shared. */
const deletionWords = {
	own: { ByPeer: 'ByRecipient', ByOwner: 'ByEmitter' },
	received: { ByPeer: 'ByEmitter', ByOwner: 'ByEmitter' },
} as const;

/**
 * Attribute of version 6 in the form of version 7; undefined for copies and parts, which version 7
 * does not have (docs/protocol/connector-7.md 3).
 */
export function toAttributeOfVersion7(attribute: JsonObject): JsonObject | undefined {
	const kind = kindOf(attribute);
	if (kind === undefined) return undefined;
	const { id, createdAt, content, succeeds, succeededBy, wasViewedAt, isDefault } = attribute;
	const { shareInfo, deletionInfo } = attribute;
	const sharing = isJsonObject(shareInfo) ? shareInfo : {};
	const members = {
		'@type': kind,
		id,
		createdAt,
		content: isJsonObject(content) ? toVersion7Form(content) : content,
		succeeds,
		succeededBy,
		wasViewedAt,
		isDefault,
		peer: sharing['peer'],
		sourceReference: sharing['requestReference'] ?? sharing['notificationReference'],
		deletionInfo: isJsonObject(deletionInfo) ? withWords(deletionInfo, kind) : undefined,
		initialAttributePeer: sharing['thirdPartyAddress'],
	};
	return Object.fromEntries(
		Object.entries(members).flatMap(([name, value]) =>
			value === undefined ? [] : [[name, value]],
		),
	);
}

function kindOf(attribute: JsonObject): Kind | undefined {
	const content = objectMember(attribute, 'content');
	const sharing = objectMember(attribute, 'shareInfo');
	const isIdentity = textMember(content, '@type') === 'IdentityAttribute';
	if (attribute['shareInfo'] === undefined) {
		return isIdentity && attribute['parentId'] === undefined ? 'OwnIdentityAttribute' : undefined;
	}
	if (sharing['sourceAttribute'] !== undefined) return undefined;
	const isOfPeer = ownMember(content, 'owner') === sharing['peer'];
	if (isIdentity) return isOfPeer ? 'PeerIdentityAttribute' : undefined;
	const { thirdPartyAddress } = sharing;
	if (thirdPartyAddress === undefined) {
		return isOfPeer ? 'PeerRelationshipAttribute' : 'OwnRelationshipAttribute';
	}
	const isReceived = isOfPeer || ownMember(content, 'owner') === thirdPartyAddress;
	return isReceived ? 'ThirdPartyRelationshipAttribute' : undefined;
}

function withWords(info: JsonObject, kind: Kind): JsonObject {
	const isOwn = ownKinds.some((own) => own === kind);
	const words = deletionWords[isOwn ? 'own' : 'received'];
	const status = textMember(info, 'deletionStatus');
	const [former] = /By(Peer|Owner)$/.exec(status) ?? [];
	if (former !== 'ByPeer' && former !== 'ByOwner') return info;
	return { ...info, deletionStatus: status.slice(0, -former.length) + words[former] };
}
