import { z } from 'zod';
import type { JsonObject } from '../json';
import { contentError, contentErrors } from './content-errors';
import { isKnownContentType } from './content-types';
import { tagged, type ContentType } from './fields';

const maxDepth = 64;
const maxValues = 100_000;

/** Reads content that must be of one of the kinds; the answer has `@type` first and sorted members. */
export function parseKind(
	content: unknown,
	what: string,
	kinds: readonly ContentType[],
): JsonObject {
	const type = ownType(content);
	if (typeof type === 'string' && !isKnownContentType(type)) {
		throw contentErrors.create('unknownType', {
			message: `${what} has the unknown type '${type.slice(0, 100)}'.`,
			facts: { field: 'content.@type' },
		});
	}
	if (!kinds.some(({ name }) => name === type)) {
		const names = kinds.map(({ name }) => name).join(' or ');
		throw contentErrors.create('wrongKind', {
			message: `${what} must be of type ${names}.`,
			facts: { field: 'content.@type' },
		});
	}
	if (!isBounded(content)) {
		throw contentErrors.create('notReadable', {
			message: `${what} is nested too deeply or has too many members.`,
		});
	}
	const result = z.safeParse(
		tagged(() => kinds),
		content,
	);
	if (result.success) return result.data;
	throw contentError(what, result.error);
}

function ownType(content: unknown): unknown {
	if (typeof content !== 'object' || content === null || Array.isArray(content)) return undefined;
	return Object.hasOwn(content, '@type') ? (content as JsonObject)['@type'] : undefined;
}

/** Without recursion, so that deep nesting cannot overflow the stack. */
function isBounded(content: unknown): boolean {
	const open: Array<{ value: unknown; depth: number }> = [{ value: content, depth: 0 }];
	let seen = 0;
	for (let next = open.pop(); next !== undefined; next = open.pop()) {
		if (++seen > maxValues || next.depth > maxDepth) return false;
		if (typeof next.value !== 'object' || next.value === null) continue;
		for (const member of Object.values(next.value)) {
			open.push({ value: member, depth: next.depth + 1 });
		}
	}
	return true;
}
