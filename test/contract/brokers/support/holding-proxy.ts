import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';

/** Stands before a broker, and can hold back what it answers. */
export class HoldingProxy {
	private readonly sockets = new Set<Socket>();

	private readonly answering = new Set<Socket>();

	/** connections so far */
	accepted = 0;

	private isHolding = false;

	private constructor(private readonly server: Server) {}

	static async before(port: number): Promise<HoldingProxy> {
		const server = createServer();
		const proxy = new HoldingProxy(server);
		server.on('connection', (near) => proxy.forward(near, connect(port, '127.0.0.1')));
		await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
		return proxy;
	}

	get port(): number {
		return (this.server.address() as AddressInfo).port;
	}

	hold(): void {
		this.isHolding = true;
		for (const far of this.answering) far.pause();
	}

	release(): void {
		this.isHolding = false;
		for (const far of this.answering) far.resume();
	}

	async close(): Promise<void> {
		for (const socket of this.sockets) socket.destroy();
		await new Promise((resolve) => this.server.close(resolve));
	}

	private forward(near: Socket, far: Socket): void {
		near.on('data', (chunk: Buffer) => far.write(chunk));
		far.on('data', (chunk: Buffer) => near.write(chunk));
		this.accepted++;
		this.answering.add(far);
		if (this.isHolding) far.pause();
		for (const [socket, other] of [
			[near, far],
			[far, near],
		] as const) {
			this.sockets.add(socket);
			socket.on('error', () => undefined);
			socket.on('close', () => {
				this.answering.delete(far);
				other.destroy();
			});
		}
	}
}
