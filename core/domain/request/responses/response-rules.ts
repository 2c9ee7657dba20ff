import { GatewayError } from '../../../base/errors';
import { isId } from '../../../model/ids';
import type { RequestItem } from '../../../model/content/requests/request-items';
import type { Request, RequestItemGroup } from '../../../model/content/requests/requests';
import type { ResponseItem } from '../../../model/content/requests/response-items';
import type { ResponseItemGroup, UntypedResponse } from '../../../model/content/requests/responses';
import { handlerOf } from '../items';
import type { ResponseParties } from '../items/item-handler';
import { isGroup, isMandatory } from '../request-items';
import { mismatch } from '../items/answers';

export interface AnsweredItem {
	readonly item: RequestItem;
	readonly response: ResponseItem;
	/** verdict on the answer; `ignored`: it does not fit, and the item need not be accepted */
	readonly verdict: 'accepted' | 'rejected' | 'ignored';
	/** reason for ignoring the answer */
	readonly problem?: GatewayError;
}

/**
 * Decides about an answer before anything is written (docs/protocol/consumption.md 17): it must
 * have the shape of the request, be consistent with its own result, and accept every mandatory item
 * with a fitting answer. An unfitting answer to an optional item is ignored.
 *
 * @returns one entry per item, in order and without the groups; or the reason why the answer is
 * invalid
 */
export function judgeResponse(
	request: Pick<Request, 'items'>,
	response: UntypedResponse,
	requestId: string,
	parties: ResponseParties,
): AnsweredItem[] | GatewayError {
	if (!isId('request', requestId)) return mismatch('The request ID is malformed.');
	const pairs = pairItems(request.items, response.items);
	if (pairs instanceof GatewayError) return pairs;
	const wasAccepted = ({ response: answer }: Pair): boolean => answer.result === 'Accepted';
	if (response.result === 'Rejected') {
		if (pairs.some(wasAccepted)) {
			return mismatch('The request was rejected, but some of its items were accepted.');
		}
	} else if (response.result !== 'Accepted') {
		return mismatch('The request has an unknown result.');
	} else if (pairs.some((pair) => isMandatory(pair.item) && !wasAccepted(pair))) {
		return mismatch('An item that must be accepted was not, although the request was.');
	}
	const judged: AnsweredItem[] = [];
	for (const pair of pairs) {
		if (!wasAccepted(pair)) {
			judged.push({ ...pair, verdict: 'rejected' });
			continue;
		}
		const problem = handlerOf(pair.item).checkResponse(pair.item, pair.response, parties);
		if (problem === undefined) judged.push({ ...pair, verdict: 'accepted' });
		else if (isMandatory(pair.item)) return problem;
		else judged.push({ ...pair, verdict: 'ignored', problem });
	}
	return judged;
}

type Pair = Pick<AnsweredItem, 'item' | 'response'>;

/**
 * Pairs each item with its answer; both lists have the same length, and groups in the same places.
 */
function pairItems(
	items: ReadonlyArray<RequestItem | RequestItemGroup>,
	answers: ReadonlyArray<ResponseItem | ResponseItemGroup>,
): Pair[] | GatewayError {
	if (items.length !== answers.length) {
		return mismatch(`The request has ${items.length} items here, the answer ${answers.length}.`);
	}
	const pairs: Pair[] = [];
	for (const [index, item] of items.entries()) {
		const response = answers[index];
		const found = response === undefined ? undefined : pairsOf(item, response);
		if (found === undefined) {
			return mismatch('A group was not answered by a group, or the other way round.');
		}
		if (found instanceof GatewayError) return found;
		pairs.push(...found);
	}
	return pairs;
}

/** Undefined if only one of both is a group. */
function pairsOf(
	item: RequestItem | RequestItemGroup,
	response: ResponseItem | ResponseItemGroup,
): Pair[] | GatewayError | undefined {
	if (isGroup(item)) return isGroup(response) ? pairItems(item.items, response.items) : undefined;
	return isGroup(response) ? undefined : [{ item, response }];
}
