import { subscribe } from 'node:diagnostics_channel';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** Calls that a server has answered since the previous query. */
export interface Traffic {
	readonly calls: number;
	/** bytes of the bodies */
	readonly bytesUp: number;
	/** bytes of the answers, including headers */
	readonly bytesDown: number;
	/** maximum number of concurrent calls */
	readonly lanes: number;
}

interface Exchange {
	readonly request: IncomingMessage;
	readonly response: ServerResponse;
	readonly socket: Socket;
}

/** Measures every HTTP server of this process by its sockets. */
export class TrafficMeter {
	private counts = { calls: 0, bytesUp: 0, bytesDown: 0, lanes: 0 };

	private open = 0;

	private readonly written = new WeakMap<Socket, number>();

	constructor() {
		subscribe('http.server.request.start', () => {
			this.open++;
			this.counts.lanes = Math.max(this.counts.lanes, this.open);
		});
		subscribe('http.server.response.finish', (message) => this.add(message as Exchange));
	}

	take(): Traffic {
		const taken = this.counts;
		this.counts = { calls: 0, bytesUp: 0, bytesDown: 0, lanes: 0 };
		return taken;
	}

	private add({ request, socket }: Exchange): void {
		const { bytesWritten } = socket;
		this.open--;
		this.counts.calls++;
		this.counts.bytesUp += Number(request.headers['content-length'] ?? 0);
		this.counts.bytesDown += bytesWritten - (this.written.get(socket) ?? 0);
		this.written.set(socket, bytesWritten);
	}
}
