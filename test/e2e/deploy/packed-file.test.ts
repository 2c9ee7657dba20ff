import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { freePort } from '../../../scripts/n8n/free-port';
import { N8nHost } from '../../support/n8n/n8n-host';
import { testsIn } from '../support/n8n-test';
import { projectRoot } from './dockerfile';

jest.setTimeout(600_000);

/** 'Try it in the n8n that you have' of the README, before the package is published. */
describe('the packed file', () => {
	let home: string;
	let host: N8nHost | undefined;
	const it = testsIn(() => host, 500_000);

	beforeAll(() => {
		home = mkdtempSync(join(tmpdir(), 'enmeshed-packed-'));
	});

	afterAll(async () => {
		await host?.stop();
		rmSync(home, { recursive: true, force: true });
	});

	it('is made by npm run demo, which starts the demo from it', async () => {
		const ports = ['--port', String(await freePort()), '--wallet-port', String(await freePort())];
		const words = [...ports, '--examples', join(home, 'examples.json')];
		const demo = spawn('npm', ['run', 'demo', '--', ...words], {
			cwd: projectRoot,
			stdio: ['ignore', 'pipe', 'pipe'],
			// Starts a process group: Ctrl-C in a terminal reaches npm and the command.
			detached: true,
		});
		const ended = once(demo, 'exit');
		let said = '';
		await new Promise<void>((resolve, reject) => {
			const add = (chunk: Buffer): void => {
				said += chunk.toString();
				if (said.includes('Ctrl-C')) resolve();
			};
			demo.stdout.on('data', add);
			demo.stderr.on('data', add);
			demo.once('exit', (code) => reject(new Error(`The demo ended with ${code}:\n${said}`)));
		});
		expect(said).toContain(`Packed as ${packedFile()}.`);
		const url = /Backbone URL +(\S+)/.exec(said)?.[1];
		expect((await fetch(`${url}/health`)).status).toBe(200);
		process.kill(-(demo.pid ?? 0), 'SIGINT');
		await ended;
	});

	it('gets into an n8n with the lines of the README', async () => {
		const install = (): void => {
			const env = { ...process.env, HOME: home };
			execFileSync('sh', ['-ec', installingLines()], { cwd: projectRoot, env });
		};
		// n8n finds its folder by the home of its user.
		const environment = { HOME: home, N8N_USER_FOLDER: undefined };
		host = await N8nHost.prepare({ home, environment }, { install });
		await host.start();
		const names = (await host.nodeTypes()).map(({ name }) => name);
		expect(names).toEqual(
			expect.arrayContaining(['n8n-nodes-enmeshed.enmeshed', 'n8n-nodes-enmeshed.enmeshedTrigger']),
		);
	});
});

/** The block of the README that unpacks the file. */
function installingLines(): string {
	const readme = readFileSync(join(projectRoot, 'README.md'), 'utf8');
	const [, section = ''] = /^## Try it in the n8n that you have$([^]*?)^## /m.exec(readme) ?? [];
	const blocks = [...section.matchAll(/^```sh$([^]*?)^```$/gm)].map(([, lines = '']) => lines);
	const found = blocks.filter((lines) => lines.includes('tar -xzf'));
	expect(found).toHaveLength(1);
	return found[0] ?? '';
}

/** Absolute path of the file that the README unpacks. */
function packedFile(): string {
	const [, file = ''] = /tar -xzf (\S+)/.exec(installingLines()) ?? [];
	return join(projectRoot, file);
}
