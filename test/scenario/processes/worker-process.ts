import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildSync } from 'esbuild';
import type { Outcome, Task } from './worker';

export interface WorkerProcess {
	readonly child: ChildProcess;
	/** codes that its calls were refused with so far */
	readonly told: () => string;
	readonly outcome: Promise<Outcome>;
}

/** Runs `worker.ts` in processes of their own. */
export class WorkerProgram {
	private readonly scratch = mkdtempSync(join(tmpdir(), 'enmeshed-processes-'));

	private readonly file = join(this.scratch, 'worker.cjs');

	private readonly running = new Set<ChildProcess>();

	constructor() {
		buildSync({
			entryPoints: [join(__dirname, 'worker.ts')],
			bundle: true,
			external: ['pg-native'],
			format: 'cjs',
			logLevel: 'error',
			outfile: this.file,
			platform: 'node',
			target: 'node22',
		});
	}

	start(task: Task): WorkerProcess {
		const child = spawn(process.execPath, [this.file, JSON.stringify(task)], {
			stdio: ['ignore', 'pipe', 'pipe'],
		});
		this.running.add(child);
		const said = { out: '', error: '' };
		child.stdout.on('data', (data: Buffer) => (said.out += data.toString()));
		child.stderr.on('data', (data: Buffer) => (said.error += data.toString()));
		const outcome = new Promise<Outcome>((resolve, reject) => {
			child.on('close', (code) => {
				this.running.delete(child);
				if (code === 0 && said.out !== '') resolve(JSON.parse(said.out) as Outcome);
				else reject(new Error(`the process ended with ${code}: ${said.error}`));
			});
		});
		// Nobody waits any more where the test has failed before.
		outcome.catch(() => undefined);
		return { child, told: () => said.error, outcome };
	}

	async run(task: Task): Promise<Outcome> {
		return await this.start(task).outcome;
	}

	/** Whatever a failed test has left behind ends with it, also what stands still. */
	remove(): void {
		for (const child of this.running) child.kill('SIGKILL');
		rmSync(this.scratch, { recursive: true, force: true });
	}
}
