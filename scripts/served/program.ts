import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

/** Built command in a process of its own. */
export class Program {
	private constructor(
		private readonly child: ChildProcess,
		/** what the program has said of its address */
		readonly address: string,
	) {}

	/**
	 * @param address what the program prints when it is ready, with the address as its first group
	 */
	static async start(
		dist: string,
		words: readonly string[],
		address: RegExp,
		environment: NodeJS.ProcessEnv = {},
	): Promise<Program> {
		const child = spawn(process.execPath, [join(dist, 'cli.js'), ...words], {
			stdio: ['ignore', 'pipe', 'pipe'],
			env: { PATH: process.env.PATH, ...environment },
		});
		let said = '';
		const found = await new Promise<string>((resolve, reject) => {
			const look = (chunk: Buffer): void => {
				said = (said + chunk.toString()).slice(-10_000);
				const shown = address.exec(said)?.[1];
				if (shown !== undefined) resolve(shown);
			};
			child.stdout.on('data', look);
			child.stderr.on('data', look);
			child.once('exit', (code) => reject(new Error(`'${words[0]}' ended with ${code}: ${said}`)));
		});
		return new Program(child, found);
	}

	get pid(): number {
		if (this.child.pid === undefined) throw new TypeError('The program does not run');
		return this.child.pid;
	}

	async stop(): Promise<void> {
		if (this.child.exitCode !== null || this.child.signalCode !== null) return;
		const ended = once(this.child, 'exit');
		this.child.kill('SIGTERM');
		await ended;
	}
}
