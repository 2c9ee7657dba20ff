import type { IncomingMessage } from 'node:http';
import { Hono, type MiddlewareHandler } from 'hono';
import { compress } from 'hono/compress';
import { cors } from 'hono/cors';
import { etag } from 'hono/etag';
import { secureHeaders } from 'hono/secure-headers';
import { addAccountFiles, isAccountFile } from './accounts/account-files';
import { addApiRoutes } from './api-routes';
import { recordCalls } from './audit/record-calls';
import { openAuthentication, type Authentication } from './authentication/authentication';
import type { FailedAttempts } from './authentication/failed-attempts';
import type { ConnectionLimits } from './connection-limits';
import { canonicalPaths } from './input/canonical-path';
import { addressOf } from './input/request-address';
import type { CorsConfig } from './config/http-server-config';
import { addDocumentation } from './openapi/documentation';
import { addEventStream, eventStreamPath } from './event-stream/event-stream';
import { errorAnswer, errorResponse, isFailureOfServer } from './error-response';
import { addHealth, HealthCheck, healthPaths } from './openapi/health';
import { addMetrics, metricsPath } from './metrics/add-metrics';
import { addMonitoring, monitoringNames, RequestCount } from './openapi/monitoring';
import { isMultipart, readBody } from './input/request-body';
import { observeRequests } from './request-log';
import type { ServerEnvironment } from './server-environment';
import { invalidPart, serverErrors } from './server-errors';
import type { ServerOptions } from './server-options';
import { membersOf } from '../model/json';
import { surfacesOf } from './surfaces';
import { hintAtVersion7 } from './version-hint';

const withBody = new Set(['POST', 'PUT', 'PATCH']);

/**
 * Bytes from which an answer is compressed. Compressing a mail or a template takes longer than
 * sending it, and more processor time than everything else that HTTP adds to its call.
 */
const minCompressedBytes = 8 * 1024;

/** bytes of an unwanted body that are read and discarded */
const maxDiscardedBytes = 256 * 1024;

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

/** What an application needs of the server that it runs in. */
export interface AppDependencies {
	/** aborts requests in progress when the time to finish them has passed */
	readonly stop: AbortSignal;
	/** aborts as soon as the server begins to close */
	readonly closing: AbortSignal;
	readonly connections: ConnectionLimits;
	readonly attempts: FailedAttempts;
}

/**
 * Builds the application, with its middleware in the order of docs/protocol/http-api.md 2.1.
 *
 * @param prefix what stands in a path before the path of a route
 */
export function createApp(
	options: ServerOptions,
	{ stop, closing, connections, attempts }: AppDependencies,
	prefix?: RegExp,
): Hono<ServerEnvironment> {
	const { facade, logger, hasApi = true } = options;
	const canonical = canonicalPaths(allPaths(options));
	const app = new Hono<ServerEnvironment>({
		getPath: (request) => {
			const { path } = addressOf(request.url);
			return canonical(prefix === undefined ? path : path.replace(prefix, ''));
		},
	});
	const count = new RequestCount();
	const health = new HealthCheck(facade.account);

	app.onError((error, context) => {
		const failure = errorAnswer(error, context.get('record'));
		const { status, envelope } = failure;
		context.set('errorCode', envelope.error.code);
		if (status >= 500) {
			const { id, code } = envelope.error;
			const facts = { id, code, correlationId: context.get('correlationId') };
			if (isFailureOfServer(error, status)) {
				logger.error('a request failed', { ...facts, reason: error.stack ?? String(error) });
			} else logger.info('a request was refused', { ...facts, reason: error.message });
		}
		const answer = errorResponse(failure);
		if (status === 401 && mayCloseAfter(context.env.incoming)) {
			answer.headers.set('connection', 'close');
		}
		return answer;
	});

	app.use(async (context, next) => {
		await next();
		const { incoming } = context.env;
		// The connection ends soon in any case: told so, the client sends no further request on it.
		if (!connections.isAuthenticated(incoming.socket) && mayCloseAfter(incoming)) {
			context.res.headers.set('connection', 'close');
		}
	});
	app.use(observeRequests({ logger, count, metrics: options.metrics }));
	app.use(async (context, next) => {
		// A client that wants no cached answer does not get 304 either.
		const { headers } = context.req.raw;
		if (/\bno-cache\b/i.test(headers.get('cache-control') ?? '')) headers.delete('if-none-match');
		await next();
	});
	app.use(secureHeaders({ contentSecurityPolicy }));
	if (options.cors.origin !== false) {
		app.use(preflightStatus(options.cors.optionsSuccessStatus ?? 204), crossOrigin(options.cors));
	}
	app.use(async (context, next) => {
		requireReadablePath(context.req.url);
		await next();
	});
	if (options.audit !== undefined) app.use(recordCalls(options, { attempts, closing }));
	const authentication = countingConnections(openAuthentication(options, attempts), connections);
	if (hasApi) addEventStream(app, options, { authentication, closing });
	// Registered before compression, which would compress these already packed pages again for other
	// encodings.
	const tagged = etag({ weak: true });
	app.use('/docs/*', tagged);
	app.use('/rapidoc/*', tagged);
	addDocumentation(app, options);
	app.use(compress({ threshold: minCompressedBytes }), unlessStreamed(tagged));

	addHealth(app, health, closing);

	app.use(async (context, next) => {
		const { incoming, outgoing } = context.env;
		const person = context.env.roles;
		const client = () => authentication.rolesOf(incoming, () => discardBody(incoming));
		context.set('roles', person ?? (await client()));
		// Bodies are read after authentication, so that nothing of an anonymous client is held,
		// unpacked or parsed.
		if (awaitsContinue(incoming)) outgoing.writeContinue();
		const isRead =
			withBody.has(context.req.method) &&
			!isMultipart(incoming) &&
			!isAccountFile(context.req.path, incoming);
		context.set('body', isRead ? await readBody(incoming) : {});
		await next();
	});
	addMonitoring(app, options, { health, count });
	addMetrics(app, options);
	if (hasApi && options.connectorVersion !== 7) app.use(hintAtVersion7(logger));
	if (hasApi) addApiRoutes(app, options, stop);
	if (options.accounts !== undefined) addAccountFiles(app, options.accounts);
	app.all('*', () => {
		throw serverErrors.create('routeDoesNotExist', { message: 'There is no such route.' });
	});
	return app;
}

