import type { Condition } from '../store/store';
import { invalidQuery } from './query-errors';
import { columnConditions, type QueryValue } from './query-terms';

/** What one field of a query asks for: conditions on columns, or a look at each record. */
export type Asked<Field extends string, Dto> =
	ReadonlyArray<Condition<Field>> | ((dto: Dto) => boolean);

/** How the values of one field of a query are understood. */
export type QueryField<Field extends string, Dto = unknown> = (
	given: QueryValue,
	name: string,
) => Asked<Field, Dto>;

/** The fields that a list can be asked for; others are refused. */
export type QueryFields<Field extends string, Dto = unknown> = Readonly<
	Record<string, QueryField<Field, Dto>>
>;

/** A query of a caller, translated. */
export interface ReadQuery<Field extends string, Dto> {
	readonly where: ReadonlyArray<Condition<Field>>;
	/** what no column can tell, because it is sealed at rest */
	readonly tests: ReadonlyArray<(dto: Dto) => boolean>;
}

/**
 * Translates a query: names of fields with one value or several (docs/protocol/transport.md 17).
 *
 * @throws `error.runtime.validation.invalidPropertyValue` for an unknown field, and for values that
 * are no text
 */
export function readQuery<Field extends string, Dto>(
	query: unknown,
	fields: QueryFields<Field, Dto>,
): ReadQuery<Field, Dto> {
	if (typeof query !== 'object' || query === null || Array.isArray(query)) {
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
 * The fields of a query that are known: lists of attributes and requests ignore the others. A name may
 * be written as that of a list there, `peer[]`.
 */
export function onlyKnown(query: unknown, fields: Readonly<Record<string, unknown>>): unknown {
	if (typeof query !== 'object' || query === null || Array.isArray(query)) return query;
	const named = Object.entries(query).map(([name, given]): [string, unknown] => [
		name.replace(/\[\]$/, ''),
		given,
	]);
	return Object.fromEntries(named.filter(([name]) => Object.hasOwn(fields, name)));
}

function isQueryValue(value: unknown): value is QueryValue {
	if (typeof value === 'string') return true;
	return Array.isArray(value) && value.every((entry) => typeof entry === 'string');
}

/* The kinds of fields that several lists have. */

export const text =
	<Field extends string>(column: Field): QueryField<Field> =>
	(given) =>
		columnConditions(column, 'text', given);

/** A number or a truth value. */
export const scalar =
	<Field extends string>(column: Field): QueryField<Field> =>
	(given) =>
		columnConditions(column, 'scalar', given);

/** Several values are refused. */
export const single =
	<Field extends string>(field: QueryField<Field>): QueryField<Field> =>
	(given, name) => {
		if (typeof given === 'string') return field(given, name);
		throw invalidQuery(name, 'expected one value');
	};

/** The value as it is, or any of several: nothing in it is an operator. */
export const literal =
	<Field extends string>(column: Field): QueryField<Field> =>
	(given) => [{ field: column, op: 'in', value: typeof given === 'string' ? [given] : given }];
