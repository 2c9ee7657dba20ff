import type { Context, Hono } from 'hono';
import * as z from 'zod';
import type { EventName } from '../../events/catalogue';
import { eventNames } from '../../events/event-names';
import type { EventFilter } from '../../events/event-types';
import { requireRole, type Authentication } from '../authentication/authentication';
import { negotiate } from '../input/negotiation';
import { readPairs } from '../input/query-string';
import { addressOf } from '../input/request-address';
import type { ServerEnvironment } from '../server-environment';
import { serverErrors } from '../server-errors';
import type { ServerOptions } from '../server-options';
import { parseRouteInput } from '../input/violation';
import { streamBody, streamTimes } from './stream-body';

/** Path beside the prefixes, because the official interface has no such route. */
export const eventStreamPath = '/Events';
export const eventStreamRoles = ['admin', 'core:*', 'core:events'];

/** Limit that leaves enough connections for other clients. */
const maxStreams = 100;
const mediaType = 'text/event-stream';

const position = z.string().regex(/^\d{1,15}$/, 'must be the number of an event');

export const eventStreamQuery = z.strictObject({
	after: position.optional(),
	event: z.union([z.enum(eventNames), z.array(z.enum(eventNames)).min(1)]).optional(),
});

/**
 * Registers the event stream: the outbox as server-sent events, from now on or after an event that
 * the client names. An extension of this gateway. Must be registered before middleware that needs
 * whole answers, such as compression.
 *
 * @param closing aborts as soon as the server begins to close
 * @see docs/protocol/http-api.md 10.5
 */
export function addEventStream(
	app: Hono<ServerEnvironment>,
	options: Pick<ServerOptions, 'facade' | 'streamTimes'>,
	{
		authentication,
		closing,
	}: { readonly authentication: Authentication; readonly closing: AbortSignal },
): void {
	const open = new Set<AbortController>();
	app.get(eventStreamPath, async (context) => {
		requireRole(await authentication.rolesOf(context.env.incoming), eventStreamRoles);
		context.header('vary', 'Accept');
		if (negotiate(context.req.header('accept'), [mediaType]) === undefined) {
			throw serverErrors.create('notAcceptable', {
				message: `None of the accepted types can be answered: expected ${mediaType}.`,
				remedy: `Accept ${mediaType}.`,
			});
		}
		const { after, names } = readInput(context);
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
			return await answer(context, { after, names, stop, onEnd });
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
		{ after, names, stop, onEnd }: StreamInput & { stop: AbortController; onEnd(): void },
	): Promise<Response> {
		const filter: EventFilter = names === undefined ? {} : { names };
		const pages = options.facade.events.follow({ filter, after, signal: stop.signal });
		const { value: first } = await pages.next();
		const body = streamBody({
			...streamTimes,
			...options.streamTimes,
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

interface StreamInput {
	readonly after: number | undefined;
	readonly names: readonly EventName[] | undefined;
}

/**
 * Reads the start position. A client that reconnects by itself repeats the original address and
 * sends its last position in a header, which takes precedence.
 *
 * @throws `error.runtime.validation.invalidPropertyValue`
 */
function readInput(context: Context<ServerEnvironment>): StreamInput {
	const pairs = readPairs(addressOf(context.req.url).query, 'query');
	const query = parseRouteInput(eventStreamQuery, pairs);
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
	};
}
