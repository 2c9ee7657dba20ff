/** State of `npm start`: where it is kept, and which process uses it. */
import { randomUUID } from 'node:crypto';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, get } from 'node:http';
import { join } from 'node:path';

import { scratchPath } from './paths.mjs';

/**
 * State folder, ignored by git and kept, so that the next start finds the same identities and
 * workflows.
 */
export const demoFolder = scratchPath('start');

const answerTimeoutMs = 2_000;

const fileIn = (folder) => join(folder, 'running.json');

/**
 * Marks the folder as used by this process, which answers on a port of the loopback interface: the id
 * of a process that has died may belong to another program.
 *
 * @throws Error if a running process uses the folder
 */
export async function claimDemo(folder) {
	mkdirSync(folder, { recursive: true });
	const running = await runningDemo(folder);
	if (running !== undefined) throw new Error(describeRunning(running));
	const id = randomUUID();
	const state = { id, addresses: {} };
	const server = createServer((_request, response) => response.end(JSON.stringify(state)));
	await new Promise((resolve, reject) => {
		server.once('error', reject);
		server.listen(0, '127.0.0.1', resolve);
	});
	rmSync(fileIn(folder), { force: true });
	writeFileSync(fileIn(folder), JSON.stringify({ id, port: server.address().port }));
	return {
		/** Names the addresses that another start shows. */
		announce: (addresses) => {
			state.addresses = addresses;
		},
		release: async () => {
			rmSync(fileIn(folder), { force: true });
			server.closeAllConnections();
			await new Promise((resolve) => server.close(resolve));
		},
	};
}

/** Addresses of the demo that runs on this folder, empty while it starts; undefined without one. */
export async function runningDemo(folder) {
	let claim;
	try {
		claim = JSON.parse(readFileSync(fileIn(folder), 'utf8'));
	} catch {
		return undefined;
	}
	const state = await ask(claim.port).catch(() => undefined);
	return state?.id === claim.id ? state.addresses : undefined;
}

/** What a second start tells a person. */
export function describeRunning(addresses) {
	const lines = Object.entries(addresses).map(([name, url]) => `  ${name.padEnd(18)}${url}`);
	const where = lines.length === 0 ? ['It is still starting.'] : lines;
	return ['The demo of this checkout is running already.', ...where, 'Ctrl-C there stops it.'].join(
		'\n',
	);
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
