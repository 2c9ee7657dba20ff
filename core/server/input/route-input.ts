import type { Context } from 'hono';
import * as z from 'zod';
import { normaliseQuery, readPairs } from './query-string';
import { addressOf } from './request-address';
import { isMultipart, readMultipart } from './request-body';
import type { AnyCall, Route } from '../routes/route';
import type { ServerEnvironment } from '../server-environment';
import { parseRouteInput } from './violation';

export type RouteInput = Pick<AnyCall, 'parameters' | 'body' | 'query' | 'filters'>;

/**
 * Builds the function that validates the input of a route: path, then body, then query. Its schemas
 * are built by its first call and kept.
 *
 * @throws `error.runtime.validation.invalidPropertyValue`, `error.gateway.http.malformedRequest`,
 * and
 * for forms the codes of {@link readMultipart}
 */
export function routeInputReader(
	route: Route,
): (context: Context<ServerEnvironment>) => Promise<RouteInput> {
	const { inputMessage } = route;
	let parametersSchema: z.ZodType<Record<string, string>> | undefined;
	return async (context) => {
		parametersSchema ??= z.object(route.parameters);
		const parameters = parseRouteInput(parametersSchema, context.req.param());
		const body =
			route.body === undefined
				? {}
				: parseRouteInput(route.body, await givenBody(context, route), { inputMessage });
		return { parameters, body, ...readQuery(context.req.url, route) };
	};
}

/**
 * Reads the query. Members that the route does not declare become filters if it has any, and are
 * ignored otherwise.
 */
function readQuery(url: string, route: Route): Pick<RouteInput, 'query' | 'filters'> {
	const pairs = normaliseQuery(readPairs(addressOf(url).query, 'query'));
	const query = route.query === undefined ? {} : parseRouteInput(route.query, pairs);
	if (route.filters === undefined) return { query, filters: {} };
	const named = new Set(Object.keys(route.query?.shape ?? {}));
	const rest = Object.fromEntries(Object.entries(pairs).filter(([name]) => !named.has(name)));
	return { query, filters: parseRouteInput(route.filters, rest, { path: ['query'] }) };
}

async function givenBody(context: Context<ServerEnvironment>, route: Route): Promise<unknown> {
	if (route.multipart !== true) return context.get('body');
	const request = context.env.incoming;
	return isMultipart(request) ? partsOf(await readMultipart(request)) : {};
}

/**
 * Parts of a multipart form: the file becomes the content, tags may be repeated, other text parts
 * are ignored (docs/protocol/http-api.md 8.6).
 */
function partsOf(form: FormData): Record<string, unknown> {
	const tags = [...form.getAll('tags'), ...form.getAll('tags[]')];
	const files = [...form.values()].filter((part) => part instanceof File);
	// Exactly one file, named `file`, counts; several files or other names are ambiguous.
	const content = files.length === 1 ? (form.get('file') ?? undefined) : undefined;
	const texts = ['title', 'description', 'expiresAt'].flatMap((name) =>
		form.has(name) ? [[name, form.get(name)]] : [],
	);
	return {
		...(content === undefined ? {} : { content }),
		...(tags.length === 0 ? {} : { tags }),
		...Object.fromEntries(texts),
	};
}
