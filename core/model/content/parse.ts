import type { z } from 'zod';
import type { JsonObject } from '../json';
import { contentError, contentErrors } from './content-errors';
import { sorted, tagged, writtenName, type ContentType } from './content-type';
import { isKnownContentType } from './content-types';

const maxDepth = 64;
const maxValues = 100_000;

/** The types of which one is expected somewhere; their schema is made on first use and kept. */
export class ContentKinds {
	private made: { types: readonly ContentType[]; schema: z.ZodType<JsonObject> } | undefined;

	/** @param what names the place in messages */
	constructor(
		readonly what: string,
		private readonly of: () => readonly ContentType[],
	) {}

	get types(): readonly ContentType[] {
		return this.make().types;
	}

	get schema(): z.ZodType<JsonObject> {
		return this.make().schema;
	}

	private make(): NonNullable<ContentKinds['made']> {
		if (this.made === undefined) {
			const types = this.of();
			this.made = { types, schema: tagged(() => types) };
		}
		return this.made;
	}
}

/**
 * Reads content that must be of one of the kinds; the answer has `@type` first and sorted members.
 *
 * @throws `error.runtime.validation.invalidPropertyValue` for another kind,
 * `error.runtime.unknownType`, `error.runtime.servalError`, `error.runtime.requestDeserialization`
 */
export function parseKind(content: unknown, kinds: ContentKinds): JsonObject {
	const type = ownType(content);
	const isOtherKind = type === undefined || (typeof type === 'string' && isKnownContentType(type));
	if (isOtherKind && !kinds.types.some(({ name }) => name === type)) {
		const names = kinds.types.map(({ name }) => name).join(' or ');
		throw contentErrors.create('wrongKind', {
			message: `${kinds.what} must be of type ${names}.`,
			facts: { field: 'content.@type' },
		});
	}
	return read(kinds.schema, content, kinds.what);
}

/** Reads content as that type, whatever its `@type` says; the answer has `@type` first. */
export function parseAs(type: ContentType, content: unknown, what: string): JsonObject {
	const value = typeof content === type.bare ? { value: content } : content;
	return { '@type': writtenName(type), ...read(type.members, value, what) };
}

/** Parsed content with other members, in the order of its text form. */
export function withMembers(content: JsonObject, members: JsonObject): JsonObject {
	return sorted({ ...content, ...members });
}

function read(schema: z.ZodType<JsonObject>, content: unknown, what: string): JsonObject {
	requireBounded(content, what);
	const result = schema.safeParse(content);
	if (result.success) return result.data;
	throw contentError(what, content, result.error);
}

/** @throws `error.runtime.requestDeserialization` */
export function requireBounded(content: unknown, what: string): void {
	if (isBounded(content)) return;
	throw contentErrors.create('notReadable', {
		message: `${what} is nested too deeply or has too many members.`,
	});
}

function ownType(content: unknown): unknown {
	if (typeof content !== 'object' || content === null || Array.isArray(content)) return undefined;
	return Object.hasOwn(content, '@type') ? (content as JsonObject)['@type'] : undefined;
}

/** Without recursion, so that deep nesting cannot overflow the stack. */
export function isBounded(content: unknown): boolean {
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
