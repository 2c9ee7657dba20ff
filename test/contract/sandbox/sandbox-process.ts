import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import type { SandboxBackbone } from '../../../sandbox/sandbox-backbone';
import { SandboxBench } from '../../sandbox/support/raw-client';
import { testProgram } from '../../support/quick/test-program';

/** A sandbox in a process of its own, which can be killed. */
export class SandboxProcess {
	private constructor(
		private readonly child: ChildProcess,
		readonly bench: SandboxBench,
	) {}

	static async start(stateFile: string): Promise<SandboxProcess> {
		const child = fork(testProgram('test/contract/sandbox/sandbox-process-main.ts'), [stateFile], {
			stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
		});
		const ended = once(child, 'exit').then(([code]) => {
			throw new Error(`The sandbox ended with ${String(code)} before it listened.`);
		});
		const [baseUrl] = (await Promise.race([once(child, 'message'), ended])) as [string];
		ended.catch(() => undefined);
		// Only the address is known of a sandbox in another process.
		return new SandboxProcess(child, new SandboxBench({ baseUrl } as SandboxBackbone));
	}

	async kill(): Promise<void> {
		if (this.child.exitCode !== null || this.child.signalCode !== null) return;
		const ended = once(this.child, 'exit');
		this.child.kill('SIGKILL');
		await ended;
	}
}
