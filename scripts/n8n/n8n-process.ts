import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { join } from 'node:path';

import { hostFolder } from './host-folder.cjs';

const stopTimeoutMs = 30_000;
const keptOutput = 50_000;
const endWithParent = join(__dirname, 'end-with-parent.cjs');

/** Command that starts the installed n8n; the arguments of its command line follow. */
export const n8nCommand = (): string[] => [
	...[process.execPath, '--require', endWithParent],
	join(hostFolder(), 'node_modules', 'n8n', 'bin', 'n8n'),
];

/** Process of n8n with its task runner; it can be restarted after its end. */
export class N8nProcess {
	private child: ChildProcess | undefined;

	private output = '';

	private wasKilled = false;

	/**
	 * @param words arguments of n8n's command line, for example `start`
	 * @param command another command that ends in n8n
	 */
	constructor(
		private readonly words: readonly string[],
		private readonly environment: NodeJS.ProcessEnv,
		private readonly folder: string,
		private readonly command: readonly string[] = n8nCommand(),
	) {}

	/** End of n8n's output, over all starts. */
	get log(): string {
		return this.output;
	}

	/**
	 * True if the last run ended without being killed. Its exit code says less: with its last step
	 * n8n 2.41 may crash (SIGSEGV) on a busy machine, in the sandbox of its expressions
	 * (isolated-vm).
	 */
	get endedItself(): boolean {
		return !this.wasKilled;
	}

	spawn(): void {
		const [program = '', ...fixed] = this.command;
		const child = spawn(program, [...fixed, ...this.words], {
			env: this.environment,
			cwd: this.folder,
			// Starts a process group, because the task runner is a child that must end with n8n. Windows
			// has none, and would open another window.
			detached: process.platform !== 'win32',
		});
		this.child = child;
		const keep = (chunk: Buffer): void => {
			this.output = (this.output + chunk.toString()).slice(-keptOutput);
		};
		child.stdout.on('data', keep);
		child.stderr.on('data', keep);
	}

	/** Polls until the function returns true; an exception counts as false. */
	async until(look: () => Promise<boolean>, what: string, timeoutMs: number): Promise<void> {
		const giveUpAt = Date.now() + timeoutMs;
		let last: unknown;
		while (Date.now() < giveUpAt) {
			try {
				if (await look()) return;
			} catch (error) {
				last = error;
			}
			if (this.child !== undefined && hasEnded(this.child)) {
				last = `it ended with ${this.child.exitCode ?? this.child.signalCode}`;
				break;
			}
			await new Promise((resolve) => setTimeout(resolve, 300));
		}
		throw new Error(`n8n is not ${what}: ${String(last)}\n${this.output.slice(-6_000)}`);
	}

	/** Ends n8n and its task runner; kills them if they do not end in time. */
	async end(signal: 'SIGTERM' | 'SIGKILL'): Promise<void> {
		const { child } = this;
		this.child = undefined;
		if (child?.pid === undefined) return;
		const { pid } = child;
		this.wasKilled = signal === 'SIGKILL';
		if (!hasEnded(child)) {
			const ended = new Promise((resolve) => child.once('exit', resolve));
			signalGroup(pid, signal);
			const timer = setTimeout(() => {
				this.wasKilled = true;
				killGroup(pid);
			}, stopTimeoutMs);
			await ended;
			clearTimeout(timer);
		}
		// The task runner survives a crash of n8n.
		killGroup(pid);
	}
}

function hasEnded({ exitCode, signalCode }: ChildProcess): boolean {
	return exitCode !== null || signalCode !== null;
}

/** On Windows, which cannot ask a process to end, kills n8n and the processes that it started. */
function signalGroup(leader: number, signal: NodeJS.Signals): void {
	if (process.platform !== 'win32') process.kill(-leader, signal);
	else spawnSync('taskkill', ['/pid', String(leader), '/t', '/f']);
}

function killGroup(leader: number): void {
	try {
		signalGroup(leader, 'SIGKILL');
	} catch {
		// The group has ended already.
	}
}
