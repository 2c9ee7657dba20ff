import {
	existsSync,
	mkdirSync,
	mkdtempSync,
	readFileSync,
	rmSync,
	statfsSync,
	writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { withClaim } from '../../../scripts/install/claims.mjs';
import { ensureRoom } from '../../../scripts/install/disk-room.mjs';
import { installLocked, npm } from '../../../scripts/install/npm.mjs';
import { PackageRegistry } from './package-registry';

jest.setTimeout(120_000);

/* What `npm start` and `npm test` install before anything else, from a registry with two packages */
describe('an installation', () => {
	let registry: PackageRegistry;
	let folder: string;
	let place: string;
	let said: string[];

	beforeEach(async () => {
		registry = await PackageRegistry.open();
		folder = mkdtempSync(join(tmpdir(), 'enmeshed-installation-'));
		place = join(folder, 'place');
		said = [];
		jest.spyOn(console, 'log').mockImplementation((line: string) => said.push(line));
		for (const version of ['1.0.0', '1.0.1']) {
			registry.publish('first', version);
			registry.publish('@scope/second', version);
		}
	});

	afterEach(async () => {
		jest.restoreAllMocks();
		await registry.close();
		rmSync(folder, { recursive: true });
	});

	const environment = (extra: NodeJS.ProcessEnv = {}): NodeJS.ProcessEnv => ({
		...process.env,
		npm_config_userconfig: join(folder, '.npmrc'),
		npm_config_registry: registry.url,
		npm_config_cache: join(folder, 'cache'),
		npm_config_fetch_retries: '0',
		...extra,
	});

	const install = (extra: NodeJS.ProcessEnv = {}): Promise<void> =>
		installLocked(place, registry.locked(), { env: environment(extra) });

	const versionOf = (name: string): string =>
		(
			JSON.parse(readFileSync(join(place, 'node_modules', name, 'package.json'), 'utf8')) as {
				version: string;
			}
		).version;

	/** Leaves package lists without the newest versions in the cache of npm. */
	async function outdateCache(): Promise<void> {
		const other = join(folder, 'other');
		mkdirSync(other);
		const dependencies = { first: '1.0.0', '@scope/second': '1.0.0' };
		writeFileSync(join(other, 'package.json'), JSON.stringify({ dependencies }));
		registry.listsAreOutdated = true;
		await npm(['install'], { cwd: other, env: environment() });
		registry.listsAreOutdated = false;
		registry.requests.length = 0;
	}

	it('needs no package lists, so that outdated ones do no harm', async () => {
		registry.listsAreOutdated = true;
		await install();
		expect([versionOf('first'), versionOf('@scope/second')]).toEqual(['1.0.1', '1.0.1']);
		expect(registry.requests.toSorted()).toEqual([
			'@scope/second/-/second-1.0.1.tgz',
			'first/-/first-1.0.1.tgz',
		]);
	});

	it('works with a cache whose lists are older than the lock file', async () => {
		await outdateCache();
		await install();
		expect([versionOf('first'), versionOf('@scope/second')]).toEqual(['1.0.1', '1.0.1']);
	});

	it('asks a registry with other addresses for its lists, whatever is cached', async () => {
		registry.tarballFolder = 'files';
		await outdateCache();
		await install();
		expect([versionOf('first'), versionOf('@scope/second')]).toEqual(['1.0.1', '1.0.1']);
		expect(said).toEqual(['npm refused a version; asking the registry anew …']);
	});

	it('without a lock file repeats what a cached list refuses', async () => {
		await outdateCache();
		mkdirSync(place);
		const manifest = { dependencies: { first: '1.0.1' } };
		writeFileSync(join(place, 'package.json'), JSON.stringify(manifest));
		await npm(['install'], { cwd: place, env: environment() });
		expect(versionOf('first')).toBe('1.0.1');
		expect(said).toEqual(['npm refused a version; asking the registry anew …']);
	});

	it('takes the packages of a scope from the registry of that scope', async () => {
		const other = await PackageRegistry.open();
		for (const version of ['1.0.0', '1.0.1']) other.publish('@scope/second', version);
		try {
			writeFileSync(join(folder, '.npmrc'), `@scope:registry=${other.url}\n`);
			const { lock, manifest } = registry.locked();
			const integrity = /"sha512-[^"]+"/g;
			const [own = ''] = other.locked().lock.match(integrity) ?? [];
			const [, replaced = ''] = lock.match(integrity) ?? [];
			const locked = { manifest, lock: lock.replace(replaced, own) };
			await installLocked(place, locked, { env: environment() });
			expect(other.requests).toEqual(['@scope/second/-/second-1.0.1.tgz']);
			expect(registry.requests).toEqual(['first/-/first-1.0.1.tgz']);
		} finally {
			await other.close();
		}
	});

	it('works without a network when everything is cached', async () => {
		await install();
		const { manifest, lock } = registry.locked();
		await registry.close();
		rmSync(place, { recursive: true });
		await installLocked(place, { manifest, lock }, { env: environment() });
		expect(versionOf('first')).toBe('1.0.1');
	});

	it('continues after the network was lost, with what it has downloaded', async () => {
		registry.disturb = (path, response) => {
			if (!path.startsWith('@scope')) return false;
			response.writeHead(200, { 'content-length': 1_000 }).write('x');
			setImmediate(() => response.destroy());
			return true;
		};
		await expect(install()).rejects.toThrow(/could not reach the package registry.*same command/s);
		registry.disturb = () => false;
		registry.requests.length = 0;
		await install();
		expect(versionOf('@scope/second')).toBe('1.0.1');
		expect(registry.requests).toEqual(['@scope/second/-/second-1.0.1.tgz']);
	});

	it('says what to do about a proxy that refuses', async () => {
		const proxy = { npm_config_proxy: 'http://127.0.0.1:9/', npm_config_noproxy: '' };
		await expect(install(proxy)).rejects.toThrow("Check the network and npm's proxy");
	});

	it('says what to do about a version that no registry has', async () => {
		const { manifest, lock } = registry.locked();
		const wanted = { manifest: manifest.replace('1.0.1', '9.9.9'), lock };
		const missing = lock.replaceAll(
			/("first":|node_modules\/first":\{"version":)"1.0.1"/g,
			'$1"9.9.9"',
		);
		const failing = installLocked(place, { ...wanted, lock: missing }, { env: environment() });
		const failure: unknown = await failing.catch((error: unknown) => error);
		expect(String(failure)).toContain('has no copy of a version that the lock file names');
		expect(String(failure)).toContain('first@9.9.9');
		expect(String(failure)).not.toContain('A complete log of this run');
	});

	it('lets npm find the packages where its configuration hides the address of the registry', async () => {
		const hidden = registry.url.replace('//', '//user:secret@');
		await install({ npm_config_registry: hidden });
		expect(versionOf('first')).toBe('1.0.1');
	});

	it('repeats what an npm of an install script refuses', async () => {
		mkdirSync(place);
		const attempts = join(folder, 'attempts');
		const script = `const fs = require('node:fs'); fs.appendFileSync(${JSON.stringify(attempts)}, 'x');
			if (process.env.npm_config_prefer_online !== 'true') {
				console.error('npm error code ETARGET');
				process.exit(1);
			}`;
		writeFileSync(join(place, 'script.cjs'), script);
		const manifest = { name: 'scripted', scripts: { install: 'node script.cjs' } };
		writeFileSync(join(place, 'package.json'), JSON.stringify(manifest));
		await npm(['rebuild', '--ignore-scripts=false'], { cwd: place, env: environment() });
		expect(readFileSync(attempts, 'utf8')).toBe('xx');
	});

	it('refuses changed packages', async () => {
		registry.tamper('first');
		await expect(install()).rejects.toThrow('differs from its checksum in the lock file');
		expect(existsSync(join(place, 'node_modules', 'first', 'package.json'))).toBe(false);
	});

	it('ignores settings that would leave out what it needs', async () => {
		await install({
			NODE_ENV: 'production',
			npm_config_omit: 'dev',
			npm_config_engine_strict: 'true',
		});
		expect(versionOf('first')).toBe('1.0.1');
	});

	it('is refused before it begins while the disk has too little room', () => {
		const { bavail, bsize } = statfsSync(folder);
		const halfGb = (0.6 * bavail * bsize) / 1e9;
		const places = [
			[join(folder, 'new', 'place'), halfGb],
			[folder, halfGb],
		] as const;
		expect(() => ensureRoom(places, 'The installation')).toThrow(
			/^The installation needs [\d.]+ GB on the disk of .*, where [\d.]+ GB are free\. Free some/,
		);
		for (const place of places) ensureRoom([place], 'The installation');
	});

	it('waits for another one of the same, also when both begin in the same moment', async () => {
		const steps: string[] = [];
		const work = (name: string) => async () => {
			steps.push(`${name} begins`);
			await new Promise((resolve) => setTimeout(resolve, 300));
			steps.push(`${name} ends`);
		};
		const claimed = join(folder, 'claimed');
		await Promise.all(['a', 'b'].map((name) => withClaim(claimed, 'it', work(name))));
		const [first] = steps[0]!.split(' ');
		const second = first === 'a' ? 'b' : 'a';
		expect(steps).toEqual([
			`${first} begins`,
			`${first} ends`,
			`${second} begins`,
			`${second} ends`,
		]);
		expect(said).toEqual(['Another process is at it; waiting for it …']);
	});
});
