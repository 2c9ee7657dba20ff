import { randomInt } from 'node:crypto';

/**
 * The clock of a database: times with six digits after the second, which grow from row to row. They
 * have one length, so that texts compare like times (docs/protocol/backbone-api.md 2.5).
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

/** A time as events carry it, with seven digits after the second. */
export function longTime(time: string): string {
	const [seconds = '', digits = ''] = time.replace('Z', '').split('.');
	return `${seconds}.${digits.padEnd(7, '0')}Z`;
}

const shown = /"(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)\.(\d{3,6})Z"/g;

/**
 * Times of an answer: what was read from the database has lost its trailing zeros, what was just made
 * still has the seventh digit that the database does not keep.
 */
export function withServerTimes(json: string, isNew: boolean): string {
	return json.replace(shown, (_all, seconds: string, digits: string) => {
		if (isNew && digits.length === 6) return `"${seconds}.${digits}${Number(digits) % 10}Z"`;
		const kept = digits.replace(/0+$/, '');
		return kept === '' ? `"${seconds}Z"` : `"${seconds}.${kept}Z"`;
	});
}
