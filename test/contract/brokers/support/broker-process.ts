import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

const patienceMs = 120_000;

/** Where Debian puts daemons, which is not on everybody's path. */
const folders = [
	...(process.env.PATH ?? '').split(delimiter),
	'/usr/sbin',
	'/usr/local/sbin',
	'/usr/lib/rabbitmq/bin',
];

/** The first of the programs that this machine has. */
export function findProgram(...names: readonly string[]): string | undefined {
	return names
		.flatMap((name) =>
			name.startsWith('/') ? [name] : folders.map((folder) => join(folder, name)),
		)
		.find((file) => existsSync(file));
}

export interface BrokerCommand {
	readonly program: string;
	readonly words: readonly string[];
	readonly folder: string;
	readonly environment?: NodeJS.ProcessEnv;
	/** throws until it serves */
	ready(): Promise<unknown>;
}

/** A broker of the test's own, which can be stopped and started again over the same data. */
export class BrokerProcess {
	private child: ChildProcess | undefined;

	private said = '';

	constructor(private readonly command: BrokerCommand) {}

	async start(): Promise<void> {
		const { program, words, folder, environment, ready } = this.command;
		// A group of its own: some brokers are scripts that start the program proper.
		const child = spawn(program, words, {
			cwd: folder,
			detached: true,
			env: { ...process.env, ...environment },
		});
		this.child = child;
		for (const stream of [child.stdout, child.stderr]) {
			stream.on('data', (chunk: Buffer) => (this.said = (this.said + chunk).slice(-5_000)));
		}
		child.on('error', (error) => (this.said += String(error)));
		const giveUpAt = Date.now() + patienceMs;
		for (;;) {
			try {
				await ready();
				return;
			} catch (error) {
				const isDead = child.exitCode !== null || child.pid === undefined;
				if (isDead || Date.now() > giveUpAt) {
					throw new Error(`${program} did not start (${String(error)}): ${this.said}`);
				}
				await new Promise((resolve) => setTimeout(resolve, 100));
			}
		}
	}

	/** Resolves when the process is gone. */
	async stop(): Promise<void> {
		const { child } = this;
		this.child = undefined;
		if (child?.pid === undefined || child.exitCode !== null) return;
		const gone = once(child, 'exit');
		process.kill(-child.pid, 'SIGTERM');
		await gone;
	}

	signal(name: NodeJS.Signals): void {
		this.child?.kill(name);
	}
}
