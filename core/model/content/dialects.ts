import { createHash } from 'node:crypto';
import type { Json, JsonObject } from '../json';
import { idPrefixes } from '../ids';
import { isObject } from './content-type';
import { isOpen, type Generation } from './generations';
import { textMember } from './members';
import { withMembers } from './parse';

/** A member that version 7 wants and version 6 drops, by type of object (docs/protocol/content.md 13). */
const membersFor7: Readonly<Record<string, (value: JsonObject, seed: string) => JsonObject>> = {
	AuthenticationRequestItem: ({ title = 'Authentication' }) => ({ title }),
	ReadAttributeAcceptResponseItem: initialAttributePeer,
	ShareAttributeRequestItem: (value, seed) => ({
		...sharedAttributeId(textMember(value, 'sourceAttributeId'), seed),
		...initialAttributePeer(value),
	}),
};

/**
 * Our own content, which is kept as version 6 writes it, in the words that the wallet of the peer reads.
 * While its generation is not known, both can read it: each drops what only the other has.
 *
 * @param content in the form that parsing gives it
 * @param seed of {@link sharedIdFor7} in requests that have no id
 */
export function inDialectOf(
	generation: Generation | undefined,
	content: JsonObject,
	seed = '',
): JsonObject {
	return generation === 6 ? content : written(content, seed);
}

/**
 * The id under which a wallet of version 7 keeps what is shared with it: there the sender chooses it. It
 * follows from the request, so that the answer need not say it again.
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
			return [name, member.map((entry) => (isObject(entry) ? written(entry, seed) : entry))];
		}
		return [name, isObject(member) ? written(member, seed) : member];
	});
	const same = Object.fromEntries(members);
	const added = membersFor7[textMember(value, '@type')]?.(same, seed);
	return added === undefined ? same : withMembers(same, added);
}

/** An item without a source was written as version 7 does, and names the attribute itself. */
function sharedAttributeId(sourceAttributeId: string, seed: string): JsonObject {
	return sourceAttributeId === '' ? {} : { attributeId: sharedIdFor7(sourceAttributeId, seed) };
}

function initialAttributePeer(value: JsonObject): JsonObject {
	const address = value['thirdPartyAddress'];
	return address === undefined || address === null ? {} : { initialAttributePeer: address };
}
