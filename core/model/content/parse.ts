import type { z } from 'zod';
import { safeParse } from '../../base/schema-parse';
import { isWithinLimits } from '../../base/untrusted-json';
import { isJsonObject, ownMember, type JsonObject } from '../json';
import { contentError, contentErrors } from './content-errors';
import { sorted, tagged, writtenName, type ContentOf, type ContentType } from './content-type';
import { isKnownContentType } from './content-types';

const contentLimits = { maxDepth: 64, maxValues: 100_000 };

/** Set of types that a position accepts; its schema is built on first use and cached. */
export class ContentKinds<Type extends ContentType = ContentType> {
	private made:
		| { types: readonly Type[]; names: ReadonlySet<unknown>; schema: z.ZodType<ContentOf<Type>> }
		| undefined;

	/** @param what noun for messages */
	constructor(
		readonly what: string,
		private readonly of: () => readonly Type[],
	) {}

	get types(): readonly Type[] {
		return this.make().types;
	}

	get schema(): z.ZodType<ContentOf<Type>> {
		return this.make().schema;
	}

	/** Tells whether parsed content is of one of these types, so that `@type` narrows it further. */
	isKnown(content: JsonObject): content is ContentOf<Type> {
		return this.make().names.has(ownMember(content, '@type'));
	}

	private make(): NonNullable<ContentKinds<Type>['made']> {
		if (this.made === undefined) {
			const types = this.of();
			const names = new Set(types.map(writtenName));
			this.made = { types, names, schema: tagged(() => types) };
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
export function parseKind<Type extends ContentType>(
	content: unknown,
	kinds: ContentKinds<Type>,
): ContentOf<Type> {
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
export function parseAs<Type extends ContentType>(
	type: Type,
	content: unknown,
	what: string,
): ContentOf<Type>;
export function parseAs(type: ContentType, content: unknown, what: string): JsonObject {
	const value = typeof content === type.bare ? { value: content } : content;
	return { '@type': writtenName(type), ...read(type.members, value, what) };
}

/** Replaces members of parsed content and keeps the written order. */
export function withMembers<Content extends JsonObject>(
	content: Content,
	members: Partial<NoInfer<Content>>,
): Content;
export function withMembers(content: JsonObject, members: JsonObject): JsonObject {
	return sorted({ ...content, ...members });
}

function read<Content>(schema: z.ZodType<Content>, content: unknown, what: string): Content {
	requireBounded(content, what);
	const result = safeParse(schema, content);
	if (result.success) return result.data;
	throw contentError(what, content, result.error);
}

/** @throws `error.runtime.requestDeserialization` */
export function requireBounded(content: unknown, what: string): void {
	if (isBounded(content)) return;
	throw contentErrors.create('notReadable', {
		message: `${what} is nested too deeply, has too many members, or has a value that is not JSON.`,
	});
}

function ownType(content: unknown): unknown {
	return isJsonObject(content) ? ownMember(content, '@type') : undefined;
}

export function isBounded(content: unknown): boolean {
	return isWithinLimits(content, contentLimits);
}
