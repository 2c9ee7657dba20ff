import type { GatewayError } from '../../../base/errors';
import type { Generation } from '../../../model/content/generations';
import { objectMember } from '../../../model/content/members';
import { isTagOfVersion7, tagsProblem } from '../../../model/content/tags';
import type { Json, JsonObject } from '../../../model/json';
import { requestErrors } from '../request-errors';
import { malformed } from './malformed-parameters';

export function problemOfTags(tags: Json | undefined): string | undefined {
	if (tags === undefined) return undefined;
	if (!Array.isArray(tags) || !tags.every((tag) => typeof tag === 'string')) {
		return 'expected a list of texts';
	}
	return tagsProblem(tags);
}

/** Adds the tags of an answer to an attribute. */
export function withMoreTags(content: JsonObject, tags: readonly string[]): JsonObject {
	if (tags.length === 0) return content;
	const own = Array.isArray(content['tags']) ? content['tags'] : [];
	return { ...content, tags: [...own, ...tags] };
}

export function checkTags({ tags }: JsonObject): GatewayError | undefined {
	const problem = problemOfTags(tags);
	return problem === undefined ? undefined : malformed('tags', problem);
}

const textsOf = (tags: Json | undefined): string[] => (Array.isArray(tags) ? tags.map(String) : []);

/**
 * Checks the tags of an item for wallets of version 7, which refuse attributes with tags of another format
 * (docs/protocol/content.md 13.3), so that no answer can fit a query for such tags. The check leaves tags of
 * the collection, which begin with `bkb:`, to the wallet.
 */
export function checkTagsOfItem(
	item: JsonObject,
	generation: Generation | undefined,
): GatewayError | undefined {
	if (generation !== 7) return undefined;
	const query = objectMember(item, 'query');
	const isUsable = (tag: string): boolean => /^bkb:/i.test(tag) || isTagOfVersion7(tag);
	const firstOf = (field: string, tags: readonly string[]): GatewayError | undefined => {
		const index = tags.findIndex((tag) => !isUsable(tag));
		return index < 0 ? undefined : unusable(`${field}.${index}`, tags[index] ?? '');
	};
	// One usable tag in a query is enough for an answer.
	const asked = textsOf(query['tags']);
	return (
		firstOf('attribute.tags', textsOf(objectMember(item, 'attribute')['tags'])) ??
		(asked.some(isUsable) ? undefined : firstOf('query.tags', asked)) ??
		firstOf(
			'query.attributeCreationHints.tags',
			textsOf(objectMember(query, 'attributeCreationHints')['tags']),
		)
	);
}

/**
 * Checks the tags of an answer: a wallet of version 7 ignores an answer with tags of another format, and its
 * request stays open. Tags that its query names are allowed.
 */
export function checkTagsOfAnswer(
	query: JsonObject,
	attribute: JsonObject,
	generation: Generation | undefined,
): GatewayError | undefined {
	if (generation !== 7) return undefined;
	const asked = textsOf(query['tags']);
	const tags = textsOf(attribute['tags']);
	const index = tags.findIndex((tag) => !asked.includes(tag) && !isTagOfVersion7(tag));
	return index < 0 ? undefined : unusable(`tags.${index}`, tags[index] ?? '');
}

function unusable(field: string, tag: string): GatewayError {
	return requestErrors.create('notUnderstoodByPeer', {
		message: `The peer has a wallet of version 7, which does not accept the tag '${tag}': use a tag that begins with 'x:'.`,
		facts: { field, generation: 7 },
	});
}
