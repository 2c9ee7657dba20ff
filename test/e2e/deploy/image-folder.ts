import { spawnSync, type SpawnOptions } from 'node:child_process';
import {
	chmodSync,
	chownSync,
	copyFileSync,
	cpSync,
	existsSync,
	linkSync,
	mkdirSync,
	mkdtempSync,
	readFileSync,
	rmSync,
	statSync,
	symlinkSync,
	writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, delimiter, dirname, join, posix } from 'node:path';

import { projectRoot, replaceVariables, type Instruction, type Stage } from './dockerfile';

/** id of the user `node` in the official images */
const nodeUser = 1000;
const mayChangeUser = process.getuid?.() === 0;

/** Absolute paths of the images; all others, such as `/dev/null`, belong to the machine. */
const imagePaths = /(?<![\w.:/}])\/(?=(home|opt|packed|src|docker-entrypoint\.sh)(?!\w))/g;

interface Sources {
	/** files that the builder gets */
	readonly context: string;
	readonly stages: ReadonlyMap<string, ImageFolder>;
}

/**
 * Folder laid out like an image, in which the instructions of a Dockerfile are carried out without a
 * container engine: its absolute paths lead into the folder.
 */
export class ImageFolder {
	readonly root = mkdtempSync(join(tmpdir(), 'enmeshed-image-'));
	readonly environment: Record<string, string> = {};
	readonly volumes: string[] = [];
	/** command of the container, with the paths of this machine */
	entrypoint: string[] = [];
	command: string[] = [];
	healthCheck: string[] = [];
	private folder = this.root;
	private user: string | undefined;

	/** Lays out what the official images have: Node, the home of its user, and an init. */
	constructor() {
		chmodSync(this.root, 0o755);
		const programs = join(this.root, 'usr', 'local', 'bin');
		mkdirSync(programs, { recursive: true });
		linkOrCopy(process.execPath, join(programs, 'node'));
		this.addProgram('usr/local/bin/tini', 'shift; exec "$@"');
		const home = join(this.root, 'home', 'node');
		mkdirSync(home, { recursive: true });
		if (mayChangeUser) chownSync(home, nodeUser, nodeUser);
		this.environment['PATH'] = [programs, process.env.PATH].join(delimiter);
		this.environment['HOME'] = home;
	}

	/** Program of the base image, as a script for the shell. */
	addProgram(path: string, script: string): void {
		writeFileSync(join(this.root, path), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
	}

	play({ instructions }: Stage, sources: Sources): this {
		for (const instruction of instructions) this.carryOut(instruction, sources);
		return this;
	}

	/** Options for a process of the container; without the right to change it, the user stays. */
	get processOptions(): Pick<SpawnOptions, 'cwd' | 'env' | 'gid' | 'uid'> {
		const ids = { uid: nodeUser, gid: nodeUser };
		return {
			cwd: this.folder,
			env: this.environment,
			...(mayChangeUser && this.user === 'node' ? ids : {}),
		};
	}

	/** Path on this machine of a file in the image. */
	place(path: string): string {
		return path.startsWith('/') ? join(this.root, path) : join(this.folder, path);
	}

	remove(): void {
		rmSync(this.root, { recursive: true, force: true });
	}

	private carryOut({ name, text }: Instruction, sources: Sources): void {
		switch (name) {
			case 'COPY':
				return this.copy(text.split(/\s+/), sources);
			case 'RUN':
				return text.startsWith('npm ci ') ? this.linkDependencies() : this.run(text);
			case 'ENV':
				return this.setVariables(text);
			case 'WORKDIR':
				this.folder = this.place(text);
				mkdirSync(this.folder, { recursive: true });
				return;
			case 'USER':
				this.user = text;
				return;
			case 'VOLUME':
				this.volumes.push(this.place(text));
				return;
			case 'ENTRYPOINT':
				this.entrypoint = this.wordsOf(text);
				return;
			case 'CMD':
				this.command = this.wordsOf(text);
				return;
			case 'HEALTHCHECK':
				this.healthCheck = this.wordsOf(text.replace(/^(--\S+ )*CMD /, ''));
				return;
			case 'EXPOSE':
				return;
			default:
				throw new Error(`${name} is not known here`);
		}
	}

	private copy(words: readonly string[], { context, stages }: Sources): void {
		const flag = words.find((word) => word.startsWith('--'));
		const stage = flag === undefined ? undefined : stages.get(flag.replace('--from=', ''));
		if (flag !== undefined && stage === undefined)
			throw new Error(`COPY ${flag} is not known here`);
		const paths = words.filter((word) => word !== flag);
		const target = paths.pop() ?? '';
		const isFolder = paths.length > 1 || /(^|\/)\.?\/?$/.test(target);
		for (const path of paths) {
			const source = join(stage?.root ?? context, path);
			const isFile = statSync(source).isFile();
			const inFolder = isFile && isFolder ? join(target, basename(path)) : target;
			const placed = this.place(inFolder);
			mkdirSync(dirname(placed), { recursive: true });
			cpSync(source, placed, { recursive: true });
		}
	}

	/** The dependencies of this checkout stand for those that `npm ci` would download again. */
	private linkDependencies(): void {
		for (const file of ['.npmrc', 'package.json', 'package-lock.json']) {
			const isSame = readFileSync(this.place(file)).equals(readFileSync(join(projectRoot, file)));
			if (!isSame) throw new Error(`npm ci would read another ${file}`);
		}
		symlinkSync(join(projectRoot, 'node_modules'), this.place('node_modules'));
	}

	private run(text: string): void {
		const { status, stdout, stderr } = spawnSync('sh', ['-ec', this.onThisMachine(text)], {
			...this.processOptions,
			encoding: 'utf8',
		});
		if (status !== 0) throw new Error(`RUN ${text} ended with ${status}:\n${stdout}${stderr}`);
	}

	private setVariables(text: string): void {
		for (const pair of text.split(/\s+/)) {
			const [, name = '', value = ''] = /^(\w+)=(\S*)$/.exec(pair) ?? [];
			if (name === '') throw new Error(`ENV ${pair} is not known here`);
			this.environment[name] = this.onThisMachine(replaceVariables(value, this.environment));
		}
	}

	private wordsOf(text: string): string[] {
		return (JSON.parse(text) as string[]).map((word) => this.onThisMachine(word));
	}

	private onThisMachine(text: string): string {
		return text.replaceAll(imagePaths, `${this.root}/`);
	}
}

/** Copies what the builder gets, by the list of allowed paths in `.dockerignore`. */
export function buildContext(): string {
	const context = mkdtempSync(join(tmpdir(), 'enmeshed-context-'));
	const lines = readFileSync(join(projectRoot, '.dockerignore'), 'utf8').split('\n');
	const [first, ...allowed] = lines.filter((line) => !/^(#|$)/.test(line));
	if (first !== '*' || allowed.some((line) => !line.startsWith('!'))) {
		throw new Error('.dockerignore is expected to exclude everything, then to allow single paths');
	}
	for (const line of allowed) {
		const path = posix.normalize(line.slice(1));
		if (!existsSync(join(projectRoot, path))) throw new Error(`.dockerignore allows ${path}`);
		cpSync(join(projectRoot, path), join(context, path), { recursive: true });
	}
	return context;
}

function linkOrCopy(source: string, target: string): void {
	try {
		linkSync(source, target);
	} catch {
		copyFileSync(source, target);
	}
}
