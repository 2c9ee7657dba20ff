import type { ServerResponse } from 'node:http';

const keepAliveMs = 240_000;

/** The server-sent events: one channel per identity (docs/protocol/backbone-api.md 19). */
export class PushStreams {
	private readonly channels = new Map<string, ServerResponse>();

	private readonly timer = setInterval(() => {
		for (const channel of this.channels.values()) write(channel, 'keep-alive');
	}, keepAliveMs);

	constructor() {
		this.timer.unref();
	}

	/** A second connection is closed at once and silences the first, as the real server does. */
	connect(address: string, response: ServerResponse): void {
		response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' });
		if (this.channels.delete(address)) {
			response.end();
			return;
		}
		this.channels.set(address, response);
		response.on('close', () => {
			if (this.channels.get(address) === response) this.channels.delete(address);
		});
		write(response, 'ConnectionOpened');
	}

	send(address: string, event: string): void {
		const channel = this.channels.get(address);
		if (channel !== undefined) write(channel, event);
	}

	close(): void {
		clearInterval(this.timer);
		for (const channel of this.channels.values()) channel.destroy();
		this.channels.clear();
	}
}

function write(channel: ServerResponse, event: string): void {
	channel.write(`event: ${event}\ndata: _\n\n`);
}
