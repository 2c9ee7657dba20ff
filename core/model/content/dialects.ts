import { createHash } from 'node:crypto';
import { isJsonObject, type Json, type JsonObject } from '../json';
import { idPrefixes } from '../ids';
import { withComposedTexts } from './attribute-texts';
import { isOpen, type Generation } from './generations';
import { textMember } from './members';
import { withMembers } from './parse';

/**
 * Members by object type that version 7 requires and version 6 drops (docs/protocol/content.md 13).
 */
const membersFor7: Readonly<Record<string, (value: JsonObject, seed: string) => JsonObject>> = {
	AuthenticationRequestItem: ({ title = 'Authentication' }) => ({ title }),
	ReadAttributeAcceptResponseItem: initialAttributePeer,
	ShareAttributeRequestItem: (value, seed) => ({
		...sharedAttributeId(textMember(value, 'sourceAttributeId'), seed),
		...initialAttributePeer(value),
	}),
};

/**
 * Writes own content, which is stored in the form of version 6, in the dialect of the peer's
 * wallet. While the peer's generation is unknown, the result suits both: each drops the members
 * that only the other knows. The usual format of a mail, which only version 7 writes out, would then
 * tell the peer a wrong generation.
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
	const { bodyFormat, ...mail } = content;
	const isUsual = content['@type'] === 'Mail' && bodyFormat === 'PlainText';
	return written(isUsual && generation === undefined ? mail : content, seed);
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

function written(value: JsonObject, given: string): JsonObject {
	const seed = value['@type'] === 'Request' ? textMember(value, 'id') : given;
	const members = Object.entries(value).map(([name, member]): [string, Json] => {
		if (isOpen(value, name)) return [name, member];
		if (Array.isArray(member)) {
			return [name, member.map((entry) => (isJsonObject(entry) ? written(entry, seed) : entry))];
		}
		return [name, isJsonObject(member) ? written(member, seed) : member];
	});
	const same = Object.fromEntries(members);
	const own = isAttribute(same) ? withComposedTexts(same) : same;
	const added = membersFor7[textMember(value, '@type')]?.(own, seed);
	return added === undefined ? own : withMembers(own, added);
}

const isAttribute = ({ '@type': type }: JsonObject): boolean =>
	type === 'IdentityAttribute' || type === 'RelationshipAttribute';

/**
 * An item without a source was written in the dialect of version 7 and names the attribute itself.
 */
function sharedAttributeId(sourceAttributeId: string, seed: string): JsonObject {
	return sourceAttributeId === '' ? {} : { attributeId: sharedIdFor7(sourceAttributeId, seed) };
}

function initialAttributePeer(value: JsonObject): JsonObject {
	const address = value['thirdPartyAddress'];
	return address === undefined || address === null ? {} : { initialAttributePeer: address };
}
