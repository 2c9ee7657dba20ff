import { createServer, request, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** An answer of a Backbone on its way to a client. */
export interface PassingAnswer {
	readonly method: string;
	/** with the query */
	readonly path: string;
	readonly status: number;
	readonly body: unknown;
}

/** A proxy before a Backbone that can change the JSON of what the Backbone answers. */
export class ChangingProxy {
	/** Answers the body that the client gets; undefined: every answer passes as it came. */
	change: ((answer: PassingAnswer) => unknown) | undefined;

	private constructor(private readonly server: Server) {}

	static async before(baseUrl: string): Promise<ChangingProxy> {
		const { hostname, port } = new URL(baseUrl);
		const server = createServer();
		const proxy = new ChangingProxy(server);
		server.on('request', (asked: IncomingMessage, answer) => {
			const { method = 'GET', url: path = '/', headers } = asked;
			const forwarded = request({ hostname, port, path, method, headers }, (got) => {
				const pieces: Buffer[] = [];
				got.on('data', (piece: Buffer) => pieces.push(piece));
				got.on('end', () => {
					const status = got.statusCode ?? 502;
					const came = Buffer.concat(pieces);
					const isJson = /json/.test(got.headers['content-type'] ?? '') && came.length > 0;
					const body = isJson ? proxy.changed({ method, path, status, body: came }) : came;
					const length = body.length > 0 ? { 'content-length': String(body.length) } : {};
					answer.writeHead(status, { ...got.headers, ...length });
					answer.end(body);
				});
			});
			forwarded.on('error', () => answer.destroy());
			asked.pipe(forwarded);
		});
		await new Promise<void>((resolve) => server.listen(0, 'localhost', resolve));
		return proxy;
	}

	get baseUrl(): string {
		return `http://localhost:${(this.server.address() as AddressInfo).port}`;
	}

	async close(): Promise<void> {
		this.server.closeAllConnections();
		await new Promise((resolve) => this.server.close(resolve));
	}

	private changed(answer: PassingAnswer & { readonly body: Buffer }): Buffer {
		if (this.change === undefined) return answer.body;
		const body: unknown = JSON.parse(answer.body.toString());
		return Buffer.from(JSON.stringify(this.change({ ...answer, body })));
	}
}
