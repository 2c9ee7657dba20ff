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
 * Tells whether wallets of version 7 accept an attribute with that tag (docs/protocol/content.md
 * 13.3). Tags of the Backbone's collection are excluded, because their form in version 7 is
 * unknown.
 */
export function isTagOfVersion7(tag: string): boolean {
	if (/^x:/i.test(tag) || tag.startsWith('urn:')) return true;
	const [, language] = /^language:(.*)$/s.exec(tag) ?? [];
	if (language !== undefined) return languages.codes.has(language);
	return /^mimetype:[a-z*-]+\/[a-z*-]+$/.test(tag);
}
