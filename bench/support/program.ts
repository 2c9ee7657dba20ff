import { fork, type ChildProcess } from 'node:child_process';
import type { ProgramAnswer } from '../programs/serve';

interface Waiting {
	readonly resolve: (value: never) => void;
	readonly reject: (error: Error) => void;
}

/** Program of the benchmark in a process of its own. */
export class Program {
	private readonly child: ChildProcess;

	private readonly waiting = new Map<number, Waiting>();

	private readonly ended: Promise<void>;

	private nextId = 1;

	constructor(
		private readonly file: string,
		programArguments: readonly string[] = [],
	) {
		this.child = fork(file, [...programArguments], { execArgv: ['--expose-gc'] });
		this.child.on('message', (answer: ProgramAnswer) => this.settle(answer));
		this.ended = new Promise((resolve) => {
			this.child.once('exit', (code) => {
				this.fail(`ended with ${String(code)}`);
				resolve();
			});
		});
	}

	call<Result>(method: string, params: unknown = {}): Promise<Result> {
		const id = this.nextId++;
		return new Promise<Result>((resolve, reject) => {
			this.waiting.set(id, { resolve, reject });
			this.child.send({ id, method, params });
		});
	}

	async stop(): Promise<void> {
		if (this.child.connected) this.child.disconnect();
		await this.ended;
	}

	/** Ends the process at once, as a crash does; calls in progress are rejected. */
	async kill(): Promise<void> {
		this.child.kill('SIGKILL');
		await this.ended;
	}

	private settle(answer: ProgramAnswer): void {
		const waiting = this.waiting.get(answer.id);
		this.waiting.delete(answer.id);
		if ('result' in answer) waiting?.resolve(answer.result as never);
		else waiting?.reject(new Error(`${this.file}: ${answer.error}`));
	}

	private fail(what: string): void {
		for (const { reject } of this.waiting.values()) reject(new Error(`${this.file} ${what}`));
		this.waiting.clear();
	}
}
