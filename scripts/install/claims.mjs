/** Claims on folders: one process of this machine uses a folder, others see which and whether it runs. */
import { randomUUID } from 'node:crypto';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, get } from 'node:http';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';

const answerTimeoutMs = 2_000;

/** Longer than two processes take between their look and their claim. */
const settleMs = 100;

const fileIn = (folder) => join(folder, 'running.json');

/**
 * Marks the folder as used by this process, which answers on a port of the loopback interface: the id
 * of a process that has died may belong to another program.
 *
 * @returns undefined if a running process uses the folder
 */
export async function claim(folder) {
	mkdirSync(folder, { recursive: true });
	if ((await holderOf(folder)) !== undefined) return undefined;
	const id = randomUUID();
	const state = { id, addresses: {} };
	const server = createServer((_request, response) => response.end(JSON.stringify(state)));
	await new Promise((resolve, reject) => {
		server.once('error', reject);
		server.listen(0, '127.0.0.1', resolve);
	});
	const close = async () => {
		server.closeAllConnections();
		await new Promise((resolve) => server.close(resolve));
	};
	try {
		rmSync(fileIn(folder), { force: true });
		writeFileSync(fileIn(folder), JSON.stringify({ id, port: server.address().port }));
	} catch (error) {
		await close();
		throw error;
	}
	// Of two processes that claim in the same moment, the later one replaces the file of the other.
	await setTimeout(settleMs);
	if (written(folder)?.id !== id && (await holderOf(folder)) !== undefined) {
		await close();
		return undefined;
	}
	return {
		/** Names the addresses that another process shows. */
		announce: (addresses) => {
			state.addresses = addresses;
		},
		release: async () => {
			if (written(folder)?.id === id) rmSync(fileIn(folder), { force: true });
			await close();
		},
	};
}

/** Addresses that the process with the claim announces, none at first; undefined without a claim. */
export async function holderOf(folder) {
	const found = written(folder);
	if (found === undefined) return undefined;
	const state = await ask(found.port).catch(() => undefined);
	return state?.id === found.id ? state.addresses : undefined;
}

/** Does the work with a claim on the folder; waits for another process that has it, or for the signal. */
export async function withClaim(folder, what, work, { signal } = {}) {
	let held = await claim(folder);
	if (held === undefined) console.log(`Another process is at ${what}; waiting for it …`);
	while (held === undefined) {
		await setTimeout(1_000, undefined, { signal });
		held = await claim(folder);
	}
	try {
		return await work();
	} finally {
		await held.release();
	}
}

function written(folder) {
	try {
		return JSON.parse(readFileSync(fileIn(folder), 'utf8'));
	} catch {
		return undefined;
	}
}

function ask(port) {
	return new Promise((resolve, reject) => {
		const request = get({ host: '127.0.0.1', port, timeout: answerTimeoutMs }, (response) => {
			let text = '';
			response.setEncoding('utf8');
			response.on('data', (chunk) => {
				text += chunk;
			});
			response.on('end', () => {
				try {
					resolve(JSON.parse(text));
				} catch (error) {
					reject(error);
				}
			});
		});
		request.on('timeout', () => request.destroy(new Error('no answer')));
		request.on('error', reject);
	});
}
