import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';

/** What a client asks before it says who it is: whether it may encrypt. */
const encryptionRequest = 80_877_103;
const kinds = { query: 0x51, sync: 0x53, terminate: 0x58, ready: 0x5a, parameter: 0x53 } as const;
const idle = 'I'.charCodeAt(0);

interface Message {
	readonly kind: number;
	readonly bytes: Buffer;
}

/** The whole messages of a stream, as they arrive. */
class Messages {
	private rest = Buffer.alloc(0);

	/** @returns the messages that are complete with this piece */
	add(piece: Buffer): Message[] {
		this.rest = Buffer.concat([this.rest, piece]);
		const messages: Message[] = [];
		while (this.rest.length >= 5 && this.rest.length > this.rest.readInt32BE(1)) {
			const bytes = this.rest.subarray(0, this.rest.readInt32BE(1) + 1);
			this.rest = this.rest.subarray(bytes.length);
			messages.push({ kind: bytes[0] ?? 0, bytes });
		}
		return messages;
	}
}

interface Pooled {
	readonly socket: Socket;
	readonly waiting: Message[];
}

/**
 * Stands before a PostgreSQL server as a pooler in transaction mode does, with one connection to the server:
 * each transaction of a client may have any connection, so nothing of a session holds. The login of the
 * first client serves all.
 */
export class TransactionPooler {
	private readonly clients = new Set<Pooled>();

	private backend: Socket | undefined;

	private isLoggedIn = false;

	private readonly greeting: Buffer[] = [];

	private owner: Pooled | undefined;

	/** answers that the owner still waits for */
	private outstanding = 0;

	private constructor(
		private readonly server: Server,
		private readonly target: { readonly host: string; readonly port: number },
	) {}

	static async before(target: {
		readonly host: string;
		readonly port: number;
	}): Promise<TransactionPooler> {
		const server = createServer();
		const pooler = new TransactionPooler(server, target);
		server.on('connection', (socket) => pooler.accept(socket));
		await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
		return pooler;
	}

	get port(): number {
		return (this.server.address() as AddressInfo).port;
	}

	async close(): Promise<void> {
		for (const { socket } of this.clients) socket.destroy();
		this.backend?.destroy();
		await new Promise((resolve) => this.server.close(resolve));
	}

	private accept(socket: Socket): void {
		const client: Pooled = { socket, waiting: [] };
		const messages = new Messages();
		let isGreeted = false;
		this.clients.add(client);
		socket.on('error', () => undefined);
		socket.on('close', () => this.clients.delete(client));
		socket.on('data', (piece) => {
			if (isGreeted) return this.take(client, messages.add(piece));
			if (piece.readInt32BE(4) === encryptionRequest) return void socket.write('N');
			isGreeted = true;
			if (this.backend === undefined) this.logIn(client, piece);
			else socket.write(Buffer.concat(this.greeting));
		});
	}

	/** Passes the login of the first client on, and keeps what the server says of itself. */
	private logIn(client: Pooled, startup: Buffer): void {
		const backend = connect(this.target.port, this.target.host, () => backend.write(startup));
		const messages = new Messages();
		const accepted = Buffer.from([0x52, 0, 0, 0, 8, 0, 0, 0, 0]);
		this.greeting.push(accepted);
		this.backend = backend;
		this.owner = client;
		this.outstanding = 1;
		backend.on('error', () => undefined);
		backend.on('data', (piece) => {
			for (const message of messages.add(piece)) this.answer(message);
		});
	}

	private answer({ kind, bytes }: Message): void {
		this.owner?.socket.write(bytes);
		if (!this.isLoggedIn && (kind === kinds.parameter || kind === kinds.ready)) {
			this.greeting.push(Buffer.from(bytes));
		}
		if (kind !== kinds.ready) return;
		this.isLoggedIn = true;
		this.outstanding--;
		if (this.outstanding > 0 || bytes.at(-1) !== idle) return;
		this.owner = undefined;
		this.serveNext();
	}

	private take(client: Pooled, messages: readonly Message[]): void {
		for (const message of messages) {
			if (message.kind === kinds.terminate) client.socket.end();
			else client.waiting.push(message);
		}
		this.serveNext();
	}

	private serveNext(): void {
		if (!this.isLoggedIn) return;
		this.owner ??= [...this.clients].find(({ waiting }) => waiting.length > 0);
		for (const { kind, bytes } of this.owner?.waiting.splice(0) ?? []) {
			if (kind === kinds.query || kind === kinds.sync) this.outstanding++;
			this.backend?.write(bytes);
		}
	}
}
