import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export const apiKey = 'Measurements-Have-The-Key-0123456789!';

const startTimeoutMs = 60_000;

/** Path of the built command-line program. */
const programOf = (dist: string): string => join(dist, 'cli.js');

export interface ServedOptions {
	/** folder of the build */
	readonly dist: string;
	readonly backboneUrl: string;
	/** folder of the account; default: a temporary folder */
	readonly folder?: string;
	/** additional settings */
	readonly environment?: Readonly<Record<string, string>>;
}

/** Built HTTP gateway in a process of its own, started like an operator does. */
export class ServedGateway {
	private constructor(
		private readonly child: ChildProcess,
		private readonly ownFolder: string | undefined,
		readonly address: string,
		/** milliseconds from the start of the process to the first healthy answer */
		readonly startMs: number,
	) {}

	static async start({
		dist,
		backboneUrl,
		folder,
		environment,
	}: ServedOptions): Promise<ServedGateway> {
		const ownFolder = folder === undefined ? mkdtempSync(join(tmpdir(), 'served-')) : undefined;
		const started = performance.now();
		const child = spawn(process.execPath, [programOf(dist), 'serve'], {
			stdio: ['ignore', 'pipe', 'pipe'],
			env: {
				PATH: process.env.PATH,
				transportLibrary__baseUrl: backboneUrl,
				PLATFORM_CLIENT_ID: 'test',
				PLATFORM_CLIENT_SECRET: 'test',
				API_KEY: apiKey,
				infrastructure__httpServer__port: '0',
				database__folder: folder ?? ownFolder,
				...environment,
			},
		});
		try {
			const address = await addressIn(child);
			await untilHealthy(address);
			return new ServedGateway(child, ownFolder, address, performance.now() - started);
		} catch (error) {
			child.kill('SIGKILL');
			throw error;
		}
	}

	get pid(): number {
		if (this.child.pid === undefined) throw new TypeError('the gateway does not run');
		return this.child.pid;
	}

	async stop(): Promise<void> {
		if (this.child.exitCode === null && this.child.signalCode === null) {
			const ended = once(this.child, 'exit');
			this.child.kill('SIGTERM');
			await ended;
		}
		if (this.ownFolder !== undefined) rmSync(this.ownFolder, { recursive: true, force: true });
	}
}

/** Waits for the line with the program's address; discards the lines after it. */
async function addressIn(child: ChildProcess): Promise<string> {
	let said = '';
	return await new Promise<string>((resolve, reject) => {
		const look = (chunk: Buffer): void => {
			said = (said + chunk.toString()).slice(-10_000);
			const address = /listening on (http:\/\/\S+)/.exec(said)?.[1];
			if (address !== undefined) resolve(address);
		};
		child.stdout?.on('data', look);
		child.stderr?.on('data', look);
		child.once('exit', (code) => reject(new Error(`The gateway ended with ${code}: ${said}`)));
	});
}

async function untilHealthy(address: string): Promise<void> {
	const giveUpAt = performance.now() + startTimeoutMs;
	for (;;) {
		const { status } = await fetch(`${address}/health`);
		if (status === 200) return;
		if (performance.now() > giveUpAt) throw new Error('The gateway did not become healthy.');
	}
}
