import { execFile, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { examplesInOneWorkflow } from '../../../scripts/cli/demo-examples';
import { testProgram } from '../../support/quick/test-program';

jest.setTimeout(120_000);

const program = testProgram('scripts/cli/cli.ts');

describe('the examples in one workflow', () => {
	const { nodes, connections } = examplesInOneWorkflow();
	const names = nodes.map(({ name }) => name);

	it('have each name and id once, and one manual trigger, as n8n requires', () => {
		expect(new Set(names).size).toBe(names.length);
		expect(new Set(nodes.map(({ id }) => id)).size).toBe(nodes.length);
		expect(nodes.filter(({ type }) => type === 'n8n-nodes-base.manualTrigger')).toHaveLength(1);
	});

	it('are connected as they are alone', () => {
		const targets = Object.values(connections as Record<string, { main: Array<Target[] | null> }>)
			.flatMap(({ main }) => main.flat())
			.map((target) => target?.node);
		expect(names).toEqual(expect.arrayContaining([...Object.keys(connections), ...targets]));
		expect(targets).toHaveLength(8);
	});

	it('lie below each other, each under a note with its number', () => {
		const notes = nodes.filter(({ type }) => type === 'n8n-nodes-base.stickyNote');
		const titles = notes.map(({ parameters }) => /^## (\d+)\. /.exec(contentOf(parameters))?.[1]);
		expect(titles).toEqual(['1', '2', '3', '13']);
		const tops = notes.map(({ position }) => position[1] ?? 0);
		expect(tops).toEqual(tops.toSorted((a, b) => a - b));
		const heights = notes.map(({ parameters }) => (parameters as { height: number }).height);
		for (const [index, top] of tops.slice(1).entries()) {
			expect(top).toBeGreaterThan((tops[index] ?? 0) + (heights[index] ?? 0));
		}
	});

	interface Target {
		readonly node: string;
	}

	const contentOf = (parameters: object): string => (parameters as { content: string }).content;
});

/** `npx n8n-nodes-enmeshed demo`, from the sources */
describe('the command demo', () => {
	let folder: string;

	beforeEach(() => {
		folder = mkdtempSync(join(tmpdir(), 'enmeshed-demo-'));
	});

	afterEach(() => rmSync(folder, { recursive: true }));

	/** Runs the command to its end; for words that are refused. */
	function run(...words: string[]): Promise<{ code: unknown; out: string; err: string }> {
		return new Promise((resolve) => {
			const all = [program, 'demo', ...words];
			execFile(process.execPath, all, { cwd: folder }, (error, out, err) =>
				resolve({ code: error?.code ?? 0, out, err }),
			);
		});
	}

	/** Starts the command, passes what it prints until it is ready, and ends it by a signal. */
	async function whileRunning(
		words: readonly string[],
		act: (said: string) => Promise<void> | void,
	): Promise<void> {
		const all = [program, 'demo', '--wallet-port', '0', ...words];
		const child = spawn(process.execPath, all, { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] });
		const ended = new Promise((resolve) => child.once('exit', resolve));
		let said = '';
		try {
			await new Promise<void>((resolve, reject) => {
				const add = (chunk: Buffer): void => {
					said += chunk.toString();
					if (said.includes('Ctrl-C')) resolve();
				};
				child.stdout.on('data', add);
				child.stderr.on('data', add);
				child.once('exit', () => reject(new Error(said)));
			});
			await act(said);
		} finally {
			child.kill('SIGTERM');
			await ended;
		}
		expect(child.exitCode).toBe(0);
	}

	async function personAt(said: string): Promise<{ name: string; address: string }> {
		const url = /^ +(http:\/\/127\.0\.0\.1:\d+)$/m.exec(said)?.[1];
		const response = await fetch(`${url}/api/people`);
		const [person] = (await response.json()) as Array<{ name: string; address: string }>;
		return person as { name: string; address: string };
	}

	it('helps with its options', async () => {
		const { code, out } = await run('--help');
		expect(code).toBe(0);
		for (const option of ['--examples', '--state', '--port', '--wallet-port', '--public-url'])
			expect(out).toContain(option);
		expect(out).toContain('--listen <address>      also accepts calls');
	});

	it.each([
		[['--port', 'x'], 'The value of --port must be a number from 0 to 65535.'],
		[['--wallet-port', '65536'], 'The value of --wallet-port must be'],
		[['--public-url', 'host:5690/path'], '--public-url must be an address without a path'],
		[['--nonsense'], '--nonsense'],
		[['--examples', 'missing/examples.json'], 'Choose another file with --examples.'],
		[['--listen', '203.0.113.9'], 'this machine cannot listen on 203.0.113.9'],
	])('refuses %j and says why', async (words, said) => {
		const { code, err } = await run('--port', '0', ...words);
		expect(code).not.toBe(0);
		expect(err).toContain(said);
	});

	it('does not replace a file with other contents', async () => {
		writeFileSync(join(folder, 'enmeshed-examples.json'), '{"name":"mine"}');
		const { code, err } = await run('--port', '0');
		expect(code).toBe(2);
		expect(err).toContain('exists and has other contents. Choose another file with --examples.');
		expect(readFileSync(join(folder, 'enmeshed-examples.json'), 'utf8')).toBe('{"name":"mine"}');
	});

	it('names a taken port that was chosen, and what to do', async () => {
		const other = createServer().listen(0, '127.0.0.1');
		await new Promise((resolve) => other.once('listening', resolve));
		const port = String((other.address() as AddressInfo).port);
		const backbone = await run('--port', port);
		const wallet = await run('--port', '0', '--wallet-port', port);
		await new Promise((resolve) => other.close(resolve));
		const taken = (name: string): string => `Port ${port} (${name}) is taken by another program.`;
		expect(backbone).toMatchObject({ code: 2, out: '' });
		expect(backbone.err).toContain(`${taken('Backbone')} Stop that program, or choose a port`);
		expect(wallet.err).toContain(`${taken('demo wallet')} Stop that program, or choose a port`);
	});

	it('keeps its people on request, for one process at a time', async () => {
		const words = ['--port', '0', '--state', 'kept', '--examples', 'a.json'];
		let address = '';
		await whileRunning(words, async (said) => {
			({ address } = await personAt(said));
			expect(said).toContain(`The data is kept in ${join(folder, 'kept')}`);
			const second = await run('--port', '0', '--state', 'kept');
			expect(second.err).toContain('Another demo uses the folder');
		});
		expect(existsSync(join(folder, 'a.json'))).toBe(true);
		await whileRunning(words, async (said) => {
			expect((await personAt(said)).address).toBe(address);
		});
		const elsewhere = await run('--state', 'kept', '--public-url', 'http://backbone.example:0');
		expect(elsewhere.err).toContain('Use the same --public-url as before, or another folder.');
	});

	it('opens the wallet beyond a container on request, and prints an address that can be called', async () => {
		await whileRunning(['--port', '0', '--wallet-listen', '0.0.0.0'], async (said) => {
			expect((await personAt(said)).name).not.toBe('');
		});
	});

	it('gives people addresses with the public name, which this machine need not know', async () => {
		const url = 'http://demo.backbone.example';
		await whileRunning(['--port', '0', '--public-url', url], async (said) => {
			expect(said).toContain(`Backbone URL   ${url}\n`);
			expect(said).not.toContain('Address Hostname');
			const { address } = await personAt(said);
			expect(address).toMatch(/^did:e:demo\.backbone\.example:dids:/);
		});
	});
});