/**
 * Lets connections stay whose client has authenticated itself.
 *
 * @throws `error.gateway.http.tooManyConnections`
 */
function countingConnections(
	authentication: Authentication,
	connections: ConnectionLimits,
): Authentication {
	return {
		...authentication,
		rolesOf: async (incoming, onRefusal) => {
			const roles = await authentication.rolesOf(incoming, onRefusal);
			connections.authenticate(incoming.socket);
			return roles;
		},
	};
}

/**
 * Tells whether the connection of an unauthenticated client may be closed. While its body is still
 * arriving, closing would reset the connection and lose the answer; the listener discards the rest
 * of the body for half a second instead.
 */
function mayCloseAfter(incoming: IncomingMessage): boolean {
	return incoming.complete || !withBody.has(incoming.method ?? '') || awaitsContinue(incoming);
}

/** Tells whether the client sends its body only when it is told to. */
function awaitsContinue({ headers }: IncomingMessage): boolean {
	return headers.expect?.toLowerCase() === '100-continue';
}

/**
 * Discards the small body of a refused client, so that it is not held while its answer is delayed.
 * A large body is not read and mostly stays at the client.
 */
function discardBody(incoming: IncomingMessage): void {
	const length = Number(incoming.headers['content-length'] ?? Number.NaN);
	if (length <= maxDiscardedBytes) incoming.resume();
}

function allPaths(options: ServerOptions): string[] {
	const surfaces = surfacesOf(options);
	const monitoring = monitoringNames.map((name) => `/Monitoring/${name}`);
	const groups = surfaces.flatMap((surface) => surface.groups);
	const api = groups.flatMap(({ routes }) => routes.map(({ path }) => path));
	const docs = ['rapidoc', 'swagger', 'json', 'yaml'].map((name) => `/docs/${name}`);
	return [
		...healthPaths,
		metricsPath,
		eventStreamPath,
		'/favicon.ico',
		'/rapidoc/rapidoc-min.js',
		...docs,
		...monitoring,
		...surfaces.flatMap(({ prefixes }) => prefixes),
		...api,
	];
}

/** @throws `error.gateway.http.malformedRequest` */
function requireReadablePath(url: string): void {
	try {
		decodeURIComponent(addressOf(url).path);
	} catch (cause) {
		const message = 'The path of the request contains an invalid percent encoding.';
		throw invalidPart('malformedRequest', 'path', message, cause);
	}
}

/** Leaves answers alone that are sent while they are read: an entity tag would need all of them. */
function unlessStreamed(tagged: MiddlewareHandler): MiddlewareHandler<ServerEnvironment> {
	return async (context, next) => {
		await next();
		if (context.get('isStreamed') !== true) await tagged(context, async () => {});
	};
}

/**
 * Sets the status of preflight answers, because some old browsers take the default 204 for a
 * failure.
 */
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
	return cors(
		membersOf<NonNullable<Parameters<typeof cors>[0]>>({
			// `true` reflects any origin, as in the middleware that defined these options.
			origin: typeof origin === 'boolean' ? (asking) => asking : origin,
			allowMethods: list(config.methods) ?? ['GET', 'HEAD', 'PUT', 'PATCH', 'POST', 'DELETE'],
			allowHeaders: list(config.allowedHeaders),
			exposeHeaders: list(config.exposedHeaders),
			credentials,
			maxAge,
		}),
	);
}
