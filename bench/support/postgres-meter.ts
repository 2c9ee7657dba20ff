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
			const statements = messages.read(data).filter(({ type }) => 'QE'.includes(type));
			this.counts.statements += statements.length;
			if (!isWaiting && !statements.every(endsSnapshot)) {
				this.counts.roundTrips++;
				isWaiting = true;
			}
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

interface FrontendMessage {
	readonly type: string;
	readonly text: string;
}

/** The end of a reading transaction, for whose answer no caller waits. */
function endsSnapshot({ type, text }: FrontendMessage): boolean {
	return type === 'Q' && text === 'rollback\0';
}

/**
 * Splits the client's bytes into messages: a letter, a length that includes itself, the content.
 */
class FrontendMessages {
	private rest = Buffer.alloc(0);

	private hasStarted = false;

	/** Messages that are now complete; the first one of a connection has no type. */
	read(data: Buffer): FrontendMessage[] {
		this.rest = Buffer.concat([this.rest, data]);
		const complete: FrontendMessage[] = [];
		for (;;) {
			const head = this.hasStarted ? 1 : 0;
			if (this.rest.length < head + 4) return complete;
			const end = head + this.rest.readUInt32BE(head);
			if (this.rest.length < end) return complete;
			if (this.hasStarted) {
				const type = String.fromCharCode(this.rest[0] ?? 0);
				complete.push({ type, text: this.rest.toString('latin1', head + 4, end) });
			}
			this.hasStarted = true;
			this.rest = this.rest.subarray(end);
		}
	}
}
