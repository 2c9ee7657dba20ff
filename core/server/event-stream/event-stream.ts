import type { Context, Hono } from 'hono';
import * as z from 'zod';
import { systemClock } from '../../base/clock';
import { eventNamesIn, type AnyEventName } from '../../events/event-names';
import type { EventFilter } from '../../events/event-types';
import type { Authentication } from '../authentication/authentication';
import { requiredRoles, requireRole } from '../authentication/roles';
import { negotiate } from '../input/negotiation';
import { readPairs } from '../input/query-string';
import { addressOf } from '../input/request-address';
import type { ServerEnvironment } from '../server-environment';
import { serverErrors } from '../server-errors';
import type { ServerOptions } from '../server-options';
import type { ConnectorVersion } from '../connector-version';
import { parseRouteInput } from '../input/violation';
import { streamBody, streamTimes } from './stream-body';

/** Path beside the prefixes, because the official interface has no such route. */
export const eventStreamPath = '/Events';
/** Roles that the stream requires, like a group of routes. */
export const eventStreamGroup = { name: 'Events', roles: ['admin', 'core:*', 'core:events'] };

/** Limit that leaves enough connections for other clients. */
const maxStreams = 100;
const mediaType = 'text/event-stream';

const position = z.string().regex(/^\d{1,15}$/, 'must be the number of an event');

const eventIn = (version: ConnectorVersion) => {
	const name = z.enum(eventNamesIn(version));
	return z.union([name, z.array(name).min(1)]).optional();
};

/** Query of the stream, with the names of the events of a version. */
export const eventStreamQueryIn = (version: ConnectorVersion) =>
	z.strictObject({
		after: position.optional(),
		event: eventIn(version),
		version: z.enum(['6', '7']).optional(),
	});

const queries = { 6: eventStreamQueryIn(6), 7: eventStreamQueryIn(7) } as const;

/**
 * Registers the event stream: the outbox as server-sent events, from now on or after an event that
 * the client names, in the shapes of the version that it names. An extension of this gateway. Must be registered before middleware that needs
 * whole answers, such as compression.
 *
 * @param closing aborts as soon as the server begins to close
 * @see docs/protocol/http-api.md 10.5
 */
export function addEventStream(
	app: Hono<ServerEnvironment>,
	options: Pick<ServerOptions, 'facade' | 'streamTimes' | 'connectorVersion'>,
	{
		authentication,
		closing,
	}: { readonly authentication: Authentication; readonly closing: AbortSignal },
): void {
	const open = new Set<AbortController>();
	const required = requiredRoles(eventStreamGroup);
	app.get(eventStreamPath, async (context) => {
		const held = await authentication.rolesOf(context.env.incoming);
		requireRole(held, required);
		context.header('vary', 'Accept');
		if (negotiate(context.req.header('accept'), [mediaType]) === undefined) {
			throw serverErrors.create('notAcceptable', {
				message: `None of the accepted types can be answered: expected ${mediaType}.`,
				remedy: `Accept ${mediaType}.`,
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
			const { expiresAtMs } = held;
			return await answer(context, { ...input, stop, onEnd, expiresAtMs });
		} catch (error) {
			onEnd();
			throw error;
		}
	});
	app.all(eventStreamPath, () => {
		const message = 'The method is not allowed on this path.';
		throw serverErrors.create('methodNotAllowed', { message, facts: { allow: ['GET'] } });
	});

	async function answer(
		context: Context<ServerEnvironment>,
		{ after, names, version, stop, onEnd, expiresAtMs = Number.POSITIVE_INFINITY }: Streaming,
	): Promise<Response> {
		const filter: EventFilter = { version, ...(names === undefined ? {} : { names }) };
		const pages = options.facade.events.follow({ filter, after, signal: stop.signal });
		const { value: first } = await pages.next();
		const times = { ...streamTimes, ...options.streamTimes };
		const body = streamBody({
			...times,
			longestMs: Math.min(times.longestMs, expiresAtMs - systemClock.now()),
			pages,
			first,
			after,
			closing,
			onEnd,
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
	}
}

interface Streaming extends StreamInput {
	readonly stop: AbortController;
	onEnd(): void;
	/** end of the key with which the client has asked; undefined for none */
	readonly expiresAtMs: number | undefined;
}

interface StreamInput {
	readonly after: number | undefined;
	readonly names: readonly AnyEventName[] | undefined;
	readonly version: ConnectorVersion;
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
): StreamInput {
	const pairs = readPairs(addressOf(context.req.url).query, 'query');
	const { version: given } = pairs;
	const version = given === '6' ? 6 : given === '7' ? 7 : usualVersion;
	const query = parseRouteInput(queries[version], pairs);
	const header = context.req.header('last-event-id');
	const lastEventId =
		header === undefined || header === ''
			? undefined
			: parseRouteInput(z.object({ 'Last-Event-ID': position }), { 'Last-Event-ID': header })[
					'Last-Event-ID'
				];
	const after = lastEventId ?? query.after;
	return {
		after: after === undefined ? undefined : Number(after),
		names: query.event === undefined ? undefined : [query.event].flat(),
		version,
	};
}
