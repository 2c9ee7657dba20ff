import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { projectRoot } from '../../scripts/docs/source-files';
import { changes, missingParts, partOfLock } from '../../scripts/install/lock.mjs';

interface Entry {
	readonly version: string;
	readonly integrity?: string;
	readonly optional?: boolean;
	readonly optionalDependencies?: Record<string, string>;
}

const n8nFolders = ['scripts/n8n', 'scripts/n8n/oldest'];

describe.each(['.', ...n8nFolders])('the lock file in %s', (folder) => {
	const text = readFileSync(join(projectRoot, folder, 'package-lock.json'), 'utf8');
	const { packages } = JSON.parse(text) as { packages: Record<string, Entry> };

	it('has the native parts for every platform: npm run lock adds what is missing', () => {
		expect(missingParts(packages)).toEqual([]);
	});

	it('names no registry', () => {
		expect(text).not.toContain('"resolved"');
	});

	it('has a checksum of every package that any platform must have', () => {
		const entries = Object.entries(packages).filter(([place]) => place !== '');
		const unchecked = entries.filter(
			([, { integrity, optional }]) => integrity === undefined && optional !== true,
		);
		expect(unchecked).toEqual([]);
	});
});

describe('the lock file of n8n', () => {
	it.each(n8nFolders)('in %s locks what its manifest names', (folder) => {
		const read = (file: string) =>
			JSON.parse(readFileSync(join(projectRoot, folder, file), 'utf8')) as {
				dependencies: Record<string, string>;
				packages: Record<string, { dependencies?: Record<string, string> }>;
			};
		const root = read('package-lock.json').packages['']?.dependencies;
		expect(root).toEqual(read('package.json').dependencies);
	});
});

describe('a lock file', () => {
	it('is missed a part that only stands beside another package', () => {
		const lock = {
			'node_modules/a': { optionalDependencies: { 'part-linux-x64': '1.0.0' } },
			'node_modules/b/node_modules/part-linux-x64': {},
		};
		expect(missingParts(lock)).toMatchObject([
			{ name: 'part-linux-x64', parent: 'node_modules/a' },
		]);
	});

	it('gives the part of one package, with what it needs from where it stands', () => {
		const packages = {
			'node_modules/a': { version: '1.0.0', dependencies: { b: '^2.0.0', c: '^1.0.0' } },
			'node_modules/a/node_modules/b': { version: '2.0.0' },
			'node_modules/b': { version: '1.0.0' },
			'node_modules/c': { version: '1.1.0', optionalDependencies: { b: '^1.0.0', d: '1.0.0' } },
			'node_modules/e': { version: '1.0.0' },
		};
		const { version, manifest, lock } = partOfLock(JSON.stringify({ packages }), 'a');
		expect(version).toBe('1.0.0');
		expect(JSON.parse(manifest)).toMatchObject({ dependencies: { a: '1.0.0' } });
		expect(Object.keys((JSON.parse(lock) as { packages: object }).packages)).toEqual([
			'',
			'node_modules/a',
			'node_modules/a/node_modules/b',
			'node_modules/b',
			'node_modules/c',
		]);
	});

	it('shows what a renewal has changed', () => {
		const before = { '': {}, a: { version: '1.0.0' }, b: { version: '1.0.0' } };
		const after = { '': {}, a: { version: '1.1.0' }, c: { version: '3.0.0' } };
		expect(changes(before, after)).toEqual([
			'3 packages changed, 2 in all.',
			'  a: 1.0.0 -> 1.1.0',
			'  b: 1.0.0 -> gone',
			'  c: new -> 3.0.0',
		]);
	});
});
