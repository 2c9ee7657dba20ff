import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { until } from '../../../test/support/until';

const patienceMs = 60_000;

/** Address under which the stories know the customer system. */
const written = 'https://crm.example.com';

/** A program in the place of a customer system: keeps the bodies of all calls. */
export class CustomerSystem {
	private readonly received: string[] = [];

	private constructor(private readonly server: Server) {}

	static async open(): Promise<CustomerSystem> {
		const server = createServer();
		const system = new CustomerSystem(server);
		server.on('request', (request, response) => {
			void system.keep(request).then(() => response.end('{}'));
		});
		server.listen(0, '127.0.0.1');
		await once(server, 'listening');
		return system;
	}

	/** Replaces the written address by the address of this program. */
	addressIn(entered: string): string {
		const { port } = this.server.address() as AddressInfo;
		return entered.replace(written, `http://127.0.0.1:${port}`);
	}

	/** Waits for a call with all of the texts. */
	async untilReceived(texts: readonly string[]): Promise<void> {
		const fits = (body: string): boolean => texts.every((wanted) => body.includes(wanted));
		await until(() => this.received.some(fits), patienceMs);
	}

	async close(): Promise<void> {
		this.server.close();
		this.server.closeAllConnections();
		await once(this.server, 'close');
	}

	private async keep(request: IncomingMessage): Promise<void> {
		this.received.push(await text(request));
	}
}
