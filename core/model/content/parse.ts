import type { z } from 'zod';
import { isWithinLimits } from '../../base/untrusted-json';
import { isJsonObject, ownMember, type JsonObject } from '../json';
import { contentError, contentErrors } from './content-errors';
import { sorted, tagged, writtenName, type ContentType } from './content-type';
import { isKnownContentType } from './content-types';

const contentLimits = { maxDepth: 64, maxValues: 100_000 };

/** Set of types that a position accepts; its schema is built on first use and cached. */
export class ContentKinds {
	private made: { types: readonly ContentType[]; schema: z.ZodType<JsonObject> } | undefined;

	/** @param what noun for messages */
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
 * Parses content of one of the kinds; the result has `@type` first, then sorted members.
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

/** Parses content as the given type, whatever its `@type` says; the result has `@type` first. */
export function parseAs(type: ContentType, content: unknown, what: string): JsonObject {
	const value = typeof content === type.bare ? { value: content } : content;
	return { '@type': writtenName(type), ...read(type.members, value, what) };
}

/** Replaces members of parsed content and keeps the written order. */
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
	return isJsonObject(content) ? ownMember(content, '@type') : undefined;
}

export function isBounded(content: unknown): boolean {
	return isWithinLimits(content, contentLimits);
}
