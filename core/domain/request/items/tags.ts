import type { GatewayError } from '../../../base/errors';
import type { Generation } from '../../../model/peer-version';
import type { Attribute } from '../../../model/content/attributes';
import type { AttributeQuery } from '../../../model/content/requests/queries';
import type { RequestItem } from '../../../model/content/requests/request-items';
import { isCollectedTag, isTagOfVersion7, tagsProblem } from '../../../model/content/tags';
import type { Json } from '../../../model/json';
import { requestErrors } from '../request-errors';
import { attributeOf, queryOf } from '../request-items';
import { malformed } from './malformed-parameters';
import { invalidItem } from './answers';

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

/** Tells whether version 7 may accept a tag; only the Backbone knows the tags of its collection. */
const isUsable = (tag: string): boolean => isCollectedTag(tag) || isTagOfVersion7(tag);

/**
 * Checks the tags of a received attribute by the rules of version 7 (docs/protocol/generation-7.md
 * 6).
 */
export function checkReceivedTags(attribute: Attribute): GatewayError | undefined {
	const refused = tagsRefusedBy7(tagsOf(attribute));
	if (refused.length === 0) return undefined;
	const list = refused.map((tag) => `'${tag}'`).join(', ');
	return invalidItem(`Detected invalidity of the following tags: ${list}.`);
}

/** Lists the tags that version 7 accepts for no value. */
export const tagsRefusedBy7 = (tags: readonly string[]): string[] =>
	tags.filter((tag) => !isUsable(tag));

/** Tag that wallets of version 7 do not accept. */
export interface RefusedTag {
	/** path of members, joined with dots */
	readonly field: string;
	readonly tag: string;
}

/**
 * Finds a tag of an item for which wallets of version 7 refuse its attribute because of the format
 * (docs/protocol/content.md 13.3), so that no answer can fit a query for it either. Tags of the
 * collection, which begin with `bkb:`, are left to the wallet.
 */
export function refusedTag(item: RequestItem): RefusedTag | undefined {
	const [query, attribute] = [queryOf(item), attributeOf(item)];
	const firstOf = (field: string, tags: readonly string[]): RefusedTag | undefined => {
		const index = tags.findIndex((tag) => !isUsable(tag));
		return index < 0 ? undefined : { field: `${field}.${index}`, tag: tags[index] ?? '' };
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
 * Checks the tags of an answer: a wallet of version 7 ignores an answer with tags of another
 * format, and its request stays open. Tags that its query names and tags of
 * the collection are allowed.
 */
export function checkTagsOfAnswer(
	query: AttributeQuery,
	attribute: Attribute,
	generation: Generation | undefined,
): GatewayError | undefined {
	if (generation !== 7) return undefined;
	const asked = askedTags(query);
	const tags = tagsOf(attribute);
	const index = tags.findIndex((tag) => !asked.includes(tag) && !isUsable(tag));
	return index < 0 ? undefined : tagRefusedBy7({ field: `tags.${index}`, tag: tags[index] ?? '' });
}

/** Error for a tag that a wallet of version 7 does not accept. */
export function tagRefusedBy7({ field, tag }: RefusedTag): GatewayError {
	return requestErrors.create('notUnderstoodByPeer', {
		message: `The peer has a wallet of version 7, which does not accept the tag '${tag}': use a tag that begins with 'x:'.`,
		facts: { field, generation: 7 },
	});
}
