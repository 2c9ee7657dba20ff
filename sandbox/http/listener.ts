import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Time for sending a request, after which the client is disconnected. */
const requestTimeoutMs = 60_000;
/** Time for calls in progress when the server stops. */
const graceMs = 2_000;
/** Retries, because a port that is free in one address family may be taken in the other. */
const attempts = 10;

/**
 * Listens on the loopback interface in both address families, because `localhost` may resolve to
 * either, and on a further address if it is given.
 */
export class Listener {
	isClosing = false;

	private constructor(
		readonly port: number,
		private readonly servers: readonly Server[],
	) {}

	/**
	 * @param port 0 for any free port
	 * @param further address beside the loopback addresses, for example `0.0.0.0` for all
	 * @throws Error with `error.sandbox.portInUse`, `error.sandbox.noSuchAddress`
	 */
	static async open(port: number, onRequest: RequestListener, further?: string): Promise<Listener> {
		const [firstHost, ...otherHosts] = hostsFor(further);
		for (let attempt = 1; ; attempt++) {
			const servers = [await bind(firstHost, port, onRequest)];
			const { port: taken } = servers[0]?.address() as AddressInfo;
			try {
				for (const host of otherHosts) {
					const server = await bind(host, taken, onRequest).catch((error: unknown) => {
						// A machine without IPv6 has no such loopback address.
						if (host !== '::1' || isInUse(error)) throw error;
					});
					if (server !== undefined) servers.push(server);
				}
				return new Listener(taken, servers);
			} catch (error) {
				for (const server of servers) server.close();
				if (!isInUse(error) || port !== 0 || attempt === attempts) throw error;
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

/** Addresses to listen on; the address for all interfaces includes the loopback address. */
function hostsFor(further: string | undefined): readonly [string, ...string[]] {
	if (further === '0.0.0.0') return ['0.0.0.0', '::1'];
	if (further === '::') return ['::'];
	const loopback = ['127.0.0.1', '::1'] as const;
	const isLoopback = further === undefined || /^(127\.0\.0\.1|::1|localhost)$/.test(further);
	return isLoopback ? loopback : [...loopback, further];
}

function bind(host: string, port: number, onRequest: RequestListener): Promise<Server> {
	const server = createServer(
		{ keepAliveTimeout: 60_000, requestTimeout: requestTimeoutMs, noDelay: true },
		onRequest,
	);
	return new Promise((resolve, reject) => {
		server.once('error', (error) => reject(explained(error, host, port)));
		server.listen(port, host, () => resolve(server));
	});
}

function isInUse(error: unknown): boolean {
	return ((error as Error).cause as NodeJS.ErrnoException | undefined)?.code === 'EADDRINUSE';
}

function explained(error: Error, host: string, port: number): Error {
	const { code } = error as NodeJS.ErrnoException;
	if (code === 'EADDRINUSE') {
		return new Error(
			`error.sandbox.portInUse: port ${port} of this machine is already in use. ` +
				'Choose another port.',
			{ cause: error },
		);
	}
	if (host === '::1') return error;
	return new Error(
		`error.sandbox.noSuchAddress: this machine cannot listen on ${host} (${code}). ` +
			'Choose one of its own addresses.',
		{ cause: error },
	);
}
