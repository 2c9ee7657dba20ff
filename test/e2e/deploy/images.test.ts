import { execFile, spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import {
	cpSync,
	existsSync,
	mkdirSync,
	readdirSync,
	readFileSync,
	rmSync,
	statSync,
	writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { devDependencies } from '../../../package.json';
import { SandboxBackbone } from '../../../sandbox/sandbox-backbone';
import { freePort } from '../../../scripts/n8n/free-port';
import { n8nCommand } from '../../../scripts/n8n/n8n-process';
import { dependencies as hostDependencies } from '../../../scripts/n8n/package.json';
import { N8nHost } from '../../support/n8n/n8n-host';
import { until } from '../../support/until';
import { testsIn } from '../support/n8n-test';
import { projectRoot, readDockerfile, replaceVariables } from './dockerfile';
import { buildContext, ImageFolder } from './image-folder';

jest.setTimeout(600_000);

const n8nStages = readDockerfile('deploy/n8n/Dockerfile');
const gatewayStages = readDockerfile('deploy/gateway/Dockerfile');

const isLinux = process.platform === 'linux';
const title = isLinux ? 'the images' : 'the images (their programs need Linux)';

/** The steps of the Dockerfiles, carried out in folders that are laid out like the images. */
(isLinux ? describe : describe.skip)(title, () => {
	let context: string;
	let packed: ImageFolder;
	const folders: ImageFolder[] = [];

	function imageOf(stages: typeof n8nStages): ImageFolder {
		const image = new ImageFolder();
		folders.push(image);
		const [, last] = stages;
		if (last === undefined) throw new Error('The Dockerfile is expected to have two stages');
		return image.play(last, { context, stages: new Map([['packed', packed]]) });
	}

	beforeAll(() => {
		context = buildContext();
		packed = new ImageFolder();
		folders.push(packed);
		const [first] = n8nStages;
		if (first !== undefined) packed.play(first, { context, stages: new Map() });
	});

	afterAll(() => {
		for (const folder of folders) folder.remove();
		rmSync(context, { recursive: true, force: true });
	});

	it('start from the versions that the tests use, and share the first stage', () => {
		expect(n8nStages.map(({ base }) => base)).toEqual([
			`node:${devDependencies.node}-slim`,
			`docker.n8n.io/n8nio/n8n:${hostDependencies.n8n}`,
		]);
		expect(gatewayStages[0]).toEqual(n8nStages[0]);
		expect(gatewayStages[1]?.base).toBe(`node:${devDependencies.node}-slim`);
	});

	describe('of n8n', () => {
		let image: ImageFolder;
		let target: string;
		let host: N8nHost | undefined;
		const it = testsIn(() => host, 500_000);

		beforeAll(() => {
			image = imageOf(n8nStages);
			target = image.place('/home/node/.n8n/nodes/node_modules/n8n-nodes-enmeshed');
			const n8n = n8nCommand().map((word) => `'${word}'`);
			image.addProgram('docker-entrypoint.sh', `exec ${n8n.join(' ')} "$@"`);
		});

		afterAll(async () => {
			await host?.stop();
		});

		/** Starts a container whose n8n only prints its arguments. */
		async function start(...words: string[]): Promise<string> {
			image.addProgram('docker-entrypoint.sh', 'echo "n8n $@"');
			const [program = '', ...fixed] = image.entrypoint;
			const { stdout } = await promisify(execFile)(
				program,
				[...fixed, ...words],
				image.processOptions,
			);
			return stdout.toString().trim();
		}

		const differences = (): string =>
			spawnSync('diff', ['-r', join(packed.root, 'packed'), target], { encoding: 'utf8' }).stdout;

		it('loads the nodes from a volume that was empty', async () => {
			expect(existsSync(target)).toBe(false);
			const home = image.place('/home/node');
			const environment = { N8N_USER_FOLDER: undefined, ...image.environment };
			const options = { install: () => undefined, command: image.entrypoint };
			host = await N8nHost.prepare({ home, environment }, options);
			await host.start();
			const names = (await host.nodeTypes()).map(({ name }) => name);
			expect(names).toEqual(
				expect.arrayContaining([
					'n8n-nodes-enmeshed.enmeshed',
					'n8n-nodes-enmeshed.enmeshedTrigger',
				]),
			);
			const port = new URL(host.url).port;
			for (const file of ['deploy/compose.try.yaml', 'deploy/compose.queue.yaml']) {
				const [check = []] = healthChecksOf(file);
				const onPort = check.map((word) => word.replace('5678', port));
				expect(await exitCodeOf(image, onPort)).toBe(0);
			}
			await host.stop();
		});

		it('allows unverified packages, which n8n 3.0 does not load otherwise', async () => {
			expect(image.environment['N8N_UNVERIFIED_PACKAGES_ENABLED']).toBe('true');
		});

		it('passes the commands of queue mode on', async () => {
			expect(await start('worker', '--concurrency=5')).toBe('n8n worker --concurrency=5');
			expect(await start()).toBe('n8n');
		});

		it('leaves the package alone when the volume has the same', async () => {
			const { ino } = statSync(target);
			await start();
			expect(statSync(target).ino).toBe(ino);
			expect(differences()).toBe('');
		});

		it('replaces another version, also when several containers share the volume', async () => {
			const manifest = join(target, 'package.json');
			writeFileSync(manifest, readFileSync(manifest, 'utf8').replace('"version"', '"older"'));
			writeFileSync(join(target, 'dist', 'left-over.js'), '');
			await Promise.all([start(), start('worker'), start('worker'), start('webhook')]);
			expect(differences()).toBe('');
			expect(readdirSync(join(target, '..'))).toEqual(['n8n-nodes-enmeshed']);
		});

		it('does not start n8n when the volume cannot be written', async () => {
			const home = image.place('/home/node');
			const kept = join(home, 'kept');
			cpSync(join(home, '.n8n'), kept, { recursive: true });
			rmSync(join(home, '.n8n'), { recursive: true });
			writeFileSync(join(home, '.n8n'), '');
			await expect(start()).rejects.toThrow(/\.n8n/);
			rmSync(join(home, '.n8n'));
			mkdirSync(join(home, '.n8n'));
			await start();
			expect(differences()).toBe('');
		});
	});

	describe('of the HTTP gateway', () => {
		let image: ImageFolder;
		let backbone: SandboxBackbone;
		const containers: ChildProcess[] = [];
		let log = '';

		beforeAll(async () => {
			image = imageOf(gatewayStages);
			backbone = await SandboxBackbone.open();
		});

		afterAll(async () => {
			for (const container of containers) container.kill('SIGKILL');
			await backbone?.close();
		});

		/** Starts a container with the environment that `docker run --env` would add. */
		function start(command: readonly string[], environment: Record<string, string>): ChildProcess {
			const [program = '', ...fixed] = image.entrypoint;
			const container = spawn(program, [...fixed, ...command], {
				...image.processOptions,
				env: { ...image.environment, ...environment },
				stdio: ['ignore', 'pipe', 'pipe'],
			});
			containers.push(container);
			log = '';
			const keep = (chunk: Buffer): void => void (log += chunk.toString());
			container.stdout.on('data', keep);
			container.stderr.on('data', keep);
			return container;
		}

		it('listens on all interfaces of the container by its setting', () => {
			expect(image.environment['infrastructure__httpServer__host']).toBe('0.0.0.0');
		});

		it('serves as a user without rights, is healthy, and keeps its data in the volume', async () => {
			expect(image.processOptions.uid ?? process.getuid?.()).not.toBe(0);
			const filledIn = { BACKBONE_URL: backbone.baseUrl, BACKBONE_CLIENT_ID: 'test' };
			const secrets = { BACKBONE_CLIENT_SECRET: 'test', RABBITMQ_PASSWORD: 'secret' };
			const keys = { API_KEY: 'Of-The-Test-Which-Calls-Nothing-0123!', STORAGE_PASSPHRASE: 'secret' };
			const own = {
				...environmentOf('deploy/compose.gateway.yaml', { ...filledIn, ...secrets, ...keys }),
				// The test stays on this machine, and on a port that no other program uses.
				infrastructure__httpServer__host: '127.0.0.1',
				infrastructure__httpServer__port: String(await freePort()),
			};
			const gateway = start(image.command, own);
			await until(async () => log.includes('listening on') || gateway.exitCode !== null, 60_000);
			expect(log).toContain('listening on');
			// Names settings that have no effect or are not needed.
			expect(log).not.toContain('the setting');
			expect(await exitCodeOf(image, image.healthCheck, own)).toBe(0);
			expect(image.volumes).toHaveLength(1);
			expect(readdirSync(image.volumes[0] ?? '')).toContain('default.sqlite');
			gateway.kill('SIGTERM');
			const [code] = (await once(gateway, 'exit')) as [number | null];
			expect(code).toBe(0);
			expect(await exitCodeOf(image, image.healthCheck, own)).toBe(1);
		});

		it('runs the sandbox with the wallet as the compose file does', async () => {
			const words = commandOf('deploy/compose.try.yaml');
			const [port, walletPort] = [await freePort(), await freePort()];
			// The test stays on this machine; the address stands for one of the container.
			const own = words.map((word) =>
				word.replace('0.0.0.0', '127.0.0.2').replace('5690', `${port}`),
			);
			const demo = start([...own, '--wallet-port', String(walletPort)], {});
			await until(async () => log.includes('Ctrl-C') || demo.exitCode !== null, 60_000);
			expect(log).toContain(`Backbone URL   http://backbone.internal:${port}\n`);
			// Host names in addresses are asked for only if official software refuses the own one.
			expect(log).not.toContain('Address Hostname');
			expect(log).toContain(join(image.volumes[0] ?? '', 'enmeshed-examples.json'));
			const wallet = await fetch(`http://127.0.0.2:${walletPort}/api/people`);
			expect([wallet.status, (await wallet.json()) as unknown[]]).toEqual([
				200,
				[expect.anything()],
			]);
			expect((await fetch(`http://127.0.0.2:${port}/health`)).status).toBe(200);
			const [, check = []] = healthChecksOf('deploy/compose.try.yaml');
			const there = check.map((word) => word.replace('127.0.0.1:5691', `127.0.0.2:${walletPort}`));
			expect(await exitCodeOf(image, there)).toBe(0);
			demo.kill('SIGTERM');
			await once(demo, 'exit');
			expect(await exitCodeOf(image, there)).toBe(1);
		});
	});
});

/** Runs a program in the container. */
async function exitCodeOf(
	{ environment, processOptions }: ImageFolder,
	[program = '', ...words]: readonly string[],
	added: Readonly<Record<string, string>> = {},
): Promise<number | null> {
	const child = spawn(program, words, { ...processOptions, env: { ...environment, ...added } });
	const [code] = (await once(child, 'exit')) as [number | null];
	return code;
}

/** Environment of the first service of a compose file. */
function environmentOf(
	file: string,
	values: Readonly<Record<string, string>>,
): Record<string, string> {
	const text = readFileSync(join(projectRoot, file), 'utf8');
	const [, block = ''] = /^ {4}environment:\n((?: {6}.*\n)*)/m.exec(text) ?? [];
	const variables = [...block.matchAll(/^ {6}(\w+): (["']?)(.*)\2$/gm)];
	return Object.fromEntries(
		variables.map(([, name = '', , value = '']) => [
			name,
			replaceVariables(value.replaceAll(/:\?[^}]*\}/g, '}'), values),
		]),
	);
}

/** Health checks of a compose file, in its order. */
function healthChecksOf(file: string): string[][] {
	const text = readFileSync(join(projectRoot, file), 'utf8');
	return [...text.matchAll(/^ +test: \["CMD", (.*\])$/gm)].map(
		([, words]) => JSON.parse(`[${words}`) as string[],
	);
}

/** Command of the only service that has one. */
function commandOf(file: string): string[] {
	const text = readFileSync(join(projectRoot, file), 'utf8');
	const [, words = ''] = /^ {4}command: (\[.*\])$/m.exec(text) ?? [];
	return JSON.parse(words) as string[];
}
