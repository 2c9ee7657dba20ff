import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Received {
	readonly path: string;
	readonly headers: IncomingHttpHeaders;
	/** as it came */
	readonly text: string;
	// eslint-disable-next-line @typescript-eslint/no-explicit-any -- tests look into any of them
	readonly body: any;
}

export interface Reply {
	readonly status: number;
	readonly headers?: Readonly<Record<string, string>>;
	readonly body?: string;
}

type Judge = (received: Received) => Reply | Promise<Reply>;

export const ok: Reply = { status: 200 };

/** A receiver of webhooks on this machine, which can go away and come back on the same port. */
export class Receiver {
	readonly received: Received[] = [];

	/** what it answers */
	judge: Judge = () => ok;

	private port = 0;

	private server: Server | undefined;

	static async open(judge?: Judge): Promise<Receiver> {
		const receiver = new Receiver();
		if (judge !== undefined) receiver.judge = judge;
		await receiver.up();
		return receiver;
	}

	get url(): string {
		return `http://127.0.0.1:${this.port}`;
	}

	/** Ids of the objects in the order in which they came. */
	get ids(): string[] {
		return this.received.map(({ body }) => String(body.data.id));
	}

	async up(): Promise<void> {
		const server = createServer((incoming, outgoing) => {
			const chunks: Buffer[] = [];
			incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
			incoming.on('end', () => {
				const text = Buffer.concat(chunks).toString('utf8');
				const isJson = incoming.headers['content-type'] === 'application/json';
				const received = {
					path: incoming.url ?? '',
					headers: incoming.headers,
					text,
					body: isJson ? (JSON.parse(text) as unknown) : undefined,
				};
				this.received.push(received);
				void Promise.resolve(this.judge(received)).then(({ status, headers, body }) => {
					outgoing.writeHead(status, headers).end(body);
				});
			});
		});
		await new Promise<void>((resolve) => server.listen(this.port, '127.0.0.1', resolve));
		this.port = (server.address() as AddressInfo).port;
		this.server = server;
	}

	async down(): Promise<void> {
		const { server } = this;
		this.server = undefined;
		if (server === undefined) return;
		const closed = new Promise((resolve) => server.close(resolve));
		server.closeAllConnections();
		await closed;
	}
}
