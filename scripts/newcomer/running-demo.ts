import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

const projectRoot = join(__dirname, '..', '..');

/** What a person reads in the terminal after `npm start`. */
export interface PrintedAddresses {
	readonly n8n: string;
	readonly wallet: string;
	readonly email: string;
	readonly password: string;
}

/** Runs with the demo of `npm start -- --reset`, and ends it as Ctrl-C does. */
export async function withRunningDemo<Result>(
	work: (addresses: PrintedAddresses) => Promise<Result>,
): Promise<Result> {
	const start = spawn('npm', ['start', '--', '--reset'], {
		cwd: projectRoot,
		stdio: ['ignore', 'pipe', 'inherit'],
		detached: true,
	});
	const ended = once(start, 'exit');
	try {
		const addresses = await readAddresses(createInterface({ input: start.stdout }));
		start.stdout.resume();
		return await work(addresses);
	} finally {
		if (start.exitCode === null) process.kill(-Number(start.pid), 'SIGINT');
		await ended;
	}
}

/** Reads what `npm start` prints until it says how to stop it. */
async function readAddresses(lines: AsyncIterable<string>): Promise<PrintedAddresses> {
	let printed = '';
	for await (const line of lines) {
		console.log(line);
		printed += `${line}\n`;
		if (line.startsWith('Ctrl-C')) break;
	}
	const [, n8n, email, password] =
		/^\s*n8n\s+(\S+)\s+\(sign in as (\S+) with (\S+)\)$/m.exec(printed) ?? [];
	const [, wallet] = /^\s*demo wallet\s+(\S+)$/m.exec(printed) ?? [];
	if (n8n === undefined || email === undefined || password === undefined || wallet === undefined) {
		throw new Error('npm start has ended without printing the addresses');
	}
	return { n8n, wallet, email, password };
}
