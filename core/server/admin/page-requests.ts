import { timingSafeEqual } from 'node:crypto';
import { html } from 'hono/html';
import { parse, serialize } from 'hono/utils/cookie';
import { errorAnswer, errorResponse } from '../error-response';
import { invalidPart, serverErrors } from '../server-errors';
import type { Session } from './sessions';

export const sessionCookie = 'enmeshed-admin';

/** Header with the text that a session gives to its page. */
const csrfHeader = 'x-csrf-token';

/**
 * Refuses calls that a page of another site makes, as far as the browser says so. Browsers do not
 * say it on addresses without https; there the other checks have to suffice.
 *
 * @throws `error.gateway.http.foreignPage`
 */
export function requireOwnPage({ headers }: Request): void {
	const site = headers.get('sec-fetch-site') ?? 'same-origin';
	if (site !== 'same-origin' && site !== 'none') throw foreign('It comes from another site.');
}

/** @throws `error.gateway.http.foreignPage` */
export function requireCsrf({ csrf }: Session, { headers }: Request): void {
	const given = Buffer.from(headers.get(csrfHeader) ?? '');
	const expected = Buffer.from(csrf);
	if (given.length === expected.length && timingSafeEqual(given, expected)) return;
	throw foreign(`Its header ${csrfHeader} is not the text of this session.`);
}

/**
 * Refuses the bodies that a form of another site can send.
 *
 * @throws `error.gateway.http.unsupportedBody`
 */
export function requireJson({ headers }: Request): void {
	if (/^application\/json\b/i.test(headers.get('content-type') ?? '')) return;
	const expected = 'Expected a body of the type application/json.';
	throw invalidPart('unsupportedBody', 'content-type', expected);
}

export function cookieOf(request: Request, name = sessionCookie): string | undefined {
	const full = cookieName(request, name);
	return parse(request.headers.get('cookie') ?? '', full)[full];
}

/** Browsers send a cookie to all ports of a host, on which other gateways may be. */
function cookieName({ url }: Request, name: string): string {
	const { port } = new URL(url);
	return port === '' ? name : `${name}-${port}`;
}

/**
 * Adds a cookie to an answer; an empty value removes it. Without a path it belongs to the folder of
 * the address that the browser has called: the page, also behind a proxy that serves it below
 * another path.
 */
export function withCookie(
	answer: Response,
	request: Request,
	name: string,
	value: string,
	sameSite: 'Lax' | 'Strict',
): Response {
	const secure = /^https\b/i.test(request.headers.get('x-forwarded-proto') ?? '');
	const ended = value === '' ? { maxAge: 0 } : {};
	const options = { httpOnly: true, secure, sameSite, ...ended };
	const cookie = serialize(cookieName(request, name), value, options);
	answer.headers.append('set-cookie', cookie);
	return answer;
}

/** Headers for a route of programs, which has to know neither cookies nor origins. */
export function headersForRoute(given: Headers): Headers {
	const headers = new Headers(given);
	for (const name of ['cookie', 'origin', 'x-csrf-token']) headers.delete(name);
	return headers;
}

/** Answer of a route, of which a browser may neither keep nor run anything. */
export function forPage(answer: Response): Response {
	answer.headers.set('cache-control', 'no-store');
	answer.headers.set('content-security-policy', "default-src 'none'; sandbox");
	return answer;
}

export const notSignedIn = (): Error =>
	serverErrors.create('unauthorized', { message: 'You are not signed in.' });

export const refusal = (error: unknown): Response => forPage(errorResponse(errorAnswer(error)));

function foreign(reason: string): Error {
	return serverErrors.create('foreignPage', { message: `The call was refused. ${reason}` });
}

/** Answer to a sign-in by a provider that failed, for people to read. */
export function refusalPage(error: unknown): Response {
	const { status, envelope } = errorAnswer(error);
	const { code, id, message } = envelope.error;
	const shown = html`<!doctype html>
		<html lang="en">
			<meta charset="utf-8" />
			<meta name="viewport" content="width=device-width, initial-scale=1" />
			<meta name="color-scheme" content="light dark" />
			<title>Not signed in</title>
			<h1>You are not signed in</h1>
			<p>${message}</p>
			<p><a href="./">Try it again</a></p>
			<p><small>${code}, ${id}</small></p>
		</html>`;
	const headers = { 'content-type': 'text/html; charset=utf-8' };
	return forPage(new Response(String(shown), { status, headers }));
}
