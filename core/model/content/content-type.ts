import * as z from 'zod';
import { safeParse } from '../../base/schema-parse';
import { sortedNames } from '../../base/canonical-json';
import { isJsonObject, ownMember, type Json, type JsonObject } from '../json';
import { isKnownContentType } from './content-types';

/**
 * Content type: defines how its members are parsed. The registry has one entry per type.
 *
 * @typeParam Members what parsing returns
 * @typeParam Written name in `@type` of what parsing returns
 */
export interface ContentType<
	Name extends string = string,
	Members extends object = JsonObject,
	Written extends string = Name,
> {
	readonly name: Name;
	/** parses and normalises the members; the result has no envelope properties */
	readonly members: z.ZodType<Members>;
	/**
	 * bare value that may stand for an object whose only member is `value` (docs/protocol/content.md
	 * 2.2, child value)
	 */
	readonly bare?: BareValue;
	/** type name when written, if it differs from the name when read */
	readonly writtenAs?: Written;
}

/** Parsed members of content types, without `@type`. */
export type MembersOf<Type extends ContentType> =
	Type extends ContentType<string, infer Members, string> ? Members : never;

/** Parsed content of content types: a union that `@type` tells apart. */
export type ContentOf<Type extends ContentType> =
	Type extends ContentType<string, infer Members, infer Written> ? Typed<Written, Members> : never;

/** Members with their type; those that are not known by name stay behind it. */
type Typed<Written extends string, Members> =
	Members extends Record<string, never>
		? WithType<Written>
		: string extends keyof Members
			? WithType<Written> & Members
			: Flat<WithType<Written> & Members>;

type WithType<Written extends string> = {
	/** name of the type, by which contents are told apart */
	'@type': Written;
};

/**
 * One object type; an alias of it keeps its name, by which declarations and messages refer to it.
 */
export type Flat<T> = { [Name in keyof T]: T[Name] };

/** Members as they are written: an absent one is left out instead of being undefined. */
export type MembersOfShape<Shape extends z.ZodRawShape> = {
	[Name in keyof z.output<z.ZodObject<Shape>>]: Exclude<
		z.output<z.ZodObject<Shape>>[Name],
		undefined
	>;
};

export type BareValue = 'string' | 'number';

/** Rule across members. A member it reads may have a wrong type, which is reported separately. */
export type MemberCheck = (
	value: JsonObject,
	reportAt: (member: string, message: string) => void,
) => void;

interface Rules<Members> {
	/** step `before parsing` of docs/protocol/content.md; receives a copy */
	readonly adjust?: (value: JsonObject) => void;
	/** step `after parsing` of docs/protocol/content.md */
	readonly check?: MemberCheck;
	/** last step; may add members without sorting them */
	readonly complete?: (value: Members) => Members;
	readonly bare?: BareValue;
}

/** Defines a type with fixed members in the order of validation; unknown members are dropped. */
export function contentType<
	Name extends string,
	Shape extends z.ZodRawShape,
	Written extends string = Name,
>(
	name: Name,
	shape: () => Shape,
	rules: Rules<MembersOfShape<Shape>> & { readonly writtenAs?: Written } = {},
): ContentType<Name, MembersOfShape<Shape>, Written> {
	const { bare, writtenAs } = rules;
	let members: z.ZodType<MembersOfShape<Shape>> | undefined;
	return {
		name,
		...(bare === undefined ? {} : { bare }),
		...(writtenAs === undefined ? {} : { writtenAs }),
		// Built on first use, because most accounts meet few of the types.
		get members() {
			members ??= membersOf(shape(), rules);
			return members;
		},
	};
}

function membersOf<Shape extends z.ZodRawShape>(
	shape: Shape,
	rules: Rules<MembersOfShape<Shape>>,
): z.ZodType<MembersOfShape<Shape>> {
	const { adjust, check, complete = (value) => value } = rules;
	const object = z.object(shape);
	const refined =
		check === undefined
			? object
			: object.superRefine((value, context) => {
					if (!isJsonObject(value)) return;
					check(value, (member, message) => {
						context.addIssue({ code: 'custom', message, path: [member] });
					});
				});
	const checked = refined.transform((value) => complete(sorted(value)));
	if (adjust === undefined) return checked;
	return z.preprocess((value, context) => {
		if (value === null) {
			context.addIssue({ code: 'custom', message: 'is missing', params: unexpectedIssue });
		}
		if (!isJsonObject(value)) return value;
		const copy = { ...value };
		adjust(copy);
		return copy;
	}, checked);
}

/** Position with a fixed type: `@type` may be missing when read and is not written. */
export function fixed<Members extends object>(
	type: () => ContentType<string, Members, string>,
): z.ZodType<Members> {
	return z.transform((value, context): Members => {
		const written = typeOf(value, context);
		if (written === undefined) return z.NEVER;
		if (written === '' || written === type().name) return readMembers(type(), value, context);
		reportType(written, context);
		return z.NEVER;
	});
}

