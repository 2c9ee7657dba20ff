import type { Json, JsonObject } from '../json';
import { objectMember } from './members';
import { withMembers } from './parse';
import { composed, refusedCharacters } from './values/allowed-characters';

/*
 * Texts of attributes whose characters wallets of version 7 check (docs/protocol/content.md
 * 13.3.1).
 */

/** Text with characters that wallets of version 7 refuse. */
export interface RefusedText {
	/** path of members inside the attribute, joined with dots */
	readonly field: string;
	/** the characters for people, for example `'–' (U+2013)` */
	readonly characters: string;
}

const namedAtMost = 5;

/**
 * First such text of an attribute; undefined if there is none.
 *
 * @param form `asWritten` for a text that is stored without {@link withComposedTexts}
 */
export function refusedText(
	attribute: JsonObject,
	form: 'composed' | 'asWritten' = 'composed',
): RefusedText | undefined {
	for (const [name, member] of Object.entries(objectMember(attribute, 'value'))) {
		if (!isChecked(attribute, name, member)) continue;
		const refused = refusedCharacters(form === 'composed' ? composed(member) : member);
		if (refused.length === 0) continue;
		const named = refused.slice(0, namedAtMost).map(nameOf).join(', ');
		const more = refused.length > namedAtMost ? ` and ${refused.length - namedAtMost} more` : '';
		return { field: `value.${name}`, characters: `${named}${more}` };
	}
	return undefined;
}

/**
 * Writes the letters of these texts as single characters, because the wallets refuse accents of
 * their own.
 */
export function withComposedTexts(attribute: JsonObject): JsonObject {
	const value = objectMember(attribute, 'value');
	const changed = Object.entries(value).flatMap(([name, member]): Array<[string, Json]> => {
		if (!isChecked(attribute, name, member)) return [];
		const text = composed(member);
		return text === member ? [] : [[name, text]];
	});
	if (changed.length === 0) return attribute;
	return withMembers(attribute, { value: withMembers(value, Object.fromEntries(changed)) });
}

function isChecked(attribute: JsonObject, name: string, member: Json): member is string {
	if (typeof member !== 'string') return false;
	return attribute['@type'] === 'IdentityAttribute' || !/^(title|description)$/.test(name);
}

/** Shows the character, if it can be seen, and its code point. */
function nameOf(character: string): string {
	const codePoint = (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
	const isVisible = /^[\p{L}\p{N}\p{P}\p{S}]$/u.test(character);
	return isVisible ? `'${character}' (U+${codePoint})` : `U+${codePoint}`;
}
