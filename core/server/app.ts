import { Hono } from 'hono';
import { compress } from 'hono/compress';
import { cors } from 'hono/cors';
import { etag } from 'hono/etag';
import { secureHeaders } from 'hono/secure-headers';
import { addApiRoutes } from './api-routes';
import { openAuthentication } from './authentication';
import { canonicalPaths } from './canonical-path';
import type { CorsConfig } from './config/server-config';
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
	const { debug, facade, logger } = options;
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
		return answer;
	});

	app.use(observeRequests(logger, count));
	app.use(secureHeaders({ contentSecurityPolicy }));
	if (options.cors.origin !== false) app.use(crossOrigin(options.cors));
	app.use(async (context, next) => {
		requireReadablePath(context.req.url);
		const request = context.req.raw;
		const isRead = withBody.has(request.method) && !isMultipart(request);
		context.set('body', isRead ? await readBody(request) : {});
		await next();
	});
	const authentication = openAuthentication(options);
	addEventStream(app, options, { authentication, closing });
	app.use(compress(), etag({ weak: true }));

	addDocumentation(app, options);
	app.get('/health', async () => {
		const state = await health.look();
		return jsonAnswer(state, state.isHealthy ? 200 : 500);
	});

	app.use(async (context, next) => {
		context.set('roles', await authentication.rolesOf(context.req.raw.headers));
		await next();
	});
	addMonitoring(app, options, { health, count });
	addApiRoutes(app, { facade, debug }, stop);
	app.all('*', () => {
		throw serverErrors.create('routeDoesNotExist', { message: 'There is no such route.' });
	});
	return app;
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
