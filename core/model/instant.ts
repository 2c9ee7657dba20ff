import { DateTime } from 'luxon';
import * as z from 'zod';

/**
 * Instants are text in one canonical form, `YYYY-MM-DDTHH:mm:ss.SSSZ` in UTC; input may be any ISO
 * 8601 form, a missing offset means UTC, digits beyond milliseconds are cut. A date inside a signed
 * text is never rewritten.
 *
 * Source: docs/protocol/crypto-and-identity.md 16
 */
export type Instant = string & z.$brand<'Instant'>;

const maxInputLength = 64;

/** Reads any ISO 8601 form and answers the canonical one. */
export const instantSchema = z.string().transform((text, context): Instant => {
	const instant = parseInstant(text);
	if (instant !== undefined) return instant;
	context.addIssue({ code: 'custom', message: 'expected a date and time in ISO 8601 form' });
	return z.NEVER;
});

/**
 * `undefined` for what is not an ISO 8601 date, or not a possible one.
 *
 * @param zone IANA name, for text without an offset
 */
export function parseInstant(text: string, zone = 'utc'): Instant | undefined {
	if (isCanonical(text)) return text as Instant;
	// A blank between date and time is refused although luxon may take it.
	if (text.length > maxInputLength || /\s/.test(text)) return undefined;
	const date = DateTime.fromISO(text, { zone });
	return date.isValid ? instantOf(date.toMillis()) : undefined;
}

/** What our own records and almost all wallets write; needs no parser of every ISO form. */
function isCanonical(text: string): boolean {
	if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(text)) return false;
	const epochMs = Date.parse(text);
	// A day that the month does not have would be moved to the next one.
	return !Number.isNaN(epochMs) && new Date(epochMs).toISOString() === text;
}

/** @param epochMs milliseconds since the epoch */
export function instantOf(epochMs: number): Instant {
	return new Date(epochMs).toISOString() as Instant;
}

/** @throws TypeError for text that is not a date: callers hold text that was read by the schema */
export function epochMsOf(instant: string): number {
	const parsed = parseInstant(instant);
	if (parsed === undefined) throw new TypeError('Expected an instant in ISO 8601 form');
	return Date.parse(parsed);
}

/** Negative when `a` is earlier, at millisecond precision. */
export function compareInstants(a: string, b: string): number {
	return epochMsOf(a) - epochMsOf(b);
}

/** Challenges and inputs 'in the future': expired from that very millisecond on. */
export function isExpired(expiresAt: string, nowMs: number): boolean {
	return epochMsOf(expiresAt) <= nowMs;
}

/** Templates live through the millisecond of their expiry; without one they live for ever. */
export function isTemplateExpired(expiresAt: string | undefined, nowMs: number): boolean {
	return expiresAt !== undefined && nowMs > epochMsOf(expiresAt);
}
