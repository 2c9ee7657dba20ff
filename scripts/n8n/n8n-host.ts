import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { hashOwnerPassword, hostFolder, n8nEnvironment, type N8nPlace } from './environment';
import { freePort } from './free-port';
import { installPackage } from './install-package';
import { N8nApi } from './n8n-api';

const startTimeoutMs = 180_000;
const stopTimeoutMs = 30_000;
const keptOutput = 50_000;
const endWithParent = join(__dirname, 'end-with-parent.cjs');

/** A real n8n with our packed package in place as its own installer would put it. */
export class N8nHost extends N8nApi {
	private child: ChildProcess | undefined;

	private output = '';

	private lastExitCode: number | null = null;

	private constructor(private readonly place: N8nPlace) {
		super();
	}

	/** Without a place: a home of its own below the temporary folder, on free ports. */
	static async prepare(place: Partial<N8nPlace> = {}): Promise<N8nHost> {
		const home = place.home ?? mkdtempSync(join(tmpdir(), 'enmeshed-n8n-'));
		installPackage(home);
		return new N8nHost({
			home,
			port: place.port ?? (await freePort()),
			brokerPort: place.brokerPort ?? (await freePort()),
			passwordHash: place.passwordHash ?? hashOwnerPassword(),
		});
	}

	/** The end of what n8n wrote, over all its starts. */
	get log(): string {
		return this.output;
	}

	/** With which n8n ended the last time; null when it was killed. */
	get exitCode(): number | null {
		return this.lastExitCode;
	}

	override get url(): string {
		return `http://127.0.0.1:${this.place.port}`;
	}

	get home(): string {
		return this.place.home;
	}

	/** Starts n8n and logs in. */
	async start(): Promise<void> {
		const program = join(hostFolder(), 'node_modules', 'n8n', 'bin', 'n8n');
		const child = spawn(process.execPath, ['--require', endWithParent, program, 'start'], {
			env: n8nEnvironment(this.place),
			cwd: this.place.home,
			// A group of its own: the task runner is a child that must end with it.
			detached: true,
		});
		this.child = child;
		const keep = (chunk: Buffer): void => {
			this.output = (this.output + chunk.toString()).slice(-keptOutput);
		};
		child.stdout.on('data', keep);
		child.stderr.on('data', keep);
		await this.until(async () => (await fetch(`${this.url}/healthz/readiness`)).ok, 'ready');
		await this.until(async () => await this.login(), 'logged in');
	}

	/** Kills n8n and its task runner at once. */
	async kill(): Promise<void> {
		await this.end('SIGKILL');
	}

	/** A regular stop; n8n is killed when it does not follow. */
	async stop(): Promise<void> {
		await this.end('SIGTERM');
	}

	async dispose(): Promise<void> {
		await this.stop();
		rmSync(this.place.home, { recursive: true, force: true });
	}

	override async until(
		look: () => Promise<boolean>,
		what: string,
		timeoutMs = startTimeoutMs,
	): Promise<void> {
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

	private async end(signal: 'SIGTERM' | 'SIGKILL'): Promise<void> {
		const { child } = this;
		this.child = undefined;
		if (child?.pid === undefined) return;
		const { pid } = child;
		if (!hasEnded(child)) {
			const ended = new Promise((resolve) => child.once('exit', resolve));
			process.kill(-pid, signal);
			const timer = setTimeout(() => killGroup(pid), stopTimeoutMs);
			await ended;
			clearTimeout(timer);
		}
		// The task runner survives an n8n that crashed.
		killGroup(pid);
		this.lastExitCode = child.exitCode;
	}
}

function hasEnded({ exitCode, signalCode }: ChildProcess): boolean {
	return exitCode !== null || signalCode !== null;
}

function killGroup(leader: number): void {
	try {
		process.kill(-leader, 'SIGKILL');
	} catch {
		// Nobody of the group is left.
	}
}
