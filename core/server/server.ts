import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import { createApp } from './app';
import { errorAnswer } from './error-response';
import { jsonAnswer } from './route-answer';
import { serverErrors } from './server-errors';
import type { Patience, ServerOptions } from './server-options';

const usualPatience: Patience = { headersMs: 10_000, requestMs: 60_000 };
const mostBetweenLooksMs = 5_000;
/**
 * Longer than clients and proxies keep a connection that nobody uses (60 s at most, by custom): the side
 * that closes it first must not be the one that a request is under way to.
 */
const keepAliveTimeoutMs = 65_000;
const maxConnections = 1_000;

export interface RunningServer {
	/** where it can be reached */
	readonly address: string;
	/** Takes no more requests, lets those under way come to their end, then cuts them off. */
	close(): Promise<void>;
}

/**
 * Opens the HTTP face (docs/protocol/http-api.md 2).
 *
 * @throws `error.gateway.http.cannotListen`
 */
export async function openServer(options: ServerOptions): Promise<RunningServer> {
	const stop = new AbortController();
	const closingSoon = new AbortController();
	const app = createApp(options, stop.signal, closingSoon.signal);
	const listener = getRequestListener(app.fetch, {
		hostname: options.host,
		errorHandler: refuseUnreadable,
	});
	const { headersMs, requestMs } = options.patience ?? usualPatience;
	const server = createServer({
		headersTimeout: headersMs,
		requestTimeout: requestMs,
		keepAliveTimeout: keepAliveTimeoutMs,
		connectionsCheckingInterval: Math.min(mostBetweenLooksMs, headersMs),
	});
	server.maxConnections = maxConnections;
	let closing: Promise<void> | undefined;
	server.on('request', (incoming, outgoing) => {
		// Clients keep connections for their next request: there is none when the server closes.
		outgoing.once('close', () => closing !== undefined && server.closeIdleConnections());
		void listener(incoming, outgoing);
	});
	await listen(server, options);
	const { port } = server.address() as AddressInfo;
	const host = options.host.includes(':') ? `[${options.host}]` : options.host;
	return {
		address: `http://${host}:${port}`,
		close: () => {
			// Streams would go on for as long as they may.
			closingSoon.abort();
			return (closing ??= close(server, stop, options.drainMs ?? 10_000));
		},
	};
}

async function listen(server: Server, { host, port }: ServerOptions): Promise<void> {
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

/** What is no request that could be looked at, for example one with an impossible host. */
function refuseUnreadable(cause: unknown): Response {
	const { status, envelope } = errorAnswer(
		serverErrors.create('malformedRequest', {
			message: 'The request cannot be read.',
			facts: { field: 'host' },
			cause,
		}),
	);
	return jsonAnswer(envelope, status);
}