/** Position with a fixed type that is written nevertheless (docs/protocol/content.md 2.6). */
export function fixedAndWritten<Type extends ContentType>(
	type: () => Type,
): z.ZodType<ContentOf<Type>>;
export function fixedAndWritten(type: () => ContentType): z.ZodType<JsonObject> {
	return fixed(type).transform((members) => ({ '@type': type().name, ...members }));
}

/** Position that accepts several types: `@type` decides and is written. */
export function tagged<Type extends ContentType>(
	types: () => readonly Type[],
): z.ZodType<ContentOf<Type>>;
export function tagged(types: () => readonly ContentType[]): z.ZodType<JsonObject> {
	let byName: ReadonlyMap<string, ContentType> | undefined;
	return z.transform((value, context): JsonObject => {
		const written = typeOf(value, context);
		if (written === undefined) return z.NEVER;
		byName ??= new Map(types().map((type) => [type.name, type]));
		const type = byName.get(written);
		if (type !== undefined) {
			return { '@type': writtenName(type), ...readMembers(type, value, context) };
		}
		reportType(written, context);
		return z.NEVER;
	});
}

/**
 * Part of a composite value: read as a bare text or number or as its object, written bare
 * (docs/protocol/content.md 2.2, child value).
 */
export function child<Value extends Json>(
	type: () => ContentType<string, { value: Value }>,
): z.ZodType<Value> {
	const whole = fixed(type);
	return z.transform((value, context): Value => {
		const given = typeof value === type().bare ? { value } : value;
		const result = safeParse(whole, given);
		return result.success ? result.data.value : report(result.error, context);
	});
}

export function writtenName({ name, writtenAs = name }: ContentType): string {
	return writtenAs;
}

/** Sorts members by code units and omits undefined ones (docs/protocol/content.md 2.6). */
export function sorted<Members extends object>(
	value: Members,
): { [Name in keyof Members]: Exclude<Members[Name], undefined> };
export function sorted(value: Readonly<Record<string, unknown>>): object {
	return Object.fromEntries(
		sortedNames(value)
			.filter((name) => value[name] !== undefined)
			.map((name) => [name, value[name]]),
	);
}

/**
 * Name in `@type`, '' if it is missing; undefined after reporting that the value cannot be a typed
 * object (docs/protocol/content.md 2.1, 2.4).
 */
function typeOf(value: unknown, context: z.RefinementCtx): string | undefined {
	if (!isJsonObject(value)) {
		const message = value === undefined || value === null ? 'is missing' : 'expected an object';
		context.addIssue({ code: 'custom', message });
		return undefined;
	}
	const type = ownMember(value, '@type');
	if (type === undefined || type === null || type === '') return '';
	if (typeof type !== 'string') {
		context.addIssue({ code: 'custom', message: "'@type' is not text", params: servalIssue });
		return undefined;
	}
	const version = ownMember(value, '@version') || 1;
	const major = Number.parseInt(String(version), 10);
	if (major === 1) return type;
	context.addIssue({
		code: 'custom',
		message: `'${type.slice(0, 100)}' has no version '${String(version).slice(0, 20)}'`,
		params: Number.isNaN(major) ? servalIssue : unknownTypeIssue,
	});
	return undefined;
}

/* Parameters of issues that lead to a special error code (docs/protocol/content.md 3.1). */
export const servalIssue = { failure: 'serval' } as const;
export const unexpectedIssue = { failure: 'unexpected' } as const;
export const malformedReferenceIssue = { failure: 'malformedReference' } as const;
const unknownTypeIssue = { failure: 'unknownType' } as const;

/** Message that clients compare (docs/protocol/http-api.md 18.2). */
const unknownTypeText = (name: string): string =>
	`Type ${name} with version 1 was not found within reflection classes. You might have to install a module first.`;

function reportType(written: string, context: z.RefinementCtx): void {
	if (written === '') {
		context.addIssue({ code: 'custom', message: "'@type' is missing" });
		return;
	}
	const isKnown = isKnownContentType(written);
	const name = `'${written.slice(0, 100)}'`;
	context.addIssue(
		isKnown
			? { code: 'custom', message: `the type ${name} is not allowed here` }
			: { code: 'custom', message: unknownTypeText(name), params: unknownTypeIssue },
	);
}

function readMembers<Members extends object>(
	type: ContentType<string, Members, string>,
	value: unknown,
	context: z.RefinementCtx,
): Members {
	const result = safeParse(type.members, value);
	return result.success ? result.data : report(result.error, context);
}

/** Reports the issues of a nested schema to the outer one. */
export function report(
	error: z.ZodError,
	context: z.RefinementCtx,
	path: PropertyKey[] = [],
): never {
	for (const issue of error.issues) {
		context.addIssue({ ...issue, path: [...path, ...issue.path] });
	}
	return z.NEVER;
}

/** Table of content types by their names. */
export function contentTypesByName<Table>(types: readonly ContentType[]): Table {
	const table: unknown = Object.fromEntries(types.map((type) => [type.name, type]));
	// eslint-disable-next-line @typescript-eslint/no-unsafe-type-assertion -- the members of these types follow from tables
	return table as Table;
}
