import { createHash } from 'node:crypto';
import { isJsonObject, type Json, type JsonObject } from '../json';
import { idPrefixes } from '../ids';
import { withComposedTexts } from './attribute-texts';
import type { Generation } from '../peer-version';
import { isOpen } from './generations';
import { textMember } from './members';
import { withMembers } from './parse';

/**
 * Members by object type that version 7 always writes and version 6 drops (docs/protocol/content.md
 * 13).
 */
const membersFor7: Readonly<Record<string, (value: JsonObject, seed: string) => JsonObject>> = {
	AuthenticationRequestItem: ({ title = 'Authentication' }) => ({ title }),
	Mail: ({ bodyFormat = 'PlainText' }) => ({ bodyFormat }),
	ReadAttributeAcceptResponseItem: initialAttributePeer,
	ShareAttributeRequestItem: (value, seed) => ({
		...sharedAttributeId(value, seed),
		...initialAttributePeer(value),
	}),
};

/**
 * Members by object type that are left out while the peer's generation is unknown: only version 7
 * writes them, so a gateway like this one would take this account for a wallet of version 7.
 */
const membersOf7: Readonly<Record<string, string>> = { ConsentRequestItem: 'requiresInteraction' };

/**
 * Writes own content, which is stored in the form of version 6, in the dialect of the peer's
 * wallet. While the peer's generation is unknown, the result suits both: each drops the members
 * that only the other knows. The usual format of a mail, which only version 7 writes out, would
 * then tell the peer a wrong generation.
 *
 * @param content parsed content
 * @param seed seed of {@link sharedIdFor7} for requests without an id
 */
export function toDialect(
	generation: Generation | undefined,
	content: JsonObject,
	seed = '',
): JsonObject {
	if (generation === 6) return content;
	if (generation === 7) return written(content, seed);
	const both = written(content, seed, membersOf7);
	const { bodyFormat, ...mail } = both;
	return both['@type'] === 'Mail' && bodyFormat === 'PlainText' ? mail : both;
}

/**
 * Id under which a wallet of version 7 stores a shared attribute; that version lets the sender
 * choose it. It is derived from the request, so that the answer need not repeat it.
 *
 * @param seed id of the request, or of the key of the template that carries it
 */
export function sharedIdFor7(sourceAttributeId: string, seed: string): string {
	const hash = createHash('sha256').update(`${seed} ${sourceAttributeId}`).digest('hex');
	return `${idPrefixes.attribute}${hash.slice(0, 17)}`;
}

function written(
	value: JsonObject,
	given: string,
	leftOut: Readonly<Record<string, string>> = {},
): JsonObject {
	const seed = value['@type'] === 'Request' ? textMember(value, 'id') : given;
	const unwanted = leftOut[textMember(value, '@type')];
	const inDialect = (member: Json): Json =>
		isJsonObject(member) ? written(member, seed, leftOut) : member;
	const members = Object.entries(value).flatMap(([name, member]): Array<[string, Json]> => {
		if (name === unwanted) return [];
		if (isOpen(value, name)) return [[name, member]];
		return [[name, Array.isArray(member) ? member.map(inDialect) : inDialect(member)]];
	});
	const same = Object.fromEntries(members);
	const own = isAttribute(same) ? withComposedTexts(same) : same;
	const added = membersFor7[textMember(value, '@type')]?.(own, seed);
	return added === undefined ? own : withMembers(own, added);
}

const isAttribute = ({ '@type': type }: JsonObject): boolean =>
	type === 'IdentityAttribute' || type === 'RelationshipAttribute';

/**
 * An item that has an id was written in the dialect of version 7, or by an account that is served as
 * version 7.
 */
function sharedAttributeId(item: JsonObject, seed: string): JsonObject {
	const source = textMember(item, 'sourceAttributeId');
	const isNamed = item['attributeId'] !== undefined || source === '';
	return isNamed ? {} : { attributeId: sharedIdFor7(source, seed) };
}

function initialAttributePeer(value: JsonObject): JsonObject {
	const address = value['thirdPartyAddress'];
	return address === undefined || address === null ? {} : { initialAttributePeer: address };
}
