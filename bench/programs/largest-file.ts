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

/** Bytes that this process had resident at most during the work, beyond what it had before. */
async function additionalBytes(work: () => Promise<unknown>): Promise<number> {
	const before = await settledMemory();
	forgetPeak();
	await work();
	return process.resourceUsage().maxRSS * 1_024 - before;
}

/** Loading and the first calls may have needed more than the file does. Other systems than Linux keep it. */
function forgetPeak(): void {
	try {
		writeFileSync('/proc/self/clear_refs', '5');
	} catch {
		// Then the figure is the higher one.
	}
}

/** One file of ours, up or down, in a process that has done nothing else. */
serve({
	async open(config: AccountConfig) {
		gateway = await loadLibrary().Gateway.open({
			backbone: { baseUrl: config.baseUrl, clientId: 'test', clientSecret: 'test' },
			store: { kind: 'sqlite', folder: config.folder ?? '' },
		});
		// What a process loads and compiles with its first calls is no part of the file.
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
