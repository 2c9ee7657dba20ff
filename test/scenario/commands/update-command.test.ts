import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const projectRoot = join(__dirname, '..', '..', '..');

type Versions = Readonly<Record<string, { readonly days: number; readonly peers?: object }>>;

/** A registry with versions of certain ages. */
const packages: Readonly<Record<string, Versions>> = {
	'has-newer': {
		'1.0.0': { days: 90 },
		'1.1.0': { days: 15 },
		'1.2.0': { days: 13 },
		'2.0.0': { days: 60 },
	},
	'has-preliminary': { '1.0.0': { days: 90 }, '1.1.0-beta.1': { days: 60 } },
	'is-newest': { '1.0.0': { days: 90 } },
	'n8n-core': { '1.0.0': { days: 90 }, '1.1.0': { days: 60 } },
	'@nmshd/runtime': { '1.0.0': { days: 90 }, '1.1.0': { days: 60 } },
	linter: { '1.0.0': { days: 90 }, '1.1.0': { days: 60 } },
	'rules-of-linter': { '1.0.0': { days: 90, peers: { linter: '1.0.0' } } },
};

describe('npm run update', () => {
	let registry: Server;
	let folder: string;

	beforeAll(async () => {
		folder = mkdtempSync(join(tmpdir(), 'enmeshed-update-'));
		registry = createServer((request, response) => {
			const [, name = '', version] = (request.url ?? '').split('/').map(decodeURIComponent);
			const found = name in packages ? described(name) : undefined;
			const answer = version === undefined ? found : found?.versions[version];
			response.setHeader('content-type', 'application/json');
			response.statusCode = answer === undefined ? 404 : 200;
			response.end(JSON.stringify(answer ?? {}));
		}).listen(0, '127.0.0.1');
		await new Promise((resolve) => registry.once('listening', resolve));
	});

	afterAll(() => {
		registry.close();
		rmSync(folder, { recursive: true, force: true });
	});

	it('takes what is 14 days old, has the same first number and suits the other packages', async () => {
		const file = join(folder, 'package.json');
		const devDependencies = Object.fromEntries(
			Object.keys(packages).map((name) => [name, '1.0.0']),
		);
		writeFileSync(file, JSON.stringify({ devDependencies }));
		const { port } = registry.address() as AddressInfo;
		const options = JSON.stringify({ registry: `http://127.0.0.1:${port}/` });
		const program = `
			import { newerVersions } from './scripts/install/update.mjs';
			console.log(JSON.stringify(await newerVersions(${JSON.stringify(file)}, ${options})));
		`;
		const words = ['--input-type=module', '--eval', program];
		const { stdout } = await run(process.execPath, words, { cwd: projectRoot });
		expect(JSON.parse(stdout)).toEqual({ 'has-newer': '1.1.0' });
	});
});

interface Description {
	readonly name: string;
	readonly 'dist-tags': object;
	readonly time: object;
	readonly versions: Readonly<Record<string, object>>;
}

/** What a registry answers about a package. */
function described(name: string): Description {
	const versions = Object.entries(packages[name] ?? {});
	return {
		name,
		'dist-tags': { latest: versions.at(-1)?.[0] },
		time: Object.fromEntries(
			versions.map(([version, { days }]) => [version, new Date(Date.now() - days * 86_400_000)]),
		),
		versions: Object.fromEntries(
			versions.map(([version, { peers }]) => [
				version,
				{ name, version, ...(peers === undefined ? {} : { peerDependencies: peers }) },
			]),
		),
	};
}
