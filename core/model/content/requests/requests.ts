import type { JsonObject } from '../../json';
import { contentType, tagged } from '../content-type';
import { dateField, idField, listField, objectField } from '../fields';
import { requireReadableBy } from '../generations';
import { parseAs } from '../parse';
import { descriptionShape, requestItems } from './request-items';

/** Group of request items (docs/protocol/content.md 5.2); groups do not nest. */
export const requestItemGroup = contentType('RequestItemGroup', () => ({
	...descriptionShape(),
	items: listField(
		tagged(() => requestItems),
		{ required: true, min: 1 },
	),
	metadata: objectField.nullish(),
}));

/** @see docs/protocol/content.md 5.1 */
export const request = contentType('Request', () => ({
	id: idField.nullish(),
	expiresAt: dateField.nullish(),
	items: listField(
		tagged(() => [requestItemGroup, ...requestItems]),
		{ required: true, min: 1 },
	),
	...descriptionShape(),
	metadata: objectField.nullish(),
}));

/**
 * Parses a request that this account wants to send. `@type` may be missing; the result is in the
 * form of version 6.
 *
 * @throws `error.runtime.requestDeserialization`, `error.runtime.unknownType`,
 * `error.runtime.servalError`
 */
export function parseOwnRequest(content: unknown): JsonObject {
	const parsed = parseAs(request, content, 'The request');
	requireReadableBy(6, parsed, 'The request');
	return parsed;
}
