import type { Context, Hono } from 'hono';
import * as z from 'zod';
import { systemClock } from '../../base/clock';
import { patternWarnings } from '../../events/event-pattern';
import type { Authentication } from '../authentication/authentication';
import { requiredRoles, requireRole } from '../authentication/roles';
import {
	eventPosition,
	eventQuery,
	eventSelectionOf,
	type EventSelection,
} from '../input/event-query';
import { negotiate } from '../input/negotiation';
import { readPairs } from '../input/query-string';
import { addressOf } from '../input/request-address';
import { eventGroup } from '../routes/extensions/events';
import type { ServerEnvironment } from '../server-environment';
import { serverErrors } from '../server-errors';
import type { ServerOptions } from '../server-options';
import type { ConnectorVersion } from '../connector-version';
import { surfacesOf } from '../surfaces';
import { parseRouteInput } from '../input/violation';
import { streamBody, streamTimes } from './stream-body';

/** Path beside the prefixes, because the official interface has no such route. */
export const eventStreamPath = '/Events';

/** Limit that leaves enough connections for other clients. */
const maxStreams = 100;
const mediaType = 'text/event-stream';

const json = 'application/json';

/**
 * Registers the event stream: the outbox as server-sent events, from now on or after an event that
 * the client names, in the shapes of the version that it names. Clients that prefer JSON get a page from the table of
 * routes. An extension of this gateway. Must be registered before middleware that needs whole
 * answers, such as compression.
 *
 * @param closing aborts as soon as the server begins to close
 * @see docs/protocol/http-api.md 10.5
 */
export function addEventStream(
	app: Hono<ServerEnvironment>,
	options: ServerOptions,
	{
		authentication,
		closing,
	}: { readonly authentication: Authentication; readonly closing: AbortSignal },
): void {
	const open = new Set<AbortController>();
	const required = requiredRoles(eventGroup);
	const prefixes = surfacesOf(options).flatMap((surface) => surface.prefixes);
	const paths = ['', ...prefixes].map((prefix) => prefix + eventStreamPath);
	app.on('GET', paths, async (context, next) => {
		// Below the prefixes, clients without a preference get JSON, as from every other route.
		const offers = context.req.path === eventStreamPath ? [mediaType, json] : [json, mediaType];
		const type = negotiate(context.req.header('accept'), offers);
		if (type === json) return await next();
		const held = await authentication.rolesOf(context.env.incoming);
		requireRole(held, required);
		context.header('vary', 'Accept');
		if (type === undefined) {
			throw serverErrors.create('notAcceptable', {
				message: `None of the accepted types can be answered: expected ${mediaType} or ${json}.`,
				remedy: `Accept ${mediaType} or ${json}.`,
			});
		}
		const input = readInput(context, options.connectorVersion);
		if (open.size >= maxStreams) {
			throw serverErrors.create('tooManyStreams', {
				message: `More than ${maxStreams} clients follow the events.`,
			});
		}
		const stop = new AbortController();
		open.add(stop);
		const onEnd = (): void => {
			open.delete(stop);
			stop.abort();
		};
		try {
			const { after, filter, patterns } = input;
			const pages = options.facade.events.follow({ filter, after, signal: stop.signal });
			const { value: first } = await pages.next();
			const times = { ...streamTimes, ...options.streamTimes };
			const { expiresAtMs = Number.POSITIVE_INFINITY } = held;
			const body = streamBody({
				...times,
				longestMs: Math.min(times.longestMs, expiresAtMs - systemClock.now()),
				...{ pages, first, after, closing, onEnd },
				warnings: patternWarnings(patterns, filter.version),
				cut: () => context.env.outgoing.destroy(),
			});
			return new Response(body, {
				headers: {
					'content-type': mediaType,
					'cache-control': 'no-store',
					// Buffering proxies would hold events back.
					'x-accel-buffering': 'no',
				},
			});
		} catch (error) {
			onEnd();
			throw error;
		}
	});
}

/**
 * Reads the start position. A client that reconnects by itself repeats the original address and
 * sends its last position in a header, which takes precedence.
 *
 * @throws `error.runtime.validation.invalidPropertyValue`
 */
function readInput(
	context: Context<ServerEnvironment>,
	usualVersion: ConnectorVersion = 6,
): EventSelection {
	const pairs = readPairs(addressOf(context.req.url).query, 'query');
	const selection = eventSelectionOf(parseRouteInput(eventQuery, pairs), usualVersion);
	const header = context.req.header('last-event-id');
	if (header === undefined || header === '') return selection;
	const schema = z.object({ 'Last-Event-ID': eventPosition });
	const lastEventId = parseRouteInput(schema, { 'Last-Event-ID': header })['Last-Event-ID'];
	return { ...selection, after: Number(lastEventId) };
}
