import { isJsonObject, type Json, type JsonObject } from '../json';
import { contentErrors } from './content-errors';
import { isOpen, obstacleFor } from './generations';
import { textMember } from './members';
import { isBounded, withMembers } from './parse';

/*
 * Contents as clients of version 7 see and write them; they are stored in the form of version 6
 * (docs/protocol/connector-7.md 7, docs/protocol/generation-7.md 2 to 10). In both directions the
 * whole value is looked through, so it may as well be an object that carries contents.
 */

/** Changes of an object by its type. */
type Changes = Readonly<Record<string, (value: JsonObject) => JsonObject>>;

const withoutMembers =
	(...names: readonly string[]) =>
	(value: JsonObject): JsonObject =>
		Object.fromEntries(Object.entries(value).filter(([name]) => !names.includes(name)));

/** Moves a member to another name, where its value takes precedence. */
const moved =
	(from: string, to: string) =>
	({ [from]: given, ...value }: JsonObject): JsonObject =>
		value[to] !== undefined || given === undefined || given === null
			? value
			: withMembers(value, { [to]: given });

const renamed =
	(type: string, change = (value: JsonObject) => value) =>
	(value: JsonObject): JsonObject => ({ ...change(value), '@type': type });

const thirdPartyMoved = moved('thirdPartyAddress', 'initialAttributePeer');
const sourceMoved = moved('sourceAttributeId', 'attributeId');

const shown: Changes = {
	Mail: (mail) => withMembers(mail, { bodyFormat: mail['bodyFormat'] ?? 'PlainText' }),
	AuthenticationRequestItem: (item) =>
		withMembers(item, { title: item['title'] ?? 'Authentication' }),
	ShareAttributeRequestItem: (item) => thirdPartyMoved(sourceMoved(item)),
	ReadAttributeAcceptResponseItem: thirdPartyMoved,
	ShareAttributeAcceptResponseItem: renamed('AcceptResponseItem', withoutMembers('attributeId')),
	PeerSharedAttributeSucceededNotificationItem: renamed('PeerAttributeSucceededNotificationItem'),
	OwnSharedAttributeDeletedByOwnerNotificationItem: renamed(
		'OwnAttributeDeletedByOwnerNotificationItem',
	),
	// Which of the items of version 7 fits depends on the attribute; this one fits mostly.
	...Object.fromEntries(
		['PeerShared', 'ThirdPartyRelationship', 'ThirdPartyOwnedRelationship'].map((kind) => [
			`${kind}AttributeDeletedByPeerNotificationItem`,
			renamed('ForwardedAttributeDeletedByPeerNotificationItem'),
		]),
	),
};

/** Members that version 7 neither knows nor reads are left out. */
const read: Changes = {
	Mail: withoutMembers('content'),
	ShareAttributeRequestItem: (item) =>
		moved(
			'attributeId',
			'sourceAttributeId',
		)(withoutMembers('sourceAttributeId', 'thirdPartyAddress')(item)),
	ReadAttributeAcceptResponseItem: withoutMembers('thirdPartyAddress'),
};

const withoutValidity = withoutMembers('validFrom', 'validTo');
const withoutTitle = withoutMembers('title', 'requireManualDecision');
const withTitle = withoutMembers('requireManualDecision');

/** Leaves out what no object of version 7 has. */
function withoutMembersOf6(value: JsonObject): JsonObject {
	const type = textMember(value, '@type');
	if (/^(Identity|Relationship)Attribute$|AttributeQuery$/.test(type)) {
		return withoutValidity(value);
	}
	if (!type.endsWith('RequestItem')) return value;
	const hasTitle = type === 'AuthenticationRequestItem' || type === 'FormFieldRequestItem';
	return (hasTitle ? withTitle : withoutTitle)(value);
}

/** Stored content, or an object with contents, as clients of version 7 see it. */
export function toVersion7Form(content: JsonObject): JsonObject {
	return changed(content, shown);
}

/**
 * Input of a client of version 7 in the form in which the use cases read it.
 *
 * @throws `error.runtime.requestDeserialization` for types that version 7 does not know, and for
 * members that it requires
 */
export function fromVersion7Form<Input extends Json>(input: Input): Input | JsonObject {
	// The use cases refuse what is too large.
	if (!isJsonObject(input) || !isBounded(input)) return input;
	const obstacle = obstacleFor(7, input);
	if (obstacle === undefined) return changed(input, read);
	const { field, reason } = obstacle;
	throw contentErrors.create('notReadable', {
		message: `The content is not readable by wallets of version 7 at '${field}': ${reason}.`,
		facts: { field },
	});
}

function changed(value: JsonObject, changes: Changes): JsonObject {
	const inside = (member: Json): Json => (isJsonObject(member) ? changed(member, changes) : member);
	const members = Object.entries(value).map(([name, member]): [string, Json] => {
		if (isOpen(value, name)) return [name, member];
		return [name, Array.isArray(member) ? member.map(inside) : inside(member)];
	});
	const left = withoutMembersOf6(Object.fromEntries(members));
	const type = textMember(left, '@type');
	const change = Object.hasOwn(changes, type) ? changes[type] : undefined;
	return change === undefined ? left : change(left);
}
