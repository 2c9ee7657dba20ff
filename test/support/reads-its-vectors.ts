import { relative, sep } from 'node:path';
import { partOf, vectorParts } from './vector-parts';
import { pathsRead, vectorPaths } from './vectors';

/**
 * Declares a test that fails when this test file has not read a value of the vectors that it stands
 * for in vector-parts.ts. It belongs at the end of the file, where everything else has run.
 */
export function itReadsItsVectors(
	testFile: string,
	isLeftOut: (path: string) => boolean = () => false,
): void {
	const own = relative(`${__dirname}${sep}..`, testFile).split(sep).join('/');

	function isOurs(file: string, path: string): boolean {
		const part = partOf(file, path);
		return part !== undefined && 'by' in part && part.by === own && !isLeftOut(path);
	}

	it('every value of the vectors that this file stands for was read', () => {
		const files = Object.entries(vectorParts).flatMap(([file, parts]) =>
			parts.some((part) => 'by' in part && part.by === own) ? [file] : [],
		);
		const ours = files.flatMap((file) =>
			vectorPaths(file)
				.filter((path) => isOurs(file, path))
				.map((path) => ({ file, path })),
		);
		expect(ours.length).toBeGreaterThan(0);
		const unread = ours.filter(({ file, path }) => !pathsRead(file).has(path));
		expect(unread.map(({ file, path }) => `${file}: ${path}`)).toEqual([]);
	});
}
