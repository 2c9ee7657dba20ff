import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Time for sending a request, after which the client is disconnected. */
const requestTimeoutMs = 60_000;
/** Time for calls in progress when the server stops. */
const graceMs = 2_000;
/** Retries, because a port that is free in one address family may be taken in the other. */
const attempts = 10;

/**
 * Listens on the loopback interface only, in both address families, because `localhost` may resolve
 * to either.
 */
export class Listener {
	isClosing = false;

	private constructor(
		readonly port: number,
		private readonly servers: readonly Server[],
	) {}

	/**
	 * @param port 0 for any free port
	 * @throws Error with `error.sandbox.portInUse`
	 */
	static async open(port: number, onRequest: RequestListener): Promise<Listener> {
		for (let attempt = 1; ; attempt++) {
			const first = await bind('127.0.0.1', port, onRequest);
			const { port: taken } = first.address() as AddressInfo;
			try {
				return new Listener(taken, [first, await bind('::1', taken, onRequest)]);
			} catch (error) {
				// A machine without IPv6 has the IPv4 address only.
				if (!isInUse(error)) return new Listener(taken, [first]);
				first.close();
				if (port !== 0 || attempt === attempts) throw inUse(taken, error);
			}
		}
	}

	/** Stops accepting calls and waits for calls in progress. */
	async close(): Promise<void> {
		this.isClosing = true;
		const cut = setTimeout(() => {
			for (const server of this.servers) server.closeAllConnections();
		}, graceMs);
		await Promise.all(
			this.servers.map(
				(server) => new Promise<void>((resolve) => void server.close(() => resolve())),
			),
		);
		clearTimeout(cut);
	}
}

function bind(host: string, port: number, onRequest: RequestListener): Promise<Server> {
	const server = createServer(
		{ keepAliveTimeout: 60_000, requestTimeout: requestTimeoutMs, noDelay: true },
		onRequest,
	);
	return new Promise((resolve, reject) => {
		server.once('error', (error) => {
			reject(host === '127.0.0.1' && isInUse(error) ? inUse(port, error) : error);
		});
		server.listen(port, host, () => resolve(server));
	});
}

function isInUse(error: unknown): boolean {
	return (error as NodeJS.ErrnoException).code === 'EADDRINUSE';
}

function inUse(port: number, cause: unknown): Error {
	return new Error(
		`error.sandbox.portInUse: port ${port} of this machine is already in use. ` +
			'Choose another port.',
		{ cause },
	);
}
