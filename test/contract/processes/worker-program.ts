import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildSync } from 'esbuild';
import { quietNode } from '../../support/nodes';
import type { WorkerTask } from './worker';

export interface WorkerOutcome {
	readonly killed: boolean;
	readonly result: unknown;
	readonly failure: string;
}

/** Runs uses of a store in processes of their own. */
export class WorkerProgram {
	private readonly scratch = mkdtempSync(join(tmpdir(), 'enmeshed-worker-'));

	private readonly file = join(this.scratch, 'worker.js');

	constructor(private readonly node = process.execPath) {
		buildSync({
			entryPoints: {
				worker: join(__dirname, 'worker.ts'),
				// An older Node computes the key of a passphrase in a file of its own.
				'password-hash-worker': join(__dirname, '../../../core/crypto/password-hash-worker.mts'),
			},
			bundle: true,
			format: 'cjs',
			logLevel: 'error',
			outdir: this.scratch,
			platform: 'node',
			target: 'node22',
		});
	}

	run(task: WorkerTask): Promise<WorkerOutcome> {
		return this.execute(this.node, [quietNode, this.file, JSON.stringify(task)]);
	}

	/** No file may grow beyond so many blocks, of 512 or 1,024 bytes: the system refuses the write. */
	runWithSmallFiles(task: WorkerTask, blocks: number): Promise<WorkerOutcome> {
		const script = `ulimit -f ${blocks} && exec "$0" "$@"`;
		const program = [this.node, quietNode, this.file, JSON.stringify(task)];
		return this.execute('/bin/sh', ['-c', script, ...program]);
	}

	private execute(command: string, parameters: readonly string[]): Promise<WorkerOutcome> {
		return new Promise((resolve) => {
			execFile(command, parameters, (error, stdout, stderr) => {
				resolve({
					killed: error?.signal === 'SIGKILL',
					result: stdout === '' ? undefined : (JSON.parse(stdout) as unknown),
					failure: stderr,
				});
			});
		});
	}

	remove(): void {
		rmSync(this.scratch, { recursive: true, force: true });
	}
}
