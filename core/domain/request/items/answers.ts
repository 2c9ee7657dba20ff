import type { GatewayError } from '../../../base/errors';
import { textMember } from '../../../model/content/members';
import type { JsonObject } from '../../../model/json';
import { requestErrors } from '../request-errors';

/** Builds an accepting response item, before it is parsed. */
export function accepted(type: string, members: JsonObject = {}): JsonObject {
	return { '@type': type, result: 'Accepted', ...members };
}

/** Returns an error unless the accepting answer is of a type that answers this item. */
export function answeredBy(
	types: readonly string[],
	item: JsonObject,
	response: JsonObject,
): GatewayError | undefined {
	const type = textMember(response, '@type');
	if (types.includes(type)) return undefined;
	return requestErrors.create('responseMismatch', {
		message: `A ${textMember(item, '@type')} was answered with '${type}'.`,
	});
}
