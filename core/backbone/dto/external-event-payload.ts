import { z } from 'zod';
import type { Json, JsonObject } from '../../model/json';

const maxMembers = 200;
const maxDepth = 8;

/** Counts values without recursion, so that deep nesting cannot overflow the stack. */
function isSmall(value: Json): boolean {
	const open: Array<{ value: Json; depth: number }> = [{ value, depth: 0 }];
	let seen = 0;
	for (let next = open.pop(); next !== undefined; next = open.pop()) {
		seen++;
		if (seen > maxMembers || next.depth > maxDepth) return false;
		if (typeof next.value === 'string' && next.value.length > 10_000) return false;
		if (typeof next.value !== 'object' || next.value === null) continue;
		const members = Array.isArray(next.value) ? next.value : Object.values(next.value);
		if (members.length > maxMembers) return false;
		for (const member of members) open.push({ value: member, depth: next.depth + 1 });
	}
	return true;
}

/**
 * The payload as sent, or `{}` where it is no object or too large: one odd event must fail alone,
 * in its own step, and not with the page that carries it.
 */
export const externalEventPayloadSchema = z.unknown().transform((value): JsonObject => {
	if (typeof value !== 'object' || value === null || Array.isArray(value)) return {};
	return isSmall(value as JsonObject) ? (value as JsonObject) : {};
});
