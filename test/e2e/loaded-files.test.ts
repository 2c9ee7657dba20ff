import { execFileSync } from 'node:child_process';
import { statSync } from 'node:fs';
import { join, relative } from 'node:path';

const dist = join(__dirname, '../../dist');

/** Files of the build that a fresh process loads with the given ones. */
function loadedWith(file: string): string[] {
	const script = `
		require(${JSON.stringify(join(dist, file))});
		process.stdout.write(JSON.stringify(Object.keys(require.cache)));
	`;
	const loaded = JSON.parse(
		execFileSync(process.execPath, ['-e', script], { encoding: 'utf8' }),
	) as string[];
	return loaded.map((path) => relative(dist, path)).sort();
}

/** Libraries that every start needs; others are loaded on first use. */
const libraries = [join('core', 'kysely.js'), join('core', 'luxon.js')];

/* What a start has to read and compile, in numbers that are the same on every machine. */
describe('a start loads no more than it did:', () => {
	it.each([
		['core/index.js', [], 1_280],
		['serve.js', ['serve.js'], 1_850],
	])('%s, files and kilobytes', (file, further, maxKilobytes) => {
		const loaded = loadedWith(file);
		const expected = [join('core', 'index.js'), ...libraries, ...further].sort();
		expect(loaded.filter((path) => !expected.includes(path))).toEqual([]);
		const bytes = loaded.reduce((sum, path) => sum + statSync(join(dist, path)).size, 0);
		expect(bytes / 1_000).toBeLessThanOrEqual(maxKilobytes);
	});
});
