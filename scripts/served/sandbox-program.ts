import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

/** Built sandbox Backbone in a process of its own. */
export class SandboxProgram {
	private constructor(
		private readonly child: ChildProcess,
		readonly url: string,
	) {}

	/** @param words additional arguments of the command */
	static async start(dist: string, words: readonly string[] = []): Promise<SandboxProgram> {
		const child = spawn(process.execPath, [join(dist, 'cli.js'), 'sandbox', ...words], {
			stdio: ['ignore', 'pipe', 'inherit'],
			env: { PATH: process.env.PATH },
		});
		let said = '';
		const url = await new Promise<string>((resolve, reject) => {
			child.stdout.on('data', (chunk: Buffer) => {
				said += chunk.toString();
				const found = /Backbone URL\s+(http:\/\/\S+)/.exec(said)?.[1];
				if (found !== undefined) resolve(found);
			});
			child.once('exit', (code) => reject(new Error(`The sandbox ended with ${code}.`)));
		});
		return new SandboxProgram(child, url);
	}

	async stop(): Promise<void> {
		if (this.child.exitCode !== null || this.child.signalCode !== null) return;
		const ended = once(this.child, 'exit');
		this.child.kill('SIGTERM');
		await ended;
	}
}
