import type { GatewayError } from '../../../base/errors';
import type { RequestItem } from '../../../model/content/requests/request-items';
import type { ResponseItem } from '../../../model/content/requests/response-items';
import type { JsonObject } from '../../../model/json';
import { requestErrors } from '../request-errors';

/** Builds an accepting response item, before it is parsed. */
export function accepted(type: ResponseItem['@type'], members: JsonObject = {}): JsonObject {
	return { '@type': type, result: 'Accepted', ...members };
}

/** Returns an error unless the accepting answer is of a type that answers this item. */
export function answeredBy(
	types: ReadonlyArray<ResponseItem['@type']>,
	item: RequestItem,
	response: ResponseItem,
): GatewayError | undefined {
	return types.includes(response['@type']) ? undefined : otherAnswer(item, response);
}

/** Error for an item that cannot be sent. */
export function invalidItem(message: string): GatewayError {
	return requestErrors.create('invalidItem', { message });
}

/** Error for an answer that does not fit the request. */
export function mismatch(message: string): GatewayError {
	return requestErrors.create('responseMismatch', { message });
}

/** Error for an accepting answer whose type does not answer this item. */
export function otherAnswer(item: RequestItem, response: ResponseItem): GatewayError {
	return mismatch(`A ${item['@type']} was answered with '${response['@type']}'.`);
}
