import { readImportLines, type ImportLine } from './import-lines';

/**
 * Import circles between files. Types count: a circle of types still means that neither file can be
 * read, moved or tested alone. An `import()` counts as well.
 */
describe('the files of the project', () => {
	const lines = readImportLines((file) =>
		/^(core|nodes|credentials|sandbox|scripts)\//.test(file),
	).filter(({ external }) => !external);

	it('import each other in no circle', () => {
		expect(circlesIn(importsByFile(lines))).toEqual([]);
	});
});

describe('the search for circles', () => {
	const found = (imports: Record<string, string[]>): string[][] =>
		circlesIn(new Map(Object.entries(imports)));

	it('finds two files that import each other, and a longer way round', () => {
		expect(found({ a: ['b'], b: ['a'] })).toEqual([['a', 'b']]);
		expect(found({ a: ['b'], b: ['c'], c: ['b', 'd'], d: ['b'] })).toEqual([['b', 'c', 'd']]);
	});

	it('finds none where several ways lead to one file', () => {
		expect(found({ a: ['b', 'c'], b: ['d'], c: ['d'], d: [] })).toEqual([]);
	});
});

function importsByFile(lines: readonly ImportLine[]): Map<string, string[]> {
	const imports = new Map<string, string[]>();
	for (const { from, to } of lines) {
		const file = withoutExtension(from);
		imports.set(file, [...(imports.get(file) ?? []), withoutExtension(to)]);
	}
	return imports;
}

const withoutExtension = (file: string): string => file.replace(/\.(d\.)?[cm]?[jt]s$/, '');

/** Groups of files that reach each other: Tarjan's strongly connected components, sorted. */
function circlesIn(imports: ReadonlyMap<string, readonly string[]>): string[][] {
	const order = new Map<string, number>();
	const lowest = new Map<string, number>();
	const open: string[] = [];
	const circles: string[][] = [];
	const low = (file: string): number => lowest.get(file) ?? Number.POSITIVE_INFINITY;
	const visit = (file: string): void => {
		const number = order.size;
		order.set(file, number);
		lowest.set(file, number);
		open.push(file);
		for (const next of imports.get(file) ?? []) {
			if (!order.has(next)) visit(next);
			if (open.includes(next)) lowest.set(file, Math.min(low(file), low(next)));
		}
		if (low(file) !== number) return;
		const component = open.splice(open.indexOf(file));
		if (component.length > 1) circles.push(component.sort());
	};
	for (const file of imports.keys()) if (!order.has(file)) visit(file);
	return circles.sort(([a = ''], [b = '']) => a.localeCompare(b));
}
