import * as z from 'zod';
import { contentType, fixed, tagged } from '../content-type';
import { idField, listField } from '../fields';
import { responseItems } from './response-items';

/** Group of response items (docs/protocol/content.md 6.1); groups do not nest. */
export const responseItemGroup = contentType('ResponseItemGroup', () => ({
	items: listField(
		tagged(() => responseItems),
		{ required: true, min: 1 },
	),
}));

/** Response (docs/protocol/content.md 6.1); the text of its result is not checked. */
export const response = contentType('Response', () => ({
	result: z.string(),
	requestId: idField,
	items: listField(
		tagged(() => [responseItemGroup, ...responseItems]),
		{ required: true, min: 1 },
	),
}));

/** @see docs/protocol/content.md 6.1 */
export const responseWrapper = contentType('ResponseWrapper', () => ({
	requestId: idField,
	requestSourceReference: idField,
	requestSourceType: z.enum(['RelationshipTemplate', 'Message']),
	response: fixed(() => response),
}));
