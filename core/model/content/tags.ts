import type { TagCollectionDto, TagDto } from '../record/tag';
import { languages } from './values/code-lists';

const maxTags = 20;
const maxTagLength = 250;

/**
 * Problem with the tags of an attribute or query; undefined if they are valid
 * (docs/protocol/content.md 7.7).
 */
export function tagsProblem(tags: readonly string[]): string | undefined {
	if (new Set(tags).size !== tags.length) return 'tags must differ from each other';
	if (tags.length > maxTags) return `at most ${maxTags} tags`;
	if (tags.some((tag) => tag.length > maxTagLength)) {
		return `a tag has at most ${maxTagLength} characters`;
	}
	return undefined;
}

/**
 * Tells whether wallets of version 7 accept an attribute with that tag, whatever its value
 * (docs/protocol/generation-7.md 6). Tags of the Backbone's collection are excluded, because they
 * depend on the type of the value.
 */
export function isTagOfVersion7(tag: string): boolean {
	if (/^x:/i.test(tag) || tag.startsWith('urn:')) return true;
	const [, language] = /^language:(.*)$/s.exec(tag) ?? [];
	if (language !== undefined) return languages.codes.has(language);
	return /^mimetype:[a-z*-]+\/[a-z*-]+$/.test(tag);
}

/** Tells whether the validity of a tag depends on the collection of the Backbone. */
export const isCollectedTag = (tag: string): boolean => /^bkb:/i.test(tag);

/**
 * Tags that version 7 refuses in an attribute with this type of value, in their order. A tag of the
 * collection is written with `:` between its levels and names one without tags below it
 * (docs/protocol/generation-7.md 6).
 */
export function invalidTagsFor(
	valueType: string,
	tags: readonly string[],
	{ tagsForAttributeValueTypes: types }: TagCollectionDto,
): string[] {
	return tags.filter((tag) => {
		if (!isCollectedTag(tag)) return !isTagOfVersion7(tag);
		let children = Object.hasOwn(types, valueType) ? types[valueType] : undefined;
		const keys = tag.split(':').slice(1);
		for (const [index, key] of keys.entries()) {
			const found = children && Object.hasOwn(children, key) ? children[key] : undefined;
			if (found === undefined) return true;
			if (index === keys.length - 1) return hasChildren(found);
			({ children } = found);
		}
		return true;
	});
}

const hasChildren = ({ children }: TagDto): boolean => Object.keys(children).length > 0;
