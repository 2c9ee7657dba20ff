import { connect, type Socket } from 'node:net';

/** connections that are opened at the same time */
const atOnce = 500;

/** Connections to a gateway on which nothing is ever sent. */
export class SilentConnections {
	private readonly sockets: Socket[] = [];

	constructor(private readonly address: string) {}

	async open(count: number): Promise<void> {
		for (let opened = 0; opened < count; opened += atOnce) {
			await Promise.all(Array.from({ length: Math.min(atOnce, count - opened) }, () => this.one()));
		}
	}

	/** number of connections that the gateway has not closed */
	get held(): number {
		return this.sockets.filter(({ closed }) => !closed).length;
	}

	close(): void {
		for (const socket of this.sockets) socket.destroy();
	}

	private async one(): Promise<void> {
		const { hostname, port } = new URL(this.address);
		const socket = connect(Number(port), hostname);
		this.sockets.push(socket.resume());
		await new Promise<void>((resolve) => {
			socket.once('connect', resolve);
			socket.once('error', () => resolve());
		});
	}
}
