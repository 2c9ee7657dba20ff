import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';

/** Command `npx n8n-nodes-enmeshed demo` in a folder that contains the packed package. */
export class DemoProgram {
	private constructor(
		private readonly child: ChildProcess,
		/** everything that the command has printed until it was ready */
		readonly text: string,
	) {}

	static async start(folder: string, words: readonly string[]): Promise<DemoProgram> {
		const child = spawn('npx', ['--no-install', 'n8n-nodes-enmeshed', 'demo', ...words], {
			cwd: folder,
			stdio: ['ignore', 'pipe', 'pipe'],
			// Starts a process group: Ctrl-C in a terminal reaches npx and the command.
			detached: true,
		});
		let said = '';
		const text = await new Promise<string>((resolve, reject) => {
			const add = (chunk: Buffer): void => {
				said += chunk.toString();
				if (said.includes('Ctrl-C')) resolve(said);
			};
			child.stdout.on('data', add);
			child.stderr.on('data', add);
			child.once('exit', (code) => reject(new Error(`The demo ended with ${code}:\n${said}`)));
		});
		return new DemoProgram(child, text);
	}

	/** Value that the command has printed after a label, or alone in its line. */
	value(pattern: RegExp): string {
		const found = pattern.exec(this.text)?.[1];
		if (found === undefined) throw new Error(`No ${pattern} in:\n${this.text}`);
		return found;
	}

	/** @returns the exit code */
	async interrupt(): Promise<number | null> {
		if (this.child.exitCode === null && this.child.signalCode === null) {
			const ended = once(this.child, 'exit');
			process.kill(-(this.child.pid ?? 0), 'SIGINT');
			await ended;
		}
		return this.child.exitCode;
	}
}
