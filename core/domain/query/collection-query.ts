import type { ListQueryInput } from '../../model/input/list-query';
import { isJsonObject } from '../../model/json';
import type { Condition } from '../../store/store';
import { invalidQuery } from './query-errors';
import { columnConditions, type QueryValue } from './query-terms';

/** Translation of one query field: conditions on columns, or a test of each record. */
export type Asked<Field extends string, Dto> =
	ReadonlyArray<Condition<Field>> | ((dto: Dto) => boolean);

/** Translator for the values of one query field. */
export type QueryField<Field extends string, Dto = unknown> = (
	given: QueryValue,
	name: string,
) => Asked<Field, Dto>;

/** Query fields that a list supports; other fields are refused. */
export type QueryFields<Field extends string, Dto = unknown> = Readonly<
	Record<string, QueryField<Field, Dto>>
>;

/** Translated query of a caller. */
export interface ReadQuery<Field extends string, Dto> {
	readonly where: ReadonlyArray<Condition<Field>>;
	/** tests of members that no column contains, because they are encrypted at rest */
	readonly tests: ReadonlyArray<(dto: Dto) => boolean>;
}

/**
 * Translates a query: field names with one value or several (docs/protocol/transport.md 17).
 *
 * @throws `error.runtime.validation.invalidPropertyValue` for an unknown field, and for values that
 * are not text
 */
export function readQuery<Field extends string, Dto>(
	query: unknown,
	fields: QueryFields<Field, Dto>,
): ReadQuery<Field, Dto> {
	if (!isJsonObject(query)) {
		throw invalidQuery('', 'expected an object of fields and values');
	}
	const where: Array<Condition<Field>> = [];
	const tests: Array<(dto: Dto) => boolean> = [];
	for (const [name, given] of Object.entries(query)) {
		const field = Object.hasOwn(fields, name) ? fields[name] : undefined;
		if (field === undefined) throw invalidQuery(name, 'this list has no such field');
		if (!isQueryValue(given)) throw invalidQuery(name, 'expected a text or a list of texts');
		if (given.length === 0 && typeof given !== 'string') continue;
		const asked = field(given, name);
		if (typeof asked === 'function') tests.push(asked);
		else where.push(...asked);
	}
	return { where, tests };
}

/**
 * Selects the supported fields of a query: lists of attributes and requests ignore all others. In
 * these lists a name may be written in the notation of lists, `peer[]`.
 */
export function onlyKnown(
	query: ListQueryInput,
	fields: Readonly<Record<string, unknown>>,
): ListQueryInput {
	if (!isJsonObject(query)) return query;
	const named = Object.entries<ListQueryInput[string]>(query).map(([name, given]) => {
		return [name.replace(/\[\]$/, ''), given] as const;
	});
	return Object.fromEntries(named.filter(([name]) => Object.hasOwn(fields, name)));
}

function isQueryValue(value: unknown): value is QueryValue {
	if (typeof value === 'string') return true;
	return Array.isArray(value) && value.every((entry) => typeof entry === 'string');
}

/* Kinds of fields that several lists have. */

export const text =
	<Field extends string>(column: Field): QueryField<Field> =>
	(given) =>
		columnConditions(column, 'text', given);

/** Field with numbers or booleans. */
export const scalar =
	<Field extends string>(column: Field): QueryField<Field> =>
	(given) =>
		columnConditions(column, 'scalar', given);

/** Field that refuses several values. */
export const single =
	<Field extends string>(field: QueryField<Field>): QueryField<Field> =>
	(given, name) => {
		if (typeof given === 'string') return field(given, name);
		throw invalidQuery(name, 'expected one value');
	};

/** Field without operators: matches the value as written, or any of several values. */
export const literal =
	<Field extends string>(column: Field): QueryField<Field> =>
	(given) => [{ field: column, op: 'in', value: typeof given === 'string' ? [given] : given }];
