import type { GatewayError } from '../../base/errors';
import type { JsonObject } from '../../model/json';
import { requestErrors } from './request-errors';
import { objectMember, textMember } from './items/item-handler';

export function itemsOf(value: JsonObject): JsonObject[] {
	return Array.isArray(value['items']) ? (value['items'] as JsonObject[]) : [];
}

export function isGroup(item: JsonObject): boolean {
	return item['@type'] === 'RequestItemGroup' || item['@type'] === 'ResponseItemGroup';
}

/** docs/protocol/consumption.md 4.2 */
export function checkKeyUniqueness(
	request: JsonObject,
	peer: string | undefined,
): GatewayError | undefined {
	const seen = new Set<string>();
	const items = itemsOf(request).flatMap((item) => (isGroup(item) ? itemsOf(item) : [item]));
	for (const item of items) {
		if (item['mustBeAccepted'] !== true || item['@type'] !== 'ReadAttributeRequestItem') continue;
		const query = objectMember(item, 'query');
		if (query['@type'] !== 'RelationshipAttributeQuery') continue;
		const owner = textMember(query, 'owner');
		const valueType = textMember(objectMember(query, 'attributeCreationHints'), 'valueType');
		const triple = JSON.stringify([owner === '' ? (peer ?? '') : owner, query['key'], valueType]);
		if (seen.has(triple)) {
			return requestErrors.create('violatedKeyUniqueness', {
				message: `The request asks twice for the relationship attribute '${textMember(query, 'key')}'.`,
			});
		}
		seen.add(triple);
	}
	return undefined;
}

export interface AnsweredItem {
	readonly item: JsonObject;
	readonly response: JsonObject;
}

/**
 * Pairs each item with its answer; a response of another shape, or one that accepts the request
 * without an item that must be accepted, is no answer to it (docs/protocol/content.md 6.1).
 */
export function pairResponse(
	request: JsonObject,
	response: JsonObject,
): readonly AnsweredItem[] | GatewayError {
	const pairs: AnsweredItem[] = [];
	const problem = pairItems(itemsOf(request), itemsOf(response), pairs);
	if (problem !== undefined) return problem;
	if (response['result'] !== 'Accepted') return [];
	const missing = pairs.find(
		({ item, response: answer }) =>
			item['mustBeAccepted'] === true && answer['result'] !== 'Accepted',
	);
	if (missing === undefined) return pairs;
	return requestErrors.create('responseMismatch', {
		message: 'The request was accepted although an item that must be accepted was not.',
	});
}

function pairItems(
	items: readonly JsonObject[],
	answers: readonly JsonObject[],
	pairs: AnsweredItem[],
): GatewayError | undefined {
	if (items.length !== answers.length) {
		return requestErrors.create('responseMismatch', {
			message: `The request has ${items.length} items here, the response ${answers.length}.`,
		});
	}
	for (const [index, item] of items.entries()) {
		const response = answers[index] ?? {};
		if (isGroup(item) !== isGroup(response)) {
			return requestErrors.create('responseMismatch', {
				message: 'A group of the request was not answered by a group, or the other way round.',
			});
		}
		if (!isGroup(item)) pairs.push({ item, response });
		else {
			const problem = pairItems(itemsOf(item), itemsOf(response), pairs);
			if (problem !== undefined) return problem;
		}
	}
	return undefined;
}
