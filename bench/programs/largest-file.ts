import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import type { Gateway } from '../../core';
import type { AccountConfig } from './contender';
import { loadLibrary } from './library';
import { serve, settledMemory } from './serve';

const warmingCalls = 200;
const description = { filename: 'largest.bin', mimetype: 'application/octet-stream' };

let gateway: Gateway | undefined;

function opened(): Gateway {
	if (gateway === undefined) throw new Error('no account is open');
	return gateway;
}

/** Peak of the resident bytes during the work, minus the bytes before. */
async function additionalBytes(work: () => Promise<unknown>): Promise<number> {
	const before = await settledMemory();
	resetPeak();
	await work();
	return process.resourceUsage().maxRSS * 1_024 - before;
}

/**
 * Resets the recorded peak, because loading may have needed more than the file. Works on Linux
 * only.
 */
function resetPeak(): void {
	try {
		writeFileSync('/proc/self/clear_refs', '5');
	} catch {
		// Without a reset the figure is too high.
	}
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
