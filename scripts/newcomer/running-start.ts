import { spawn, type ChildProcess } from 'node:child_process';
import { createInterface } from 'node:readline';

import { join } from 'node:path';

const projectRoot = join(__dirname, '..', '..');

/** What a person reads in the terminal after `npm start`. */
export interface PrintedAddresses {
	readonly n8n: string;
	readonly wallet: string;
	readonly email: string;
	readonly password: string;
}

const lines = {
	n8n: /^\s*n8n\s+(\S+)\s+\(sign in as (\S+) with (\S+)\)$/,
	wallet: /^\s*demo wallet\s+(\S+)$/,
};

/** Runs `npm start -- --reset` until it says how to stop it, and reads what it prints. */
export class RunningStart {
	private constructor(
		private readonly child: ChildProcess,
		readonly addresses: PrintedAddresses,
	) {}

	static async open(): Promise<RunningStart> {
		const child = spawn('npm', ['start', '--', '--reset'], {
			cwd: projectRoot,
			stdio: ['ignore', 'pipe', 'inherit'],
			detached: true,
		});
		const found: Partial<Record<keyof PrintedAddresses, string | undefined>> = {};
		for await (const line of createInterface({ input: child.stdout })) {
			console.log(line);
			const n8n = lines.n8n.exec(line);
			if (n8n !== null) [, found.n8n, found.email, found.password] = n8n;
			found.wallet ??= lines.wallet.exec(line)?.[1];
			if (line.startsWith('Ctrl-C')) break;
		}
		const { n8n, wallet, email, password } = found;
		if (
			n8n === undefined ||
			wallet === undefined ||
			email === undefined ||
			password === undefined
		) {
			throw new Error('npm start has ended without printing the addresses');
		}
		child.stdout.resume();
		return new RunningStart(child, { n8n, wallet, email, password });
	}

	/** Presses Ctrl-C. */
	async close(): Promise<void> {
		const ended = new Promise((resolve) => this.child.once('exit', resolve));
		process.kill(-Number(this.child.pid), 'SIGINT');
		await ended;
	}
}
