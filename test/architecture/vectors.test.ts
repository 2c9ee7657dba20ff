import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { partOf, vectorParts, type VectorPart } from '../support/vector-parts';
import { vectorPaths } from '../support/vectors';

const testFolder = join(__dirname, '..');
const files = Object.keys(vectorParts);

describe('the recorded vectors', () => {
	it('are all in the list of parts', () => {
		const found = readdirSync(join(testFolder, 'vectors')).filter((name) => name.endsWith('.json'));
		expect(found.sort()).toEqual([...files].sort());
	});

	it.each(files)('of %s are each read by a test, or not applicable for a reason', (file) => {
		const fitting = vectorPaths(file).map((path) => ({ path, part: partOf(file, path) }));
		expect(fitting.filter(({ part }) => part === undefined)).toEqual([]);
		const used = new Set<VectorPart | undefined>(fitting.map(({ part }) => part));
		const idle = vectorParts[file]?.filter((part) => !used.has(part));
		expect(idle).toEqual([]);
	});

	const tests = new Set(
		Object.values(vectorParts)
			.flat()
			.flatMap((part) => ('by' in part ? [part.by] : [])),
	);

	it.each([...tests])('are counted at the end of %s', (name) => {
		const path = join(testFolder, name);
		expect(existsSync(path)).toBe(true);
		expect(readFileSync(path, 'utf8')).toMatch(/^itReadsItsVectors\(__filename/m);
	});
});
