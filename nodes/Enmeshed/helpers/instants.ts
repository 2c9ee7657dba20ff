import { NodeOperationError, type INode } from 'n8n-workflow';
import { loadCore } from './core';

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
	return new NodeOperationError(node, `The field '${field}' is not valid`, {
		description: 'Expected a date and time, for example 2030-01-31T12:00:00',
		itemIndex,
	});
}

function isoText(value: unknown): string | undefined {
	if (typeof value === 'string') return value;
	if (typeof value !== 'object' || value === null) return undefined;
	if (value instanceof Date) {
		return Number.isNaN(value.getTime()) ? undefined : value.toISOString();
	}
	if (!('toISO' in value) || typeof value.toISO !== 'function') return undefined;
	const text: unknown = value.toISO();
	return typeof text === 'string' ? text : undefined;
}
