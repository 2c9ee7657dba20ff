import { DateTime } from 'luxon';
import * as z from 'zod';

const maxInputLength = 64;

/**
 * Parses an instant into its canonical form, `YYYY-MM-DDTHH:mm:ss.SSSZ` in UTC. Input may have any
 * ISO 8601 form: a missing offset means UTC, and digits beyond milliseconds are cut. A date inside
 * signed text is never rewritten.
 *
 * Source: docs/protocol/crypto-and-identity.md 16
 */
export const instantSchema = z.string().transform((text, context): string => {
	const instant = parseInstant(text);
	if (instant !== undefined) return instant;
	context.addIssue({ code: 'custom', message: 'expected a date and time in ISO 8601 form' });
	return z.NEVER;
});

/**
 * Parses ISO 8601 text; `undefined` if it is not a valid date.
 *
 * @param zone IANA name, for text without an offset
 */
export function parseInstant(text: string, zone = 'utc'): string | undefined {
	if (isCanonical(text)) return text;
	// luxon may accept a blank between date and time, which the protocol does not allow.
	if (text.length > maxInputLength || /\s/.test(text)) return undefined;
	// Without a locale luxon determines the locale of the system, for which Node loads 4.5 MB of
	// data.
	const date = DateTime.fromISO(text, { zone, locale: 'en-US' });
	return date.isValid ? instantOf(date.toMillis()) : undefined;
}

/**
 * Fast path for the form that stored records and almost all wallets use; it avoids the full ISO
 * parser.
 */
function isCanonical(text: string): boolean {
	if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(text)) return false;
	const epochMs = Date.parse(text);
	// `Date` would move a day that the month does not have into the next month.
	return !Number.isNaN(epochMs) && new Date(epochMs).toISOString() === text;
}

/** @param epochMs milliseconds since the epoch */
export function instantOf(epochMs: number): string {
	return new Date(epochMs).toISOString();
}

/**
 * @throws TypeError for text that is not a date, because callers hold text that the schema has
 * parsed
 */
export function epochMsOf(instant: string): number {
	const parsed = parseInstant(instant);
	if (parsed === undefined) throw new TypeError('Expected an instant in ISO 8601 form');
	return Date.parse(parsed);
}

/** Compares at millisecond precision; negative if `a` is earlier. */
export function compareInstants(a: string, b: string): number {
	return epochMsOf(a) - epochMsOf(b);
}

/**
 * Expiry of challenges and of inputs that must lie in the future: expired from that millisecond on.
 */
export function isExpired(expiresAt: string, nowMs: number): boolean {
	return epochMsOf(expiresAt) <= nowMs;
}

/**
 * Expiry of templates: valid through the millisecond of expiry, and indefinitely without an expiry.
 */
export function isTemplateExpired(expiresAt: string | undefined, nowMs: number): boolean {
	return expiresAt !== undefined && nowMs > epochMsOf(expiresAt);
}
