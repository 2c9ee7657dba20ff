import { subscribe } from 'node:diagnostics_channel';
import type { IncomingMessage, ServerResponse } from 'node:http';

/** Calls that a server has answered since the last look, with the bytes of their bodies. */
export interface Traffic {
	readonly calls: number;
	readonly bytesUp: number;
	readonly bytesDown: number;
	/** most calls that were open at once */
	readonly lanes: number;
}

interface Exchange {
	readonly request: IncomingMessage;
	readonly response: ServerResponse;
}

const lengthOf = (value: unknown): number => Number(value ?? 0);

/** Watches every HTTP server of this process from outside. */
export class TrafficMeter {
	private counts = { calls: 0, bytesUp: 0, bytesDown: 0, lanes: 0 };

	private open = 0;

	constructor() {
		subscribe('http.server.request.start', () => {
			this.open++;
			this.counts.lanes = Math.max(this.counts.lanes, this.open);
		});
		subscribe('http.server.response.finish', (message) => {
			const { request, response } = message as Exchange;
			this.open--;
			this.counts.calls++;
			this.counts.bytesUp += lengthOf(request.headers['content-length']);
			this.counts.bytesDown += lengthOf(response.getHeader('content-length'));
		});
	}

	take(): Traffic {
		const taken = this.counts;
		this.counts = { calls: 0, bytesUp: 0, bytesDown: 0, lanes: 0 };
		return taken;
	}
}
