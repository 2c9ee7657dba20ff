import { invalidTagsFor } from '../../../model/content/tags';
import { ownMember } from '../../../model/json';
import { serverErrors } from '../../server-errors';
import type { AnyCall } from '../route';

/**
 * Requires tags that version 7 accepts for an attribute that refers to a file
 * (docs/protocol/generation-7.md 6).
 *
 * @throws `error.consumption.attributes.invalidTags`
 */
export async function requireTagsOfFile({ facade, body, options }: AnyCall): Promise<void> {
	const given = ownMember(body, 'tags');
	const tags = Array.isArray(given) ? given.map(String) : [];
	if (tags.length === 0) return;
	const collection = await facade.tags.collection(options);
	const invalid = invalidTagsFor('IdentityFileReference', tags, collection);
	if (invalid.length === 0) return;
	const list = invalid.map((tag) => `'${tag}'`).join(', ');
	throw serverErrors.create('invalidTags', {
		message: `Detected invalidity of the following tags: ${list}.`,
		facts: { field: 'tags' },
	});
}
