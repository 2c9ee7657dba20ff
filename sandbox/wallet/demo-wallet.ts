import { mkdirSync } from 'node:fs';

import { acceptedHosts } from './http/accepted-hosts';
import { WalletServer } from './http/wallet-server';
import { People } from './people';
import type { PersonOptions } from './person';

export interface DemoWalletOptions extends PersonOptions {
	/** 0 for any free port */
	readonly port: number;
	/** address to listen on; default: this machine only */
	readonly host?: string;
	/** address under which people open the wallet; its host name is accepted in requests */
	readonly publicUrl?: string;
}

/** Wallet of the people in a demo: one gateway for each of them, behind a page for a browser. */
export class DemoWallet {
	private constructor(
		private readonly people: People,
		private readonly server: WalletServer,
		readonly url: string,
	) {}

	static async open(options: DemoWalletOptions): Promise<DemoWallet> {
		const { backbone, folder, port, host = '127.0.0.1', publicUrl } = options;
		mkdirSync(folder, { recursive: true });
		const people = await People.open({ backbone, folder });
		try {
			const server = await WalletServer.open(people, {
				...{ port, host },
				acceptedHosts: acceptedHosts(host, publicUrl),
			});
			const { port: taken } = server.address;
			const url = publicUrl ?? `http://${reachedAt(host)}:${taken}`;
			return new DemoWallet(people, server, url.replace(/\/$/, ''));
		} catch (error) {
			await people.close();
			throw error;
		}
	}

	/** Ends all connections and closes the accounts. Further calls have no effect. */
	async close(): Promise<void> {
		await this.server.close();
		await this.people.close();
	}
}

/** Host in the URL of a server; the addresses for all interfaces cannot be called everywhere. */
function reachedAt(host: string): string {
	if (host === '0.0.0.0' || host === '::') return '127.0.0.1';
	return host.includes(':') ? `[${host}]` : host;
}
