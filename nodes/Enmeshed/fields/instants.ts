import type { INode, NodeOperationError } from 'n8n-workflow';
import { loadCore } from '../gateway/core';
import { parameterError } from '../errors/parameter-error';
import { instantText } from '../helpers/instant-text';

/**
 * Reads a date field as an instant in UTC. The picker returns text without an offset,
 * which means the time zone of the workflow. Expressions return ISO text, dates, or luxon
 * objects of the host's own copy.
 *
 * @param timezone IANA name of the workflow's time zone
 * @returns undefined if the value is not a date
 */
export async function readInstant(value: unknown, timezone: string): Promise<string | undefined> {
	const text = isoText(value);
	if (text === undefined) return undefined;
	const { parseInstant } = await loadCore();
	return parseInstant(text.trim().replace(' ', 'T'), timezone);
}

export function invalidDate(node: INode, field: string, itemIndex: number): NodeOperationError {
	return parameterError(node, `The field '${field}' is not valid`, {
		description: 'Expected a date and time, for example 2030-01-31T12:00:00',
		itemIndex,
	});
}

/**
 * Reads a date field without a time. Expressions return the same kinds of values as for instants;
 * the date is the written one, in any time zone.
 *
 * @returns undefined if the value is not a date
 */
export function readCalendarDate(
	value: unknown,
): { readonly day: number; readonly month: number; readonly year: number } | undefined {
	const written = /^(\d{4})-(\d{2})-(\d{2})(?!\d)/.exec(isoText(value)?.trim() ?? '');
	if (written === null) return undefined;
	const [year = 0, month = 0, day = 0] = written.slice(1).map(Number);
	return { day, month, year };
}

function isoText(value: unknown): string | undefined {
	return typeof value === 'string' ? value : instantText(value);
}
