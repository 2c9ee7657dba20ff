import type { INodeProperties } from 'n8n-workflow';
import type { z } from 'zod';
import type { JsonObject } from '../../../core';
import { loadCore } from '../gateway/core';
import type { OperationCall } from '../operation/operation';
import { parameterError } from '../errors/parameter-error';
import { instantText } from '../helpers/instant-text';
import { propertyAt, reasonFor, wrongLocator } from '../errors/violations';

/** The schema builder, passed in so that requiring a node file does not load it. */
export type Zod = typeof import('../../../core').z;

/** Defines a schema for node parameters. */
type Define<Shape> = (zod: Zod, fields: FieldSchemas) => z.ZodType<Shape>;

/** Schema for node parameters, cached because building it costs more than a validation. */
export interface ParameterSchema<Shape> {
	schema(zod: Zod): z.ZodType<Shape>;
}

export function parameterSchema<Shape>(define: Define<Shape>): ParameterSchema<Shape> {
	let made: z.ZodType<Shape> | undefined;
	return { schema: (zod) => (made ??= define(zod, fieldSchemas(zod))) };
}

/** Schemas for fields whose values n8n passes in more than one form. */
export interface FieldSchemas {
	/** non-empty text, trimmed */
	readonly text: z.ZodType<string>;
	/** non-empty text, unchanged */
	readonly exactText: z.ZodType<string>;
	/** text, or undefined if it is empty */
	readonly optionalText: z.ZodType<string | undefined>;
	/** a picked or entered id */
	readonly locator: z.ZodType<string>;
	/** comma-separated text or an array from an expression */
	readonly textList: z.ZodType<string[]>;
	/** JSON text, or an object from an expression */
	readonly jsonObject: z.ZodType<JsonObject>;
	/** any JSON value, as JSON text or from an expression; other text stays text */
	readonly json: z.ZodType<unknown>;
	/** one text per line, or an array from an expression */
	readonly lines: z.ZodType<string[]>;
	/** number, or its digits as an expression gives them */
	readonly number: z.ZodType<number>;
	readonly limit: z.ZodType<number>;
}

/**
 * What a repeatable field expects: another shape, which an expression gave, would pass as no
 * entries.
 */
export const expectedEntries = (name: string): string =>
	`Expected { "${name}": [ … ] } with one object for each entry, as the form gives it`;

/**
 * Reads and validates the fields of one operation for one item. The first violation becomes an
 * error that names the field as the editor shows it.
 *
 * @throws NodeOperationError
 */
export async function parseParameters<Shape>(
	call: Pick<OperationCall, 'functions' | 'itemIndex'>,
	properties: readonly INodeProperties[],
	expected: ParameterSchema<Shape>,
): Promise<Shape> {
	const { functions, itemIndex } = call;
	const raw: Record<string, unknown> = {};
	for (const { name, default: fallback } of properties) {
		raw[name] = plain(functions.getNodeParameter(name, itemIndex, fallback));
	}
	return await checkParameters(functions, raw, properties, expected, itemIndex);
}

/** Entry of a repeatable form. */
export interface FormEntry {
	/** for messages, for example "entry 2" */
	readonly label: string;
	/** of its values in the parameters of the node */
	readonly path: readonly PropertyKey[];
}

/**
 * Validates values that were read before (the trigger reads them differently).
 *
 * @param entry entry of a repeatable form that contains the values
 */
export async function checkParameters<Shape>(
	functions: Pick<OperationCall['functions'], 'getNode'>,
	raw: Record<string, unknown>,
	properties: readonly INodeProperties[],
	expected: ParameterSchema<Shape>,
	itemIndex?: number,
	entry?: FormEntry,
): Promise<Shape> {
	const { safeParse, z: zod } = await loadCore();
	const result = safeParse(expected.schema(zod), raw);
	const violation = result.success
		? wrongLocator(raw, properties)
		: { path: result.error.issues[0]?.path ?? [], issue: result.error.issues[0] };
	if (result.success && violation === undefined) return result.data;
	const node = functions.getNode();
	const { path = [], ...found } = violation ?? {};
	const field = labelOf(properties, path);
	const where = entry === undefined ? '' : ` in ${entry.label}`;
	throw parameterError(node, `The field '${field}'${where} is not valid`, {
		description: reasonFor(found, { raw, path, base: entry?.path ?? [], properties, node }),
		itemIndex,
	});
}

/** Replaces resource locators by their values at any depth; all other values stay the same. */
export function plain(value: unknown): unknown {
	if (Array.isArray(value)) return value.map(plain);
	if (typeof value !== 'object' || value === null) return value;
	if (!isPlainObject(value)) return value;
	if ('__rl' in value && 'value' in value) return plain(value.value);
	return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, plain(inner)]));
}

/** Expressions return objects of another realm, which have other prototypes. */
function isPlainObject(value: object): boolean {
	const prototype: unknown = Object.getPrototypeOf(value);
	return prototype === null || Object.getPrototypeOf(prototype) === null;
}

/** Display name of the field at the end of a path through fields, collections and their entries. */
export function labelOf(
	properties: readonly INodeProperties[],
	path: readonly PropertyKey[],
): string {
	return propertyAt(properties, path)?.displayName ?? 'Parameters';
}

function fieldSchemas(zod: Zod): FieldSchemas {
	const number = zod.preprocess(toNumber, zod.number('Expected a number'));
	const exactText = zod.preprocess(
		toText,
		zod.string('Expected text').refine((value) => value.trim() !== '', 'It is empty'),
	);
	const text = exactText.transform((value) => value.trim());
	const textArray = zod
		.array(zod.string('Expected a list of texts').min(1))
		.max(1_000, 'At most 1000 entries');
	return {
		text,
		exactText,
		optionalText: zod.preprocess(
			(value) => (value === '' || value === null ? undefined : value),
			text.optional(),
		),
		locator: zod.preprocess(
			(value) => value ?? '',
			zod.string('Expected an ID').trim().min(1, 'Choose an entry of the list, or enter an ID'),
		),
		textList: zod.preprocess(toList(','), textArray),
		lines: zod.preprocess(toList('\n'), textArray),
		jsonObject: zod.preprocess(
			parseJson,
			zod.record(
				zod.string(),
				// What it holds is judged where it is used.
				zod.custom<JsonObject[string]>(),
				'Expected a JSON object, for example { "a": 1 }',
			),
		),
		json: zod.preprocess(parseJson, zod.unknown()),
		number,
		limit: number.pipe(zod.number().int('Expected a whole number').min(1, 'At least 1')),
	};
}

/** Expressions give the numbers of other nodes as text. */
function toNumber(value: unknown): unknown {
	return typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
}

/** Numbers and times become text, such as the value of `$now`. */
function toText(value: unknown): unknown {
	return typeof value === 'number' ? String(value) : (instantText(value) ?? value);
}

function toList(separator: string): (value: unknown) => unknown {
	return (value) => {
		if (value === undefined || value === null) return [];
		if (typeof value !== 'string') return value;
		return value
			.split(separator)
			.map((part) => part.trim())
			.filter((part) => part !== '');
	};
}

/** Keeps text that is not JSON; the object schema then refuses it. */
export function parseJson(value: unknown): unknown {
	if (typeof value !== 'string') return value;
	try {
		return JSON.parse(value) as unknown;
	} catch {
		return value;
	}
}
