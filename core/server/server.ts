import { createServer, type RequestListener, type Server } from 'node:http';
import { getRequestListener } from '@hono/node-server';
import { withAdminPage } from './admin/admin-page';
import { dispatchAccounts } from './accounts/account-dispatch';
import { FailedAttempts } from './authentication/failed-attempts';
import { ConnectionLimits } from './connection-limits';
import { errorAnswer, errorResponse } from './error-response';
import { invalidPart, serverErrors } from './server-errors';
import type { RequestTimeouts, ServedOptions, ServerOptions } from './server-options';

const defaultTimeouts: RequestTimeouts = { headersMs: 10_000, requestMs: 60_000 };
const unauthenticatedMs = 5_000;
const timeoutCheckMs = 5_000;
/**
 * Longer than clients and proxies commonly keep an idle connection (at most 60 s), because a server
 * that closes first may lose a request that is already on its way.
 */
const keepAliveTimeoutMs = 65_000;
/** Limit of authenticated connections, and of all others together. */
const maxConnections = 1_000;

export interface RunningServer {
	/** URL of the server */
	readonly address: string;
	/**
	 * Stops accepting requests, lets requests in progress finish, and aborts them after the limit.
	 */
	close(): Promise<void>;
}

/**
 * Starts the HTTP gateway (docs/protocol/http-api.md 2).
 *
 * @throws `error.gateway.http.cannotListen`
 */
export async function openServer(options: ServedOptions): Promise<RunningServer> {
	const stop = new AbortController();
	const closingSoon = new AbortController();
	const { headersMs, requestMs, ...timeouts } = options.timeouts ?? defaultTimeouts;
	const connections = new ConnectionLimits({
		logger: options.logger,
		maxOfEach: maxConnections,
		unauthenticatedMs: timeouts.unauthenticatedMs ?? unauthenticatedMs,
	});
	const attempts = new FailedAttempts(options.trustedProxies);
	const shared = { stop: stop.signal, closing: closingSoon.signal, connections, attempts };
	const answer = withAdminPage(options, shared, dispatchAccounts(options, shared));
	const listener = getRequestListener(answer, {
		hostname: options.host,
		errorHandler: refuseUnreadable,
		// It would close the connection half a second after an answer to a request whose body is still
		// arriving, while the client sends its next request there.
		autoCleanupIncoming: false,
	});
	const server = createServer({
		headersTimeout: headersMs,
		requestTimeout: requestMs,
		keepAliveTimeout: keepAliveTimeoutMs,
		connectionsCheckingInterval: Math.min(timeoutCheckMs, headersMs),
	});
	let closing: Promise<void> | undefined;
	server.on('connection', (socket) => connections.add(socket));
	const handle: RequestListener = (incoming, outgoing) => {
		connections.hasRequest(incoming.socket);
		// Keep-alive connections wait for a next request, which a closing server will not accept.
		outgoing.once('close', () => closing !== undefined && server.closeIdleConnections());
		// The rest of a refused body is dropped as it arrives; `requestTimeout` limits how long.
		outgoing.once('finish', () => incoming.resume());
		void listener(incoming, outgoing);
	};
	server.on('request', handle);
	// The client is told to continue by the application, after its authentication.
	server.on('checkContinue', handle);
	await listen(server, options);
	const bound = server.address();
	const port = typeof bound === 'object' && bound !== null ? bound.port : options.port;
	const host = options.host.includes(':') ? `[${options.host}]` : options.host;
	return {
		address: `http://${host}:${port}`,
		close: () => {
			// Event streams end now; they would otherwise run until their maximum duration.
			closingSoon.abort();
			return (closing ??= close(server, stop, options.drainMs ?? 10_000));
		},
	};
}

async function listen(
	server: Server,
	{ host, port }: Pick<ServerOptions, 'host' | 'port'>,
): Promise<void> {
	await new Promise<void>((resolve, reject) => {
		server.once('error', (cause: NodeJS.ErrnoException) => {
			const reason = cause.code ?? 'unknown';
			const message = `The HTTP server cannot listen on port ${port} of ${host} (${reason}).`;
			reject(serverErrors.create('cannotListen', { message, facts: { port, reason }, cause }));
		});
		server.listen(port, host, resolve);
	});
}

async function close(server: Server, stop: AbortController, drainMs: number): Promise<void> {
	const closed = new Promise<void>((resolve) => server.close(() => resolve()));
	server.closeIdleConnections();
	const tooLong = setTimeout(() => {
		stop.abort(new DOMException('The server closes.', 'AbortError'));
		server.closeAllConnections();
	}, drainMs);
	await closed;
	clearTimeout(tooLong);
}

/** Answers a request that cannot be parsed, for example because its host is invalid. */
function refuseUnreadable(cause: unknown): Response {
	const error = invalidPart('malformedRequest', 'host', 'The request cannot be read.', cause);
	return errorResponse(errorAnswer(error));
}
