import { DateTime } from 'luxon';
import type { Answered, Side } from './world';

const instant = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

/**
 * Another value of the same kind, as in docs/protocol/http-api.md 18.1: a day later and written with
 * another offset, one more, the opposite, or another end.
 */
export function changed(value: unknown): string {
	if (typeof value === 'number') return String(value + 1);
	if (typeof value === 'boolean') return String(!value);
	const text = String(value);
	if (!instant.test(text)) return `${text.slice(0, -4)}XXXX`;
	return DateTime.fromISO(text).plus({ days: 1 }).setZone('UTC+2').toISO() ?? '';
}

/** What is at `shareInfo.peer`, for example; of a list its first entry. */
export function valueAt(object: Answered, field: string): unknown {
	return field.split('.').reduce<Answered>((at, name) => {
		const one = Array.isArray(at) ? at[0] : at;
		return one?.[name];
	}, object);
}

async function isFound(
	{ http }: Side,
	list: string,
	id: string,
	field: string,
	value: string,
): Promise<boolean> {
	const divider = list.includes('?') ? '&' : '?';
	const call = `GET /${list}${divider}${field}=${encodeURIComponent(value)}`;
	const { status, result } = await http.ask(call);
	if (status !== 200) throw new Error(`${call} gives ${status}`);
	return (result as Answered[]).some((one) => one.id === id);
}

/**
 * For each field whether a list finds the object by its own value, and whether it does by a changed one.
 * A field that the object does not have is reported as `missing`.
 */
export async function filtered(
	side: Side,
	list: string,
	object: Answered,
	fields: readonly string[],
): Promise<Record<string, string>> {
	const outcome: Record<string, string> = {};
	for (const field of fields) {
		const found = valueAt(object, field);
		const value = Array.isArray(found) ? found[0] : found;
		if (value === undefined || typeof value === 'object') {
			outcome[field] = 'missing';
			continue;
		}
		const byOwn = await isFound(side, list, object.id, field, String(value));
		const byOther = await isFound(side, list, object.id, field, changed(value));
		outcome[field] = `${byOwn ? 'own' : 'not own'}, ${byOther ? 'other' : 'not other'}`;
	}
	return outcome;
}

/** What `filtered` says when every filter works. */
export const allWork = (fields: readonly string[]): Record<string, string> =>
	Object.fromEntries(fields.map((field) => [field, 'own, not other']));
