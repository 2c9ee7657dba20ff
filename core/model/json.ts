import * as z from 'zod';
import { hasMember } from '../base/members';

/** Any JSON value, for positions whose content peers and users choose. */
export type Json = null | boolean | number | string | Json[] | { [name: string]: Json };

/** Object of JSON values by name. */
export type JsonObject = { [name: string]: Json };

/** Exists in types only. */
declare const unknownContent: unique symbol;

/**
 * Content of a type that its position does not know, as a newer wallet may write it, or without a
 * type. The mark keeps it apart from the known types, of which `@type` tells one from another.
 */
export type UnknownContent = JsonObject & {
	/** never there; keeps the type apart */
	readonly [unknownContent]?: true;
};

/** An object whose members are not looked at here. Depth and size are bounded where it enters. */
export const jsonObjectSchema = objectOf<JsonObject>();

/** An object whose members were checked where it entered; the type says which they are. */
export function objectOf<Content extends JsonObject>(): z.ZodType<Content> {
	return z.custom<Content>(isJsonObject, 'expected an object');
}

/** Any JSON value except null, which counts as absent. */
export const jsonSchema = z.custom<Exclude<Json, null>>(
	(value) => value !== undefined && value !== null && typeof value !== 'function',
	'expected a value',
);

/**
 * Builds an object without the members that are undefined. Each member of the type has to be named,
 * so that none is forgotten, and none comes along unnoticed.
 */
export function membersOf<Shape extends object>(members: {
	readonly [Name in keyof Required<Shape>]: Shape[Name];
}): Shape {
	const present = Object.entries(members).filter(([, value]) => value !== undefined);
	// eslint-disable-next-line @typescript-eslint/no-unsafe-type-assertion -- the parameter names every member
	return Object.fromEntries(present) as Shape;
}

/** Names of a schema's members, for lists of many objects. */
const namesOf = new WeakMap<z.ZodType, readonly string[]>();

/**
 * Public members of a stored object, which the schema of the public shape names; undefined members
 * are left out. The compiler refuses an object that lacks one of them.
 */
export function publicMembers<Shape extends z.ZodRawShape, Stored extends object>(
	schema: z.ZodObject<Shape>,
	stored: Stored &
		z.output<z.ZodObject<Shape>> &
		(keyof Shape extends keyof Stored ? unknown : never),
): z.output<z.ZodObject<Shape>> {
	let names = namesOf.get(schema);
	if (names === undefined) namesOf.set(schema, (names = Object.keys(schema.shape)));
	const members: Readonly<Record<string, unknown>> = { ...stored };
	const named = names.map((name) => [name, members[name]] as const);
	const shown = Object.fromEntries(named.filter(([, value]) => value !== undefined));
	// eslint-disable-next-line @typescript-eslint/no-unsafe-type-assertion -- the parameter has every member
	return shown as z.output<z.ZodObject<Shape>>;
}

/** Neither a list nor null. */
export function isJsonObject(value: unknown): value is JsonObject {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * A member of an object, or an entry of a list; undefined for any other value. Own members only, so
 * that a prototype cannot supply one.
 */
export function ownMember(value: Json | undefined, name: PropertyKey): Json | undefined;
export function ownMember(value: unknown, name: PropertyKey): unknown;
export function ownMember(value: unknown, name: PropertyKey): unknown {
	return hasMember(value, name) && Object.hasOwn(value, name) ? value[name] : undefined;
}

/** A member that is text; undefined for any other member. */
export function ownText(value: unknown, name: string): string | undefined {
	const member = ownMember(value, name);
	return typeof member === 'string' ? member : undefined;
}

/** Data of this package as JSON: only optional members and interfaces keep the type apart. */
export function ownJson(data: object): JsonObject {
	// eslint-disable-next-line @typescript-eslint/no-unsafe-type-assertion -- callers hand over what a schema of JSON has parsed
	return data as JsonObject;
}
