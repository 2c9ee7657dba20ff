/**
 * ISO text of a date, or of a luxon object of the host's own copy, as expressions return them.
 *
 * @returns undefined for any other value
 */
export function instantText(value: unknown): string | undefined {
	if (typeof value !== 'object' || value === null) return undefined;
	if (isDate(value)) return Number.isNaN(value.getTime()) ? undefined : value.toISOString();
	if (!('toISO' in value) || typeof value.toISO !== 'function') return undefined;
	const text: unknown = value.toISO();
	return typeof text === 'string' ? text : undefined;
}

/** Expressions return dates of another realm. */
function isDate(value: object): value is Date {
	return Object.prototype.toString.call(value) === '[object Date]';
}
