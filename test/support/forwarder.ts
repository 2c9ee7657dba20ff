import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';

/** A second address of a server on this machine; knows whether a client uses it. */
export class Forwarder {
	/** connections so far */
	used = 0;

	/** how long what the server says is on its way, in milliseconds */
	answersTakeMs = 0;

	private lastPort = 0;

	private answersAreLost = false;

	private isHeld = false;

	private readonly sockets = new Set<Socket>();

	private constructor(private readonly server: Server) {}

	static async to(port: number): Promise<Forwarder> {
		const server = createServer();
		const forwarder = new Forwarder(server);
		server.on('connection', (socket) => forwarder.forward(socket, port));
		await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
		return forwarder;
	}

	get port(): number {
		return (this.server.address() as AddressInfo).port;
	}

	async close(): Promise<void> {
		this.cut();
		if (this.server.listening) await new Promise((resolve) => this.server.close(resolve));
	}

	/** Ends every connection; new ones are taken. */
	cut(): void {
		this.answersAreLost = false;
		for (const socket of this.sockets) socket.destroy();
		this.sockets.clear();
	}

	/** Ends every connection and refuses new ones. */
	async pause(): Promise<void> {
		this.lastPort = this.port;
		const closed = new Promise((resolve) => this.server.close(resolve));
		this.cut();
		await closed;
	}

	async resume(): Promise<void> {
		await new Promise<void>((resolve) => this.server.listen(this.lastPort, '127.0.0.1', resolve));
	}

	/** What the server says from now on does not arrive, until the connections are cut. */
	swallowAnswers(): void {
		this.answersAreLost = true;
	}

	/** Nothing arrives on either side, as when packets are dropped on their way, until `letGo`. */
	hold(): void {
		this.isHeld = true;
		for (const socket of this.sockets) socket.pause();
	}

	/** What was held back arrives late, as when packets are sent again. */
	letGo(): void {
		this.isHeld = false;
		for (const socket of this.sockets) socket.resume();
	}

	private answer(near: Socket, data: Buffer): void {
		if (this.answersTakeMs === 0) near.write(data);
		else setTimeout(() => near.writable && near.write(data), this.answersTakeMs);
	}

	private forward(near: Socket, port: number): void {
		this.used++;
		const far = connect(port, '127.0.0.1');
		for (const [socket, other] of [
			[near, far],
			[far, near],
		] as const) {
			this.sockets.add(socket);
			socket.on('error', () => other.destroy());
			socket.on('close', () => other.destroy());
			socket.on('data', (data: Buffer) => {
				if (socket === near) far.write(data);
				else if (!this.answersAreLost) this.answer(near, data);
			});
			if (this.isHeld) socket.pause();
		}
	}
}
