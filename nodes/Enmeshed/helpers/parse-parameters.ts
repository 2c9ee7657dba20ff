import { NodeOperationError, type INodeProperties } from 'n8n-workflow';
import type { z } from 'zod';
import { loadCore } from './core';
import type { OperationContext } from './operation';

/** The schema builder, handed in so that reading a node file does not load it. */
export type Zod = typeof import('../../../core').z;

/** How a schema for node parameters is made. */
type Define<Shape> = (zod: Zod, fields: FieldSchemas) => z.ZodType<Shape>;

/** A schema for node parameters; building one costs more than checking, so it is kept. */
export interface ParameterSchema<Shape> {
	schema(zod: Zod): z.ZodType<Shape>;
}

export function parameterSchema<Shape>(define: Define<Shape>): ParameterSchema<Shape> {
	let made: z.ZodType<Shape> | undefined;
	return { schema: (zod) => (made ??= define(zod, fieldSchemas(zod))) };
}

/** Kinds of fields that n8n hands over in more than one form. */
export interface FieldSchemas {
	/** text that must not be empty; blanks around it are cut */
	readonly text: z.ZodType<string>;
	/** the same, kept as it was written */
	readonly exactText: z.ZodType<string>;
	/** text or undefined when empty */
	readonly optionalText: z.ZodType<string | undefined>;
	/** a picked or entered id */
	readonly locator: z.ZodType<string>;
	/** comma-separated text or an array from an expression */
	readonly textList: z.ZodType<string[]>;
	/** an object as JSON text or as an expression's object */
	readonly jsonObject: z.ZodType<Record<string, unknown>>;
	/** any JSON value, as JSON text or as an expression's value; other text stays text */
	readonly json: z.ZodType<unknown>;
	/** one text per line, or an array from an expression */
	readonly lines: z.ZodType<string[]>;
	readonly limit: z.ZodType<number>;
}

/**
 * Reads the fields of one operation for one item and checks them. The first violation becomes an
 * error that names the field as the editor shows it.
 *
 * @throws NodeOperationError
 */
export async function parseParameters<Shape>(
	context: Pick<OperationContext, 'functions' | 'itemIndex'>,
	properties: readonly INodeProperties[],
	expected: ParameterSchema<Shape>,
): Promise<Shape> {
	const { functions, itemIndex } = context;
	const raw: Record<string, unknown> = {};
	for (const { name, default: fallback } of properties) {
		raw[name] = plain(functions.getNodeParameter(name, itemIndex, fallback));
	}
	return await checkParameters(functions, raw, properties, expected, itemIndex);
}

/**
 * The same for values that were read already (the trigger reads its own way).
 *
 * @param entry which entry of a repeatable form the values are of, for example "entry 2 of 'Items'"
 */
export async function checkParameters<Shape>(
	functions: Pick<OperationContext['functions'], 'getNode'>,
	raw: Record<string, unknown>,
	properties: readonly INodeProperties[],
	expected: ParameterSchema<Shape>,
	itemIndex?: number,
	entry?: string,
): Promise<Shape> {
	const { z: zod } = await loadCore();
	const result = expected.schema(zod).safeParse(raw);
	if (result.success) return result.data;
	const issue = result.error.issues[0];
	const field = labelOf(properties, issue?.path ?? []);
	const where = entry === undefined ? '' : ` in ${entry}`;
	throw new NodeOperationError(functions.getNode(), `The field '${field}'${where} is not valid`, {
		description: issue?.message ?? 'Unexpected value',
		...(itemIndex === undefined ? {} : { itemIndex }),
	});
}

/** Resource locators stand for their value, wherever they are nested; the rest stays as it is. */
export function plain(value: unknown): unknown {
	if (Array.isArray(value)) return value.map(plain);
	if (typeof value !== 'object' || value === null) return value;
	if (!isPlainObject(value)) return value;
	if ('__rl' in value && 'value' in value) return plain(value.value);
	return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, plain(inner)]));
}

/** Expressions hand over objects of another realm, whose prototype is not ours. */
function isPlainObject(value: object): boolean {
	const prototype: unknown = Object.getPrototypeOf(value);
	return prototype === null || Object.getPrototypeOf(prototype) === null;
}

/** The display name at the end of a path through fields, collections and their entries. */
export function labelOf(
	properties: readonly INodeProperties[],
	path: readonly PropertyKey[],
): string {
	let inner: readonly INodeProperties[] = properties;
	let label = 'Parameters';
	for (const step of path) {
		const found = inner.find(({ name }) => name === step);
		if (found === undefined) continue;
		label = found.displayName;
		inner = (found.options ?? []).flatMap((option): INodeProperties[] => {
			if ('values' in option) return option.values;
			return 'type' in option ? [option] : [];
		});
	}
	return label;
}

function fieldSchemas(zod: Zod): FieldSchemas {
	const exactText = zod.preprocess(
		(value) => (typeof value === 'number' ? String(value) : value),
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
			zod.record(zod.string(), zod.unknown(), 'Expected a JSON object, for example { "a": 1 }'),
		),
		json: zod.preprocess(parseJson, zod.unknown()),
		limit: zod.number('Expected a number').int('Expected a whole number').min(1, 'At least 1'),
	};
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

/** Text that is not JSON stays text, which the object schema then refuses. */
function parseJson(value: unknown): unknown {
	if (typeof value !== 'string') return value;
	try {
		return JSON.parse(value) as unknown;
	} catch {
		return value;
	}
}
