import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { createInterface } from 'node:readline';

export interface PeerEvent {
	readonly namespace: string;
	readonly data: Record<string, unknown>;
}

/** A refusal of the official runtime, with its code; or our own about the process, without. */
export class PeerError extends Error {
	override readonly name = 'PeerError';

	constructor(
		message: string,
		readonly code?: string,
	) {
		super(message);
	}
}

interface Waiting {
	readonly resolve: (value: unknown) => void;
	readonly reject: (error: Error) => void;
}

interface Line {
	readonly id?: number;
	readonly result?: unknown;
	readonly error?: { readonly code?: string; readonly message: string };
	readonly event?: PeerEvent;
}

const keptLogCharacters = 20_000;

const stopTimeoutMs = 10_000;

/** The process of `test/interop/peer/peer-process.cjs` and the JSON lines to and from it. */
export class PeerProcess {
	private readonly child: ChildProcessWithoutNullStreams;

	private readonly waiting = new Map<number, Waiting>();

	/** Settled when the process is gone. */
	readonly ended: Promise<void>;

	private isEnded = false;

	private nextId = 1;

	private written = '';

	constructor(
		file: string,
		processArguments: readonly string[],
		private readonly onEvent: (event: PeerEvent) => void,
	) {
		this.child = spawn(process.execPath, [file, ...processArguments]);
		this.child.stdin.on('error', (error) => this.note(`stdin: ${error.message}\n`));
		this.child.stderr.on('data', (chunk: Buffer) => this.note(chunk.toString()));
		createInterface({ input: this.child.stdout }).on('line', (line) => this.receive(line));
		this.ended = new Promise((resolve) => {
			this.child.once('error', (error) => resolve(this.end(`could not run: ${error.message}`)));
			this.child.once('close', (code) => resolve(this.end(`ended with ${String(code)}`)));
		});
	}

	/** The end of what the process wrote to its error output. */
	get log(): string {
		return this.written;
	}

	get pid(): number | undefined {
		return this.child.pid;
	}

	request(method: string, params: unknown): Promise<unknown> {
		if (this.isEnded) return Promise.reject(this.failure(`is gone, ${method} was not called`));
		const id = this.nextId++;
		return new Promise((resolve, reject) => {
			this.waiting.set(id, { resolve, reject });
			this.child.stdin.write(`${oneLine({ id, method, params })}\n`);
		});
	}

	signal(name: NodeJS.Signals): void {
		this.child.kill(name);
	}

	/** Lets the runtime store its account and end; kills it when it does not. */
	async stop(): Promise<void> {
		if (!this.isEnded) this.child.stdin.end();
		const timer = setTimeout(() => this.child.kill('SIGKILL'), stopTimeoutMs);
		await this.ended;
		clearTimeout(timer);
	}

	failure(what: string): PeerError {
		return new PeerError(`The peer ${what}. Its log: ${this.written || '(empty)'}`);
	}

	private end(what: string): void {
		this.isEnded = true;
		for (const { reject } of this.waiting.values()) reject(this.failure(what));
		this.waiting.clear();
	}

	private note(text: string): void {
		this.written = (this.written + text).slice(-keptLogCharacters);
	}

	private receive(text: string): void {
		let line: Line;
		try {
			line = JSON.parse(text) as Line;
		} catch {
			this.note(`${text}\n`);
			return;
		}
		if (line.event !== undefined) {
			this.onEvent(line.event);
			return;
		}
		const waiting = this.waiting.get(line.id ?? 0);
		this.waiting.delete(line.id ?? 0);
		if (line.error === undefined) waiting?.resolve(line.result);
		else waiting?.reject(new PeerError(line.error.message, line.error.code));
	}
}

/** JSON without the characters that Node's `readline` takes for the end of a line. */
function oneLine(value: object): string {
	return JSON.stringify(value)
		.replace(/\u2028/g, '\\u2028')
		.replace(/\u2029/g, '\\u2029');
}
