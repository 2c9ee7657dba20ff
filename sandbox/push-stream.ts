import type { ServerResponse } from 'node:http';

interface Channel {
	readonly response: ServerResponse;
	readonly device: string;
	/** without its registration a device receives keep-alives only */
	isRegistered: boolean;
}

/** Server-sent events with one channel per identity (docs/protocol/backbone-api.md 19). */
export class PushStreams {
	private readonly channels = new Map<string, Channel>();

	private readonly timer: NodeJS.Timeout;

	constructor(keepAliveSeconds: number) {
		this.timer = setInterval(() => {
			for (const { response } of this.channels.values()) write(response, 'keep-alive');
		}, keepAliveSeconds * 1_000).unref();
	}

	/**
	 * Opens a stream. As on the real server, a second connection is closed at once and silences the
	 * first.
	 *
	 * @param onClose called when a connection that was open ends
	 */
	connect(address: string, device: string, response: ServerResponse, onClose: () => void): void {
		response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' });
		if (this.channels.delete(address)) {
			response.end();
			return;
		}
		this.channels.set(address, { response, device, isRegistered: true });
		response.on('close', () => {
			// The registration belongs to the device, so an old connection must not remove the new one's.
			if (this.channels.get(address)?.response === response) this.channels.delete(address);
			else this.loseRegistration(address);
			onClose();
		});
		write(response, 'ConnectionOpened');
	}

	/** @param actor device that caused the event, which is not notified */
	send(address: string, event: string, actor?: string): void {
		const channel = this.channels.get(address);
		if (channel?.isRegistered === true && channel.device !== actor) write(channel.response, event);
	}

	/** Silences the identity's stream: it sends keep-alives, but never an event. */
	loseRegistration(address: string): void {
		const channel = this.channels.get(address);
		if (channel !== undefined) channel.isRegistered = false;
	}

	close(): void {
		clearInterval(this.timer);
		for (const { response } of this.channels.values()) response.destroy();
		this.channels.clear();
	}
}

function write(channel: ServerResponse, event: string): void {
	channel.write(`event: ${event}\ndata: _\n\n`);
}
