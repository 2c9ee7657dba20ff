import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import type { Server } from 'node:http';

import { Peer } from '../../../test/support/peer/peer';
import { createWalletServer } from './wallet-server';

/** Interval of syncs, like an app in the foreground. */
const syncEveryMs = 2_000;

export interface DemoWalletOptions {
	readonly backbone: { baseUrl: string; clientId: string; clientSecret: string };
	/** folder of the account */
	readonly folder: string;
	readonly port: number;
}

/** Wallet of the person who scans the code: the official runtime 6.60.5 behind a small page. */
export class DemoWallet {
	private isClosed = false;

	private constructor(
		readonly peer: Peer,
		private readonly server: Server,
		readonly url: string,
	) {}

	static async open(options: DemoWalletOptions): Promise<DemoWallet> {
		mkdirSync(options.folder, { recursive: true });
		const peer = await Peer.start(6, { ...options.backbone, folder: options.folder });
		try {
			const server = createWalletServer(peer);
			server.listen(options.port, '127.0.0.1');
			await once(server, 'listening');
			const wallet = new DemoWallet(peer, server, `http://127.0.0.1:${options.port}`);
			void wallet.keepSynced();
			return wallet;
		} catch (error) {
			await peer.stop();
			throw error;
		}
	}

	async close(): Promise<void> {
		this.isClosed = true;
		this.server.closeAllConnections();
		await new Promise((resolve) => this.server.close(resolve));
		await this.peer.stop();
	}

	private async keepSynced(): Promise<void> {
		while (!this.isClosed) {
			// The Backbone may be unavailable for a moment; the next round syncs again.
			await this.peer.sync().catch(() => undefined);
			await new Promise((resolve) => setTimeout(resolve, syncEveryMs));
		}
	}
}
