import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { buildSync, transformSync } from 'esbuild';
import { until } from './until';

const root = join(__dirname, '..', '..');

/** Programs of a page of the documentation, in their order. */
export function documentedPrograms(page: string): string[] {
	const text = readFileSync(join(root, 'docs', page), 'utf8');
	return [...text.matchAll(/```ts\n([^]*?)```/g)].map(([, program = '']) => program);
}

/** Runs TypeScript programs that use the library, each in a process of its own. */
export class LibraryPrograms {
	private readonly folder = mkdtempSync(join(tmpdir(), 'enmeshed-programs-'));

	private readonly library: string;

	private readonly running: LibraryProgram[] = [];

	/** @param library built entry of the library; absent: the sources */
	constructor(library?: string) {
		this.library = library ?? join(this.folder, 'library.js');
		if (library !== undefined) return;
		buildSync({
			absWorkingDir: root,
			entryPoints: {
				library: 'index.ts',
				'password-hash-worker': join(root, 'core/crypto/password-hash-worker.mts'),
			},
			bundle: true,
			format: 'cjs',
			logLevel: 'error',
			outdir: this.folder,
			platform: 'node',
			external: ['pg-native', 'n8n-workflow'],
		});
	}

	/** @param replaced texts of the program and what stands in their place */
	start(program: string, replaced: Readonly<Record<string, string>> = {}): LibraryProgram {
		const given = { "'n8n-nodes-enmeshed'": `'${pathToFileURL(this.library).href}'`, ...replaced };
		const text = Object.entries(given).reduce((whole, [from, to]) => {
			if (!whole.includes(from)) throw new Error(`The program does not contain ${from}`);
			return whole.replaceAll(from, to);
		}, program);
		const { code } = transformSync(text, { loader: 'ts', format: 'esm', target: 'node22' });
		const file = join(this.folder, `program-${this.running.length}.mjs`);
		writeFileSync(file, code);
		const started = new LibraryProgram(file);
		this.running.push(started);
		return started;
	}

	async close(): Promise<void> {
		for (const program of this.running) await program.kill();
		rmSync(this.folder, { recursive: true, force: true });
	}
}

class LibraryProgram {
	output = '';

	private readonly child: ChildProcess;

	private readonly ended: Promise<unknown>;

	constructor(file: string) {
		const child = spawn(process.execPath, [file], { stdio: ['ignore', 'pipe', 'pipe'] });
		for (const stream of [child.stdout, child.stderr]) {
			stream.on('data', (chunk: Buffer) => (this.output += chunk.toString()));
		}
		this.child = child;
		this.ended = once(child, 'close');
	}

	/** @throws if the program ends before it has written the text so often */
	async writes(text: string, times = 1): Promise<void> {
		await until(() => this.output.split(text).length > times || this.hasEnded, 60_000);
		if (this.output.split(text).length > times) return;
		throw new Error(`The program ended with ${this.child.exitCode}:\n${this.output}`);
	}

	/** Ends the program as an operator does; the exit code. */
	async stop(): Promise<number | null> {
		this.child.kill('SIGTERM');
		await this.ended;
		return this.child.exitCode;
	}

	async kill(): Promise<void> {
		if (!this.hasEnded) this.child.kill('SIGKILL');
		await this.ended;
	}

	private get hasEnded(): boolean {
		return this.child.exitCode !== null || this.child.signalCode !== null;
	}
}
