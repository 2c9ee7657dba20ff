import { GatewayError } from '../../base/errors';
import { objectMember, textMember } from '../../model/content/members';
import { isId } from '../../model/ids';
import type { JsonObject } from '../../model/json';
import type { ResponseContext } from './items/item-handler';
import { handlerOf } from './items';
import { requestErrors } from './request-errors';

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

export interface JudgedResponse {
	/** accepted items whose answers take effect */
	readonly accepted: readonly AnsweredItem[];
	/** why the answers to some items that need not be accepted take none */
	readonly ignored: readonly GatewayError[];
}

/**
 * Decides about an answer before anything is written (docs/protocol/consumption.md 17): it must have
 * the shape of the request, keep to its own result, and accept every item that must be accepted with
 * something that fits. An unfitting answer to another item is ignored.
 */
export function judgeResponse(
	request: JsonObject,
	response: JsonObject,
	context: Omit<ResponseContext, 'tx'>,
): JudgedResponse | GatewayError {
	if (!isId('request', context.requestId)) return mismatch('The request ID is malformed.');
	const pairs = pairItems(itemsOf(request), itemsOf(response));
	if (pairs instanceof GatewayError) return pairs;
	const answered = pairs.filter((pair) => pair.response['result'] === 'Accepted');
	if (response['result'] === 'Rejected') {
		if (answered.length === 0) return { accepted: [], ignored: [] };
		return mismatch('The request was rejected, but some of its items were accepted.');
	}
	if (response['result'] !== 'Accepted') return mismatch('The request has an unknown result.');
	if (pairs.some((pair) => isMandatory(pair.item) && !answered.includes(pair))) {
		return mismatch('An item that must be accepted was not, although the request was.');
	}
	const accepted: AnsweredItem[] = [];
	const ignored: GatewayError[] = [];
	for (const pair of answered) {
		const problem = handlerOf(pair.item)?.checkResponse(pair.item, pair.response, context);
		if (problem === undefined) accepted.push(pair);
		else if (isMandatory(pair.item)) return problem;
		else ignored.push(problem);
	}
	return { accepted, ignored };
}

function isMandatory(item: JsonObject): boolean {
	return item['mustBeAccepted'] === true;
}

/** Each item with its answer; both lists have the same length, and groups at the same places. */
function pairItems(
	items: readonly JsonObject[],
	answers: readonly JsonObject[],
): AnsweredItem[] | GatewayError {
	if (items.length !== answers.length) {
		return mismatch(`The request has ${items.length} items here, the answer ${answers.length}.`);
	}
	const pairs: AnsweredItem[] = [];
	for (const [index, item] of items.entries()) {
		const response = answers[index] ?? {};
		if (isGroup(item) !== isGroup(response)) {
			return mismatch('A group was not answered by a group, or the other way round.');
		}
		const found = isGroup(item)
			? pairItems(itemsOf(item), itemsOf(response))
			: [{ item, response }];
		if (found instanceof GatewayError) return found;
		pairs.push(...found);
	}
	return pairs;
}

function mismatch(message: string): GatewayError {
	return requestErrors.create('responseMismatch', { message });
}
