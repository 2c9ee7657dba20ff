import { createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A proxy before a Backbone that hands on another host name than the one it was called by. */
export class RenamingProxy {
	private constructor(private readonly server: Server) {}

	/** @param nameFor host name that the Backbone sees for a path */
	static async before(baseUrl: string, nameFor: (path: string) => string): Promise<RenamingProxy> {
		const { hostname, port } = new URL(baseUrl);
		const server = createServer((asked, answer) => {
			const path = asked.url ?? '/';
			const headers = { ...asked.headers, host: `${nameFor(path)}:${port}` };
			const { method } = asked;
			const forwarded = request({ hostname, port, path, method, headers }, (got) => {
				answer.writeHead(got.statusCode ?? 502, got.headers);
				got.pipe(answer);
			});
			forwarded.on('error', () => answer.destroy());
			asked.pipe(forwarded);
		});
		await new Promise<void>((resolve) => server.listen(0, 'localhost', resolve));
		return new RenamingProxy(server);
	}

	get baseUrl(): string {
		return `http://localhost:${(this.server.address() as AddressInfo).port}`;
	}

	async close(): Promise<void> {
		this.server.closeAllConnections();
		await new Promise((resolve) => this.server.close(resolve));
	}
}
