import { spawn, type ChildProcess } from 'node:child_process';
import { testProgram } from '../../support/quick/test-program';
import type { Outcome, Task } from './worker';

export interface WorkerProcess {
	readonly child: ChildProcess;
	/** codes that its calls were refused with so far */
	readonly told: () => string;
	readonly outcome: Promise<Outcome>;
}

/** Runs `worker.ts` in processes of their own. */
export class WorkerProgram {
	private readonly file = testProgram('test/scenario/processes/worker.ts');

	private readonly running = new Set<ChildProcess>();

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
		// The test waits no more where the test has failed before.
		outcome.catch(() => undefined);
		return { child, told: () => said.error, outcome };
	}

	async run(task: Task): Promise<Outcome> {
		return await this.start(task).outcome;
	}

	/** Ends what a failed test has left behind, suspended processes included. */
	remove(): void {
		for (const child of this.running) child.kill('SIGKILL');
	}
}
