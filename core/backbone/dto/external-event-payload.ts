import * as z from 'zod';
import type { JsonObject } from '../../model/json';
import { isBoundedJson } from './bounded-json';

const bounds = { maxValues: 200, maxDepth: 8, maxTextLength: 10_000 };

/**
 * The payload as sent, or `{}` where it is no object or too large: one odd event must fail alone,
 * in its own step, and not with the page that carries it.
 */
export const externalEventPayloadSchema = z.unknown().transform((value): JsonObject => {
	if (typeof value !== 'object' || value === null || Array.isArray(value)) return {};
	return isBoundedJson(value, bounds) ? (value as JsonObject) : {};
});
