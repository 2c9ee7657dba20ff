import { spawn, spawnSync } from 'node:child_process';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';

import { claimDemo, describeRunning } from '../../../scripts/lib/demo-state.mjs';
import { Progress } from '../../../scripts/start/progress.mjs';
import { freePort } from '../../../scripts/n8n/free-port';

const projectRoot = join(__dirname, '..', '..', '..');

/* `npm start` before the demo itself runs */
describe('the progress of the installation', () => {
	it('counts each step by its usual time, in the order in which the steps end', async () => {
		const lines: string[] = [];
		const progress = new Progress({ long: 60, short: 20, last: 20 }, (line) => lines.push(line));
		let endLong = (): void => undefined;
		const long = progress.run('long', () => new Promise<void>((resolve) => (endLong = resolve)));
		expect(await progress.run('short', () => Promise.resolve('result'))).toBe('result');
		await progress.run('unknown', () => Promise.resolve());
		endLong();
		await long;
		await progress.run('last', () => Promise.resolve());
		progress.end();
		expect(lines).toEqual(
			['20 %  short (0 s)', '80 %  long (0 s)', '100 %  last (0 s)'].map(padded),
		);
	});

	it('prints no line for a step that fails', async () => {
		const lines: string[] = [];
		const progress = new Progress({ only: 1 }, (line) => lines.push(line));
		const failing = progress.run('only', () => Promise.reject(new Error('no network')));
		await expect(failing).rejects.toThrow('no network');
		progress.end();
		expect(lines).toEqual([]);
	});

	const padded = (line: string): string => line.padStart(line.length + 5 - line.indexOf('  '));
});

describe('a wanted port', () => {
	it.each(['127.0.0.1', '::1'])('is replaced while another program has it on %s', async (host) => {
		const other = createServer().listen(0, host);
		await new Promise((resolve) => other.once('listening', resolve));
		const { port } = other.address() as AddressInfo;
		expect(await freePort(port)).not.toBe(port);
		await new Promise((resolve) => other.close(resolve));
		expect(await freePort(port)).toBe(port);
	});
});

describe('the command line of npm start', () => {
	const run = (...words: string[]) =>
		spawnSync(process.execPath, ['scripts/run.mjs', 'start', ...words], {
			cwd: projectRoot,
			encoding: 'utf8',
		});

	it('helps without installing anything', () => {
		const { status, stdout } = run('--help');
		expect(status).toBe(0);
		expect(stdout).toContain('--reset    begins anew');
	});

	it('installs and resets nothing while another start of this checkout is at work', async () => {
		const claim = await claimDemo(join(projectRoot, '.tmp', 'starting'));
		try {
			const { code, said } = await new Promise<{ code: number | null; said: string }>((resolve) => {
				const words = ['scripts/run.mjs', 'start', '--reset'];
				const child = spawn(process.execPath, words, { cwd: projectRoot });
				let said = '';
				child.stdout.on('data', (chunk: Buffer) => (said += chunk.toString()));
				child.stderr.on('data', (chunk: Buffer) => (said += chunk.toString()));
				child.once('close', (code) => resolve({ code, said }));
			});
			expect(code).toBe(1);
			expect(said).toBe(`${describeRunning({})}\n`);
		} finally {
			await claim.release();
		}
	});

	it('refuses unknown options', () => {
		const { status, stdout, stderr } = run('--nonsense');
		expect(status).toBe(2);
		expect(stderr).toContain('--nonsense');
		expect(stdout).toContain('Usage: npm start');
	});
});
