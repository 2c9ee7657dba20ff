import type { Socket } from 'node:net';
import type { Logger } from '../base/logger';
import { serverErrors } from './server-errors';

/** milliseconds without a refusal after which the log reports again that there are too many */
const reportPauseMs = 60_000;

export interface ConnectionLimitsOptions {
	readonly logger: Logger;
	/** limit of authenticated connections, and of all others together */
	readonly maxOfEach: number;
	/**
	 * milliseconds that a connection has for its first request, and then for the answer to it, unless
	 * it is authenticated
	 */
	readonly unauthenticatedMs: number;
}

/**
 * Connections of the HTTP gateway. Those that no request has authenticated live for seconds, and
 * give way to newer ones when there are too many, so that they cannot keep other clients out
 * (docs/adr/0017-the-http-gateway.md).
 */
export class ConnectionLimits {
	/** connections without a complete request, the oldest first */
	private readonly silent = new Map<Socket, NodeJS.Timeout>();

	/** connections with a request that is not authenticated, the oldest first */
	private readonly unauthenticated = new Map<Socket, NodeJS.Timeout>();

	private readonly authenticated = new Set<Socket>();

	private reportedAtMs = Number.NEGATIVE_INFINITY;

	constructor(private readonly options: ConnectionLimitsOptions) {}

	add(socket: Socket): void {
		if (this.silent.size + this.unauthenticated.size >= this.options.maxOfEach) {
			this.report('connections without a key or token: the oldest are closed');
			const [oldest] = this.silent.size > 0 ? this.silent.keys() : this.unauthenticated.keys();
			if (oldest !== undefined) this.close(oldest);
		}
		const deadline = setTimeout(() => this.close(socket), this.options.unauthenticatedMs);
		this.silent.set(socket, deadline.unref());
		socket.once('close', () => this.forget(socket));
	}

	/** Notes that a complete request has arrived, which is about to be answered. */
	hasRequest(socket: Socket): void {
		const deadline = this.silent.get(socket);
		if (deadline === undefined) return;
		this.silent.delete(socket);
		this.unauthenticated.set(socket, deadline.refresh());
	}

	/**
	 * Notes that the client has authenticated itself, so that the connection may stay.
	 *
	 * @throws `error.gateway.http.tooManyConnections`
	 */
	authenticate(socket: Socket): void {
		if (this.authenticated.has(socket)) return;
		if (this.authenticated.size >= this.options.maxOfEach) {
			this.report('authenticated connections: further ones are refused');
			const message = 'There are too many authenticated connections.';
			throw serverErrors.create('tooManyConnections', { message });
		}
		this.forget(socket);
		this.authenticated.add(socket);
	}

	isAuthenticated(socket: Socket): boolean {
		return this.authenticated.has(socket);
	}

	private close(socket: Socket): void {
		this.forget(socket);
		socket.destroy();
	}

	private forget(socket: Socket): void {
		clearTimeout(this.silent.get(socket) ?? this.unauthenticated.get(socket));
		for (const connections of [this.silent, this.unauthenticated, this.authenticated]) {
			connections.delete(socket);
		}
	}

	/** Logs once for as long as the limit keeps being reached. */
	private report(what: string): void {
		const nowMs = performance.now();
		const isNew = nowMs - this.reportedAtMs > reportPauseMs;
		this.reportedAtMs = nowMs;
		if (isNew) this.options.logger.warn(`more than ${this.options.maxOfEach} ${what}`);
	}
}
