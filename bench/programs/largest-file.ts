import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import type { Gateway } from '../../core';
import type { AccountConfig } from './contender';
import { loadLibrary } from './library';
import { additionalBytes } from '../support/peak-memory';
import { serve } from './serve';

const warmingCalls = 200;
const description = { filename: 'largest.bin', mimetype: 'application/octet-stream' };

let gateway: Gateway | undefined;

function opened(): Gateway {
	if (gateway === undefined) throw new Error('no account is open');
	return gateway;
}

/** Uploads or downloads one file with this gateway in a fresh process. */
serve({
	async open(config: AccountConfig) {
		gateway = await loadLibrary().Gateway.open({
			backbone: { baseUrl: config.baseUrl, clientId: 'test', clientSecret: 'test' },
			store: { kind: 'sqlite', folder: config.folder ?? '' },
		});
		// Excludes code that is loaded and compiled by the first calls from the figure.
		for (let call = 0; call < warmingCalls; call++) await gateway.account.sync();
		const small = Buffer.alloc(100_000);
		const { id } = await gateway.files.upload(description, small);
		await gateway.files.download(id);
	},
	async upload({ path, size }: { path: string; size: number }) {
		writeFileSync(path, randomBytes(size));
		let id = '';
		const bytes = await additionalBytes(async () => {
			({ id } = await opened().files.upload(description, { path }));
		});
		return { id, bytes };
	},
	async download({ id, size }: { id: string; size: number }) {
		return await additionalBytes(async () => {
			const { content } = await opened().files.download(id);
			if (content.byteLength !== size) throw new Error(`got ${content.byteLength} bytes`);
		});
	},
	close: () => gateway?.close(),
});
