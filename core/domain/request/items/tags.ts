import type { GatewayError } from '../../../base/errors';
import type { Generation } from '../../../model/content/generations';
import type { Attribute } from '../../../model/content/attributes';
import type { AttributeQuery } from '../../../model/content/requests/queries';
import type { RequestItem } from '../../../model/content/requests/request-items';
import { isTagOfVersion7, tagsProblem } from '../../../model/content/tags';
import type { Json } from '../../../model/json';
import { requestErrors } from '../request-errors';
import { attributeOf, queryOf } from '../request-items';
import { malformed } from './malformed-parameters';

export function isTextList(value: Json): value is string[] {
	return Array.isArray(value) && value.every((entry) => typeof entry === 'string');
}

/** Adds the tags of an answer to an attribute. */
export function withMoreTags(content: Attribute, tags: readonly string[]): Attribute {
	if (tags.length === 0 || content['@type'] !== 'IdentityAttribute') return content;
	return { ...content, tags: [...(content.tags ?? []), ...tags] };
}

export function checkTags(content: Attribute): GatewayError | undefined {
	const problem = tagsProblem(tagsOf(content));
	return problem === undefined ? undefined : malformed('tags', problem);
}

function tagsOf(attribute: Attribute | undefined): readonly string[] {
	return (attribute?.['@type'] === 'IdentityAttribute' ? attribute.tags : undefined) ?? [];
}

function askedTags(query: AttributeQuery | undefined): readonly string[] {
	return (query?.['@type'] === 'IdentityAttributeQuery' ? query.tags : undefined) ?? [];
}

/**
 * Checks the tags of an item for wallets of version 7, which refuse attributes with tags of another format
 * (docs/protocol/content.md 13.3), so that no answer can fit a query for such tags. The check leaves tags of
 * the collection, which begin with `bkb:`, to the wallet.
 */
export function checkTagsOfItem(
	item: RequestItem,
	generation: Generation | undefined,
): GatewayError | undefined {
	if (generation !== 7) return undefined;
	const [query, attribute] = [queryOf(item), attributeOf(item)];
	const isUsable = (tag: string): boolean => /^bkb:/i.test(tag) || isTagOfVersion7(tag);
	const firstOf = (field: string, tags: readonly string[]): GatewayError | undefined => {
		const index = tags.findIndex((tag) => !isUsable(tag));
		return index < 0 ? undefined : unusable(`${field}.${index}`, tags[index] ?? '');
	};
	// One usable tag in a query is enough for an answer.
	const asked = askedTags(query);
	return (
		firstOf('attribute.tags', tagsOf(attribute)) ??
		(asked.some(isUsable) ? undefined : firstOf('query.tags', asked)) ??
		firstOf(
			'query.attributeCreationHints.tags',
			(query?.['@type'] === 'IQLQuery' ? query.attributeCreationHints?.tags : undefined) ?? [],
		)
	);
}

/**
 * Checks the tags of an answer: a wallet of version 7 ignores an answer with tags of another format, and its
 * request stays open. Tags that its query names are allowed.
 */
export function checkTagsOfAnswer(
	query: AttributeQuery,
	attribute: Attribute,
	generation: Generation | undefined,
): GatewayError | undefined {
	if (generation !== 7) return undefined;
	const asked = askedTags(query);
	const tags = tagsOf(attribute);
	const index = tags.findIndex((tag) => !asked.includes(tag) && !isTagOfVersion7(tag));
	return index < 0 ? undefined : unusable(`tags.${index}`, tags[index] ?? '');
}

function unusable(field: string, tag: string): GatewayError {
	return requestErrors.create('notUnderstoodByPeer', {
		message: `The peer has a wallet of version 7, which does not accept the tag '${tag}': use a tag that begins with 'x:'.`,
		facts: { field, generation: 7 },
	});
}
