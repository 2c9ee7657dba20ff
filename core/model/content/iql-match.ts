import type { Json, JsonObject } from '../json';
import type { IqlPredicate, IqlQuery } from './iql';

/**
 * The indexes of the attributes that a query finds, in ascending order
 * (docs/protocol/content.md 8.5).
 *
 * @param attributes contents of attributes, not their records
 */
export function matchIql(query: IqlQuery, attributes: readonly JsonObject[]): number[] {
	return [...attributes.keys()].filter((index) => matches(query, attributes[index] ?? {}));
}

function matches(query: IqlQuery, attribute: JsonObject): boolean {
	switch (query.kind) {
		case 'or':
			return query.of.some((operand) => matches(operand, attribute));
		case 'and':
			return query.of.every((operand) => matches(operand, attribute));
		case 'not':
			return !matches(query.of, attribute);
		case 'tag':
			return holds({ operator: '~', literal: query.tag }, at(attribute, ['tags']));
		case 'field':
			return holds(query.predicate, at(attribute, query.path));
		case 'value': {
			if (at(attribute, ['value', '@type']) !== query.type) return false;
			const path = query.path.length === 0 ? ['value'] : query.path;
			return query.predicate === undefined
				? true
				: holds(query.predicate, at(attribute, ['value', ...path]));
		}
	}
}

/** Undefined for what does not exist or is null. */
function at(value: Json, path: readonly string[]): Json | undefined {
	let found: Json | undefined = value;
	for (const step of path) {
		if (typeof found !== 'object' || found === null || !Object.hasOwn(found, step)) {
			return undefined;
		}
		found = (found as JsonObject)[step];
	}
	return found ?? undefined;
}

function holds(predicate: IqlPredicate, value: Json | undefined): boolean {
	if (value === undefined) return false;
	switch (predicate.operator) {
		case '=':
			return textOf(value) === predicate.literal;
		case '~':
			return Array.isArray(value) && value.includes(predicate.literal);
		case '<':
			return dateOf(value) <= dateOf(predicate.literal);
		case '>':
			return dateOf(value) >= dateOf(predicate.literal);
		case '?':
			return typeof value !== 'object' || Object.keys(value as object).length > 0;
	}
}

/** Lists and objects have no text of their own. */
function textOf(value: Json): string | undefined {
	return typeof value === 'object' ? undefined : String(value);
}

/** In milliseconds; NaN, which nothing compares to, for what is no date. */
function dateOf(value: Json): number {
	return typeof value === 'string' || typeof value === 'number'
		? new Date(value).getTime()
		: Number.NaN;
}
