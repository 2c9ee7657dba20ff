import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { projectRoot } from '../../scripts/docs/source-files';
import { readImportLines } from './import-lines';

const files = execFileSync('git', ['ls-files'], { cwd: projectRoot, encoding: 'utf8' })
	.split('\n')
	.filter((file) => file !== '' && !file.endsWith('.png'));

/** Lines of tracked files that fit, as `file:line`. The pieces keep this file out of its own net. */
function linesWith(pattern: RegExp, among: readonly string[] = files): string[] {
	return among.flatMap((file) =>
		readTracked(file)
			.split('\n')
			.flatMap((line, index) => (pattern.test(line) ? [`${file}:${index + 1}`] : [])),
	);
}

/** A tracked file that is being moved or deleted has no lines. */
function readTracked(file: string): string {
	try {
		return readFileSync(join(projectRoot, file), 'utf8');
	} catch (error) {
		if ((error as NodeJS.ErrnoException).code === 'ENOENT') return '';
		throw error;
	}
}

/** False for a tracked file that is being moved or deleted. */
const isThere = (file: string): boolean => existsSync(join(projectRoot, file));

describe('the tree', () => {
	it('names no folder of a machine and no registry host', () => {
		// The user of an n8n container, and a page of n8n, are neither.
		const places = [
			'(^|[^\\w.])/(work|farm|root|home/(?!node/|credentials/)\\w+)/',
			'\\.\\./shar' + 'ed\\b',
		];
		const hosts = ['registry\\.np' + 'mjs\\.org', 'deb\\.debi' + 'an\\.org'];
		const quoted = files.filter((file) => !file.startsWith('docs/protocol/'));
		const found = linesWith(new RegExp([...places, ...hosts].join('|')), quoted);
		expect(found.filter((line) => !line.startsWith('test/architecture/tree.test.ts'))).toEqual([]);
	});

	it('holds no private key and no token of a registry', () => {
		const secrets = ['BEGIN [A-Z ]*PRIV' + 'ATE KEY', '_auth' + 'Token=', 'ghp_' + '\\w{30}'];
		expect(linesWith(new RegExp(secrets.join('|')))).toEqual([]);
	});

	it('leaves no marker of unfinished work in the sources', () => {
		const sources = files.filter((file) =>
			/^(core|nodes|credentials|sandbox|test|bench|scripts|index\.ts)/.test(file),
		);
		const markers = ['\\bTO' + 'DO\\b', '\\bFIX' + 'ME\\b', '\\b(it|test|describe)\\.on' + 'ly\\('];
		const code = sources.filter((file) => !file.startsWith('test/vectors/'));
		expect(linesWith(new RegExp(markers.join('|')), code)).toEqual([]);
	});

	it('keeps one concept in a file: at most 350 lines', () => {
		const sources = files.filter((file) =>
			/^(core|nodes|credentials|sandbox|scripts|bench)\/.*\.(ts|mjs)$/.test(file),
		);
		// One row for each error code.
		const tables = ['core/base/error-codes.ts'];
		const long = sources.filter(
			(file) => !tables.includes(file) && readTracked(file).split('\n').length > 351,
		);
		expect(long).toEqual([]);
	});

	it('has no folder with a single file or with more than 25', () => {
		const folders = new Map<string, number>();
		const ofSources = /^(core|nodes|sandbox|scripts|bench|test)\/.*\.[cm]?[jt]s$/;
		for (const file of files.filter((one) => ofSources.test(one) && isThere(one))) {
			folders.set(dirname(file), (folders.get(dirname(file)) ?? 0) + 1);
		}
		const sizes = [...folders].filter(([, count]) => count === 1 || count > 25);
		expect(sizes).toEqual([]);
		expect(folders.size).toBeGreaterThan(100);
	});

	it('keeps what one file of the core alone needs in that file: 15 lines at least stand alone', () => {
		const imports = readImportLines(isSource).filter(({ external }) => !external);
		const lonely = files.filter((file) => {
			if (!/^core\/.*\.ts$/.test(file) || mayBeShort.test(file)) return false;
			if (readTracked(file).split('\n').length > 15) return false;
			const lines = imports.filter(({ to }) => to === file.replace(/\.ts$/, ''));
			// A file that is loaded on its first use has to stand alone.
			return new Set(lines.map(({ from }) => from)).size === 1 && lines.some(({ lazy }) => !lazy);
		});
		expect(lonely).toEqual([]);
	});
});

/** Doors of folders, catalogues of errors (which their reference finds by name). */
const mayBeShort = /(\/index|-errors)\.ts$/;

const isSource = (file: string): boolean => !file.startsWith('test/');
