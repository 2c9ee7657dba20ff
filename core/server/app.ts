import type { IncomingMessage } from 'node:http';
import { Hono, type MiddlewareHandler } from 'hono';
import { compress } from 'hono/compress';
import { cors } from 'hono/cors';
import { etag } from 'hono/etag';
import { secureHeaders } from 'hono/secure-headers';
import { addApiRoutes } from './api-routes';
import { openAuthentication } from './authentication';
import { canonicalPaths } from './canonical-path';
import type { CorsConfig } from './config/http-server-config';
import { addDocumentation } from './documentation';
import { addEventStream, eventStreamPath } from './event-stream/event-stream';
import { errorAnswer } from './error-response';
import { HealthCheck } from './health';
import { addMonitoring, RequestCount } from './monitoring';
import { isMultipart, readBody } from './request-body';
import { observeRequests } from './request-log';
import { jsonAnswer } from './route-answer';
import { prefixes, routeGroups } from './routes';
import type { ServerEnvironment } from './server-environment';
import { serverErrors } from './server-errors';
import type { ServerOptions } from './server-options';

const withBody = new Set(['POST', 'PUT', 'PATCH']);

/** bytes of a body that are read for nothing */
const maxThrownAway = 256 * 1024;

const contentSecurityPolicy = {
	defaultSrc: ["'self'"],
	baseUri: ["'self'"],
	fontSrc: ["'self'", 'https:', 'data:'],
	formAction: ["'self'"],
	frameAncestors: ["'self'"],
	imgSrc: ["'self'", 'data:'],
	objectSrc: ["'none'"],
	scriptSrc: ["'self'"],
	scriptSrcAttr: ["'none'"],
	styleSrc: ["'self'", "'unsafe-inline'"],
};

/**
 * Everything that answers requests, in the order of docs/protocol/http-api.md 2.1.
 *
 * @param stop aborts what is under way when the server has waited long enough for its end
 * @param closing aborts as soon as the server begins to close
 */
export function createApp(
	options: ServerOptions,
	stop: AbortSignal,
	closing = stop,
): Hono<ServerEnvironment> {
	const { debug, facade, logger, hasApi = true } = options;
	const canonical = canonicalPaths(allPaths(debug));
	const app = new Hono<ServerEnvironment>({
		getPath: (request) => canonical(new URL(request.url).pathname),
	});
	const count = new RequestCount();
	const health = new HealthCheck(facade.account);

	app.onError((error, context) => {
		const { status, envelope, headers } = errorAnswer(error, context.get('record'));
		if (status >= 500) {
			logger.error('a request failed', {
				id: envelope.error.id,
				code: envelope.error.code,
				correlationId: context.get('correlationId'),
				reason: error.stack ?? String(error),
			});
		}
		const answer = jsonAnswer(envelope, status);
		for (const [name, value] of Object.entries(headers)) answer.headers.set(name, value);
		if (status === 401 && mayCloseAfter(context.env.incoming)) {
			answer.headers.set('connection', 'close');
		}
		return answer;
	});

	app.use(observeRequests(logger, count));
	app.use(secureHeaders({ contentSecurityPolicy }));
	if (options.cors.origin !== false) {
		app.use(preflightStatus(options.cors.optionsSuccessStatus ?? 204), crossOrigin(options.cors));
	}
	app.use(async (context, next) => {
		requireReadablePath(context.req.url);
		await next();
	});
	const authentication = openAuthentication(options);
	if (hasApi) addEventStream(app, options, { authentication, closing });
	// Outside of what packs: a client that takes another encoding would have it packed for itself.
	const tagged = etag({ weak: true });
	app.use('/docs/*', tagged);
	app.use('/rapidoc/*', tagged);
	addDocumentation(app, options);
	app.use(compress(), tagged);

	app.get('/health', async () => {
		const state = await health.look();
		return jsonAnswer(state, state.isHealthy ? 200 : 500);
	});

	app.use(async (context, next) => {
		const request = context.req.raw;
		const letGo = (): void => throwAway(context.env.incoming);
		context.set('roles', await authentication.rolesOf(request.headers, letGo));
		// Read after the authentication: a client without a key gets nothing held, unpacked or parsed.
		const isRead = withBody.has(request.method) && !isMultipart(request);
		context.set('body', isRead ? await readBody(request) : {});
		await next();
	});
	addMonitoring(app, options, { health, count });
	if (hasApi) addApiRoutes(app, { facade, debug }, stop);
	app.all('*', () => {
		throw serverErrors.create('routeDoesNotExist', { message: 'There is no such route.' });
	});
	return app;
}

/**
 * A connection that brought no key is of no further use. While a body is on its way, closing would
 * reset it and take the answer along: what comes is thrown away for half a second then, by the listener.
 */
function mayCloseAfter({ method = '', complete }: IncomingMessage): boolean {
	return complete || !withBody.has(method);
}

/**
 * What a refused client has sent is not held while it waits for its answer. A large body stays where it is,
 * which is mostly at the client.
 */
function throwAway(incoming: IncomingMessage): void {
	const length = Number(incoming.headers['content-length'] ?? Number.NaN);
	if (length <= maxThrownAway) incoming.resume();
}

function allPaths(debug: boolean): string[] {
	const monitoring = ['Version', 'Requests', 'Support'].map((name) => `/Monitoring/${name}`);
	const api = routeGroups(debug).flatMap(({ routes }) => routes.map(({ path }) => path));
	const docs = ['rapidoc', 'swagger', 'json', 'yaml'].map((name) => `/docs/${name}`);
	return [
		'/health',
		eventStreamPath,
		'/favicon.ico',
		'/rapidoc/rapidoc-min.js',
		...docs,
		...monitoring,
		...prefixes,
		...api,
	];
}

/** @throws `error.gateway.http.malformedRequest` */
function requireReadablePath(url: string): void {
	try {
		decodeURIComponent(new URL(url).pathname);
	} catch (cause) {
		throw serverErrors.create('malformedRequest', {
			message: 'The path of the request holds text with a wrong percent encoding.',
			facts: { field: 'path' },
			cause,
		});
	}
}

/** Preflight requests are answered with 204, which some old browsers take for a failure. */
function preflightStatus(status: number): MiddlewareHandler {
	return async (context, next) => {
		await next();
		if (status === 204 || context.req.method !== 'OPTIONS') return;
		context.res = new Response(null, { status, headers: context.res.headers });
	};
}

function crossOrigin(config: CorsConfig): ReturnType<typeof cors> {
	const list = (value: string | string[] | undefined): string[] | undefined =>
		typeof value === 'string' ? value.split(',').map((entry) => entry.trim()) : value;
	const { origin, credentials, maxAge } = config;
	const allowHeaders = list(config.allowedHeaders);
	const exposeHeaders = list(config.exposedHeaders);
	return cors({
		// True means whoever asks, as in the middleware whose options these are.
		origin: typeof origin === 'boolean' ? (asking) => asking : origin,
		allowMethods: list(config.methods) ?? ['GET', 'HEAD', 'PUT', 'PATCH', 'POST', 'DELETE'],
		...(allowHeaders === undefined ? {} : { allowHeaders }),
		...(exposeHeaders === undefined ? {} : { exposeHeaders }),
		...(credentials === undefined ? {} : { credentials }),
		...(maxAge === undefined ? {} : { maxAge }),
	});
}
