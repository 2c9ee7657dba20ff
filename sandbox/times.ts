import { randomInt } from 'node:crypto';

/**
 * Clock that works like the clock of the server's database: six digits after the second, strictly
 * increasing. All times have the same length, so that they sort as text
 * (docs/protocol/backbone-api.md 2.5).
 */
export class StoredTimes {
	private lastMs = 0;

	private micros = 0;

	next(nowMs: number): string {
		const isSame = nowMs === this.lastMs;
		this.micros = isSame ? Math.min(999, this.micros + 1) : randomInt(400);
		this.lastMs = nowMs;
		const digits = String(this.micros).padStart(3, '0');
		return new Date(nowMs).toISOString().replace('Z', `${digits}Z`);
	}
}

/** Time in the form of events, with seven digits after the second. */
export function longTime(time: string): string {
	const [seconds = '', digits = ''] = time.replace('Z', '').split('.');
	return `${seconds}.${digits.padEnd(7, '0')}Z`;
}

const shown = /"(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)\.(\d{3,6})Z"/g;

/** How a server writes times: with all digits or, in version 7, only three. */
export interface ShownTimes {
	readonly isNew: boolean;
	readonly majorVersion: 6 | 7;
}

/**
 * Rewrites times of an answer. Version 7.1.10 shows three digits after the second. In 6.58.1, times
 * from the database lose trailing zeros; a time that was just created keeps the seventh digit,
 * which the database does not store.
 */
export function withServerTimes(json: string, { isNew, majorVersion }: ShownTimes): string {
	return json.replace(shown, (_all, seconds: string, digits: string) => {
		if (majorVersion === 7) return `"${seconds}.${digits.slice(0, 3)}Z"`;
		if (isNew && digits.length === 6) return `"${seconds}.${digits}${Number(digits) % 10}Z"`;
		const kept = digits.replace(/0+$/, '');
		return kept === '' ? `"${seconds}Z"` : `"${seconds}.${kept}Z"`;
	});
}
