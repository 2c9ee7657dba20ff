import { execFileSync, spawnSync } from 'node:child_process';
import {
	existsSync,
	mkdtempSync,
	readdirSync,
	readFileSync,
	rmSync,
	statSync,
	writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import type { Metafile } from 'esbuild';

import { packInto, unpackInto } from '../../scripts/n8n/install-package';
import { SandboxProgram } from '../../scripts/served/sandbox-program';
import { apiKey, ServedGateway } from '../../scripts/served/served-gateway';
import { documentedPrograms, LibraryPrograms } from '../support/library-program';

jest.setTimeout(120_000);

const projectRoot = join(__dirname, '..', '..');

/** Files, folders and decisions of this repository, as comments cite them. */
const citation =
	/\b(?:bench|core|docs|nodes|sandbox|scripts|test)\/[\w./-]+|[\w./-]+\.(?:md|tsx?|[cm]js|json)\b|\bADR \d+/g;

/** esbuild's descriptions of all bundles. */
const metafiles = JSON.parse(
	readFileSync(join(projectRoot, '.tmp', 'metafiles.json'), 'utf8'),
) as Metafile[];

/** Names and versions of the packages in all bundles. */
function bundledPackages(): string[] {
	const inputs = metafiles.flatMap((bundle) => Object.keys(bundle.inputs));
	const folders = inputs.flatMap(
		(input) => /[^:]*node_modules\/(@[^/]+\/)?[^/]+/.exec(input)?.[0] ?? [],
	);
	const packages = [...new Set(folders)].map((folder) => {
		const manifest = readFileSync(join(projectRoot, folder, 'package.json'), 'utf8');
		const { name, version } = JSON.parse(manifest) as { name: string; version: string };
		return `${name} ${version}`;
	});
	return [...new Set(packages)].sort();
}

describe('the packed package', () => {
	let folder: string;
	let tarball: string;
	let unpacked: string;
	let files: string[];

	beforeAll(() => {
		folder = mkdtempSync(join(tmpdir(), 'enmeshed-package-'));
		unpacked = join(folder, 'node_modules', 'n8n-nodes-enmeshed');
		tarball = packInto(folder);
		unpackInto(unpacked, tarball);
		writeFileSync(join(folder, 'package.json'), '{}');
		const entries = readdirSync(unpacked, { recursive: true, withFileTypes: true });
		files = entries
			.filter((entry) => entry.isFile())
			.map((entry) => relative(unpacked, join(entry.parentPath, entry.name)));
	});

	afterAll(() => rmSync(folder, { recursive: true, force: true }));

	it('holds what n8n, programs and people need, and nothing else', () => {
		expect(files).toEqual(
			expect.arrayContaining([
				'CHANGELOG.md',
				'LICENSE',
				'README.md',
				'dist/THIRD_PARTY_LICENSES',
				'dist/account.js',
				'dist/brokers/amqp-client.js',
				'dist/brokers/mqtt-client.js',
				'dist/brokers/redis-client.js',
				'dist/cli.js',
				'dist/core/admin-page/index.html',
				'dist/core/admin-page/page.css',
				'dist/core/admin-page/page.js',
				'dist/core/index.js',
				'dist/core/password-hash-worker.js',
				'dist/core/postgres-driver.js',
				'dist/credentials/EnmeshedBackboneApi.credentials.js',
				'dist/demo.js',
				'dist/icons/enmeshed.dark.svg',
				'dist/icons/enmeshed.svg',
				'dist/index.d.ts',
				'dist/index.js',
				'dist/nodes/Enmeshed/Enmeshed.node.js',
				'dist/nodes/Enmeshed/Enmeshed.node.json',
				'dist/nodes/Enmeshed/EnmeshedPageTrigger.node.js',
				'dist/nodes/Enmeshed/EnmeshedPageTrigger.node.json',
				'dist/nodes/Enmeshed/EnmeshedTrigger.node.js',
				'dist/nodes/Enmeshed/EnmeshedTrigger.node.json',
				'dist/rapidoc-min.js.gz',
				'dist/sandbox.js',
				'dist/serve.js',
				'dist/wallet.js',
				'dist/wallet/page.css',
				'dist/wallet/page.js',
			]),
		);
		const allowed =
			/^(package\.json|CHANGELOG\.md|LICENSE|README\.md|dist\/.*\.(css|html|js|json|svg|d\.ts)|dist\/THIRD_PARTY_LICENSES|dist\/nodes\/Enmeshed\/properties\.json\.gz|dist\/rapidoc-min\.js\.gz)$/;
		expect(files.filter((file) => !allowed.test(file))).toEqual([]);
	});

	it('is what plain npm pack makes too, which builds first and says so beside its answer', () => {
		const pack = spawnSync('npm', ['pack', '--dry-run', '--json', '--loglevel=notice'], {
			cwd: projectRoot,
			encoding: 'utf8',
		});
		expect(pack.stderr).toContain('run.mjs prepack');
		const [packed] = JSON.parse(pack.stdout) as { files: { path: string }[] }[];
		expect(packed?.files.map(({ path }) => path).sort()).toEqual(files.toSorted());
	});

	it('has no source map, no test and no fixture', () => {
		const scripts = files.filter((file) => file.endsWith('.js'));
		const mapped = scripts.filter((file) => read(file).includes('sourceMappingURL'));
		expect(mapped).toEqual([]);
		expect(files.filter((file) => /test|vector|fixture|\.map$/.test(file))).toEqual([]);
	});

	it('unpacks to less than 7 MB', () => {
		const bytes = files.reduce((sum, file) => sum + statSync(join(unpacked, file)).size, 0);
		expect(bytes).toBeLessThan(7_000_000);
	});

	it('depends on nothing and runs no script on installation', () => {
		const manifest = JSON.parse(read('package.json')) as {
			dependencies?: object;
			scripts: Record<string, string>;
		};
		expect(manifest.dependencies ?? {}).toEqual({});
		const hooks = ['prepare', 'preinstall', 'install', 'postinstall', 'prepublish'];
		expect(hooks.filter((hook) => hook in manifest.scripts)).toEqual([]);
	});

	it('ships the whole licence of every bundled package, in the bundled version', () => {
		const licences = read('dist/THIRD_PARTY_LICENSES').split(`\n${'-'.repeat(78)}\n\n`);
		const titles = licences.map((licence) => licence.split(' (')[0]);
		expect(titles.sort()).toEqual(bundledPackages());
		// The core, a broker's client, the wallet's page, the viewer of the HTTP API.
		for (const name of ['zod', 'mqtt', 'preact', 'lit']) {
			expect(titles).toContainEqual(expect.stringMatching(new RegExp(`^${name} \\d`)));
		}
		const whole = /Permission (is hereby granted|to use)|Redistribution and use|Apache License/;
		expect(licences.filter((licence) => !whole.test(licence))).toEqual([]);
		expect(licences.join()).not.toMatch(/AGPL|nmshd/i);
		expect(licences.join()).toContain('It contains llhttp');
	});

	it('is not built with a package that has no whole licence text', () => {
		const load = createRequire(__filename);
		const { licencesOf } = load('../../scripts/build/licences.cjs') as {
			licencesOf(bundles: readonly Pick<Metafile, 'inputs'>[]): string;
		};
		const inputs = { 'node_modules/@apitools/openapi-parser/package.json': {} };
		expect(() => licencesOf([{ inputs } as unknown as Metafile])).toThrow(
			"'@apitools/openapi-parser' has no whole licence text",
		);
	});

	it('ships no script that was not bundled from named sources', () => {
		const made = metafiles.flatMap(({ outputs }) => Object.keys(outputs));
		const scripts = files.map((file) => file.replace(/\.gz$/, ''));
		const shipped = scripts.filter((file) => /\.(js|css)$/.test(file));
		expect(shipped.sort()).toEqual(made.sort());
	});

	it('cites in its types only what it contains, and addresses of files that exist', () => {
		const types = files.filter((file) => file.endsWith('.d.ts')).map(read);
		const texts = types.flatMap((text) => text.match(/\/\*[^]*?\*\/|\/\/.*/g) ?? []);
		const cited = texts.flatMap((text) => text.replaceAll(/https?:\S+/g, '').match(citation) ?? []);
		expect(cited.filter((file) => !files.includes(file))).toEqual([]);
		const { repository } = JSON.parse(read('package.json')) as { repository: { url: string } };
		const ours = `${repository.url.replace(/^git\+|\.git$/g, '')}/blob/main/`;
		const places = texts.flatMap((text) => text.match(/https?:[\w./:-]*\w/g) ?? []);
		const named = places.filter((place) => place.startsWith(ours));
		expect(named.length).toBeGreaterThan(10);
		const lost = named.filter((place) => !existsSync(join(projectRoot, place.slice(ours.length))));
		expect(lost).toEqual([]);
	});

	it('loads neither the core nor n8n-workflow beyond what a node description needs', () => {
		const loaded = run(`
			const Module = require('node:module');
			const load = Module._load;
			Module._load = function (request, ...rest) {
				if (request === 'n8n-workflow') return { NodeConnectionTypes: { Main: 'main' } };
				return load.call(this, request, ...rest);
			};
			for (const name of ['Enmeshed', 'EnmeshedTrigger', 'EnmeshedPageTrigger']) {
				const exported = require('./node_modules/n8n-nodes-enmeshed/dist/nodes/Enmeshed/' + name + '.node.js');
				new exported[name]();
			}
			console.log(JSON.stringify(Object.keys(require.cache)));
		`);
		const ours = (JSON.parse(loaded) as string[]).map((file) => relative(unpacked, file));
		expect(ours.sort()).toEqual([
			'dist/nodes/Enmeshed/Enmeshed.node.js',
			'dist/nodes/Enmeshed/EnmeshedPageTrigger.node.js',
			'dist/nodes/Enmeshed/EnmeshedTrigger.node.js',
		]);
	});

	it('loads what its nodes do, and the core, in a way that an update by the host starts anew', () => {
		const required = {
			'Enmeshed.node.js': './implementation.js',
			'EnmeshedTrigger.node.js': './implementation.js',
			'EnmeshedPageTrigger.node.js': './implementation.js',
			'implementation.js': '../../core/index.js',
		};
		for (const [file, name] of Object.entries(required)) {
			const code = read(`dist/nodes/Enmeshed/${file}`);
			expect(code).toContain(`require("${name}")`);
			expect(code).not.toMatch(/\bimport\(/);
		}
	});

	it('leaves out what its connections never use', () => {
		for (const file of files.filter((one) => one.startsWith('dist/core/') && one.endsWith('.js'))) {
			expect(read(file)).not.toContain('require("node:http2")');
		}
	});

	it('loads the client of PostgreSQL for an account in PostgreSQL only', () => {
		const script = (store: object): string => `
			const { Gateway } = require('n8n-nodes-enmeshed');
			const backbone = { baseUrl: 'http://127.0.0.1:9', clientId: 'a', clientSecret: 'b' };
			Gateway.open({ backbone, passphrase: 'p', store: ${JSON.stringify(store)} }).catch((error) =>
				console.log(error.code, Object.keys(require.cache).some((file) => /postgres-driver/.test(file))));
		`;
		const postgres = { kind: 'postgres', host: '127.0.0.1', port: 9, database: 'd', user: 'u' };
		expect(run(script(postgres))).toBe('error.gateway.store.postgresUnreachable true');
		const sqlite = { kind: 'sqlite', folder: join(folder, 'accounts') };
		expect(run(script(sqlite))).toMatch(/^error\.\S+ false$/);
	});

	it('serves programs of both module systems without n8n-workflow', () => {
		const names = run(`console.log(Object.keys(require('n8n-nodes-enmeshed')).join(' '))`);
		expect(names.split(' ')).toEqual(expect.arrayContaining(['Gateway', 'GatewayError']));
		const imported = `
			import { Gateway } from 'n8n-nodes-enmeshed';
			import manifest from 'n8n-nodes-enmeshed/package.json' with { type: 'json' };
			console.log(typeof Gateway.open, manifest.name);
		`;
		expect(run(imported, ['--input-type=module'])).toBe('function n8n-nodes-enmeshed');
	});

	it('runs from the command line, and names the settings that are missing', () => {
		const cli = join(unpacked, 'dist', 'cli.js');
		expect(execFileSync(process.execPath, [cli, '--help'], { encoding: 'utf8' })).toContain(
			'sandbox',
		);
		const serve = (): unknown => execFileSync(process.execPath, [cli, 'serve'], { stdio: 'pipe' });
		expect(serve).toThrow(/error\.gateway\.configuration\.invalid[^]*transportLibrary/);
	});

	it('serves the HTTP API beside a sandbox, and shows and mends from the command line', async () => {
		const dist = join(unpacked, 'dist');
		const sandbox = await SandboxProgram.start(dist);
		try {
			const served = await ServedGateway.start({ dist, backboneUrl: sandbox.url });
			try {
				const headers = { 'X-API-KEY': apiKey };
				const answer = await fetch(`${served.address}/api/core/v1/Account/Problems`, { headers });
				expect([answer.status, await answer.json()]).toEqual([200, { result: [] }]);
			} finally {
				await served.stop();
			}
		} finally {
			await sandbox.stop();
		}
		const account = spawnSync(process.execPath, [join(dist, 'cli.js'), 'account', '--help'], {
			encoding: 'utf8',
		});
		expect(account.stdout).toContain('account discard');
	});

	it('lets a service that waits for events live through a restart of the Backbone', async () => {
		const dist = join(unpacked, 'dist');
		const state = join(folder, 'backbone.json');
		const programs = new LibraryPrograms(join(dist, 'index.js'));
		let sandbox = await SandboxProgram.start(dist, ['--state', state]);
		try {
			const { url } = sandbox;
			const settings = {
				'http://localhost:5690': url,
				'/var/lib/my-gateway': join(folder, 'service'),
			};
			const documented = documentedPrograms('library.md');
			const service = documented.find((text) => text.includes('events.consume')) ?? '';
			const create = (value: string): string => `${documented[0] ?? ''}
				await gateway.attributes.create({ content: { value: { '@type': 'Nationality', value: '${value}' } } });`;
			const program = programs.start(service, settings);
			await programs.start(create('DE'), settings).writes('did:e:');
			await program.writes('Nationality');
			await sandbox.stop();
			sandbox = await SandboxProgram.start(dist, ['--state', state, '--port', new URL(url).port]);
			await programs.start(create('FR'), settings).writes('did:e:');
			await program.writes('Nationality', 2);
			expect(await program.stop()).toBe(0);
		} finally {
			await programs.close();
			await sandbox.stop();
		}
	});

	it('is consistent for publint and for attw', () => {
		const bin = (name: string): string => join(projectRoot, 'node_modules', '.bin', name);
		const options = { encoding: 'utf8', env: { ...process.env, NO_COLOR: '1' } } as const;
		const publint = spawnSync(bin('publint'), ['run', tarball, '--strict'], options);
		expect(publint.stdout).toContain('All good!');
		expect(publint.status).toBe(0);
		const attw = spawnSync(bin('attw'), [tarball], options);
		expect(attw.stdout).toContain('No problems found');
		expect(attw.status).toBe(0);
	});

	it.each([
		['node16', ['--module', 'node16'], ['program.mts', 'program.cts']],
		['nodenext', ['--module', 'nodenext'], ['program.mts', 'program.cts']],
		['bundler', ['--module', 'esnext', '--moduleResolution', 'bundler'], ['program.ts']],
	])('has types for %s that need the ones of Node alone', (_resolution, modules, programs) => {
		const program = `
			import { Gateway, silentLogger, type RelationshipDto } from 'n8n-nodes-enmeshed';
			export async function peers(): Promise<string[]> {
				await using gateway = await Gateway.open(
					{ backbone: { baseUrl: 'https://b.example', clientId: 'a', clientSecret: 'b' } },
					{ logger: silentLogger },
				);
				const all: RelationshipDto[] = await gateway.relationships.list();
				// @ts-expect-error an address is text
				const wrong: number = all[0]?.peer;
				return [...all.map(({ peer }) => peer), String(wrong)];
			}
		`;
		for (const file of programs) writeFileSync(join(folder, file), program);
		const tsc = join(projectRoot, 'node_modules', 'typescript', 'bin', 'tsc');
		const options = ['--strict', '--noEmit', '--target', 'es2023', ...modules];
		const libraries = ['--lib', 'es2023,esnext.disposable', '--types', 'node'];
		const nodeTypes = ['--typeRoots', join(projectRoot, 'node_modules', '@types')];
		const compiled = spawnSync(
			process.execPath,
			[tsc, ...options, ...libraries, ...nodeTypes, ...programs],
			{ cwd: folder, encoding: 'utf8' },
		);
		expect(compiled.stdout).toBe('');
		expect(compiled.status).toBe(0);
	});

	function read(file: string): string {
		return readFileSync(join(unpacked, file), 'utf8');
	}

	function run(code: string, options: string[] = []): string {
		const program = [...options, '--eval', code];
		return execFileSync(process.execPath, program, { cwd: folder, encoding: 'utf8' }).trim();
	}
});
