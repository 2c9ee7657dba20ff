import { ownMember, type Json, type JsonObject } from '../../json';
import type { IqlPredicate, IqlQuery } from './iql';

/**
 * Indexes of the attributes that a query matches, in ascending order (docs/protocol/content.md
 * 8.5).
 *
 * @param attributes contents of attributes, without their records
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

/** Value at a path; undefined if it is missing or null. */
function at(value: Json, path: readonly string[]): Json | undefined {
	return path.reduce<Json | undefined>(ownMember, value) ?? undefined;
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
			return typeof value !== 'object' || Object.keys(value ?? {}).length > 0;
	}
}

/** Text of a scalar; undefined for lists and objects. */
function textOf(value: Json): string | undefined {
	return typeof value === 'object' ? undefined : String(value);
}

/** Milliseconds; NaN for text that is not a date, which makes every comparison false. */
function dateOf(value: Json): number {
	return typeof value === 'string' || typeof value === 'number'
		? new Date(value).getTime()
		: Number.NaN;
}
