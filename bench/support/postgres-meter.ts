import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';

/** Traffic between one program and its database. */
export interface PostgresTraffic {
	readonly statements: number;
	/** number of waits for an answer; statements that are sent together wait once */
	readonly roundTrips: number;
}

/** Counting proxy between a program and a PostgreSQL server. */
export class PostgresMeter {
	private counts = { statements: 0, roundTrips: 0 };

	private readonly sockets = new Set<Socket>();

	private constructor(private readonly server: Server) {}

	static async open(host: string, port: number): Promise<PostgresMeter> {
		const server = createServer({ noDelay: true });
		const meter = new PostgresMeter(server);
		server.on('connection', (near) => meter.forward(near, connect({ host, port, noDelay: true })));
		await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
		return meter;
	}

	get port(): number {
		return (this.server.address() as AddressInfo).port;
	}

	/** Counts since the previous call. */
	take(): PostgresTraffic {
		const taken = this.counts;
		this.counts = { statements: 0, roundTrips: 0 };
		return taken;
	}

	async close(): Promise<void> {
		for (const socket of this.sockets) socket.destroy();
		await new Promise((resolve) => this.server.close(resolve));
	}

	private forward(near: Socket, far: Socket): void {
		const messages = new FrontendMessages();
		let isWaiting = false;
		near.on('data', (data: Buffer) => {
			// Counts simple queries (Q) and executions of prepared statements (E), see the message
			// formats of the protocol.
			this.counts.statements += messages.read(data).filter((type) => 'QE'.includes(type)).length;
			if (!isWaiting) this.counts.roundTrips++;
			isWaiting = true;
			far.write(data);
		});
		far.on('data', (data: Buffer) => {
			isWaiting = false;
			near.write(data);
		});
		for (const [socket, other] of [
			[near, far],
			[far, near],
		] as const) {
			this.sockets.add(socket);
			socket.on('error', () => other.destroy());
			socket.on('close', () => other.destroy());
		}
	}
}

/**
 * Splits the client's bytes into messages: a letter, a length that includes itself, the content.
 */
class FrontendMessages {
	private rest = Buffer.alloc(0);

	private hasStarted = false;

	/** Letters of the messages that are now complete; the first message has none. */
	read(data: Buffer): string[] {
		this.rest = Buffer.concat([this.rest, data]);
		const types: string[] = [];
		for (;;) {
			const head = this.hasStarted ? 1 : 0;
			if (this.rest.length < head + 4) return types;
			const end = head + this.rest.readUInt32BE(head);
			if (this.rest.length < end) return types;
			if (this.hasStarted) types.push(String.fromCharCode(this.rest[0] ?? 0));
			this.hasStarted = true;
			this.rest = this.rest.subarray(end);
		}
	}
}
