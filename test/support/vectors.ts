import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/*
 * The recorded vectors, read in a way that notices which of their values a test file has looked at:
 * an entry counts as exercised when its values were read, not when a test says so.
 */

interface VectorFile {
	readonly data: unknown;
	readonly seen: Set<string>;
}

/** of this test file: jest gives each file modules of its own */
const opened = new Map<string, VectorFile>();

/** Reads one file of test/vectors; the caller states the part of its shape that it uses. */
export function readVectors<Shape>(name: string): Shape {
	const { data, seen } = fileOf(name);
	return watched(data, [], seen) as Shape;
}

/**
 * Paths such as `cases/0/input` of all values of the file; an empty list or object is a value too.
 * A slash inside a name is written `~1`, as in a JSON pointer.
 */
export function vectorPaths(name: string): string[] {
	return pathsOf(fileOf(name).data, []);
}

/** The file without notice of what is read. */
export function vectorData<Shape>(name: string): Shape {
	return fileOf(name).data as Shape;
}

/** The paths that were read since the test file began. */
export function pathsRead(name: string): ReadonlySet<string> {
	return fileOf(name).seen;
}

function fileOf(name: string): VectorFile {
	const known = opened.get(name);
	if (known !== undefined) return known;
	const text = readFileSync(join(__dirname, '..', 'vectors', name), 'utf8');
	const file = { data: JSON.parse(text) as unknown, seen: new Set<string>() };
	opened.set(name, file);
	return file;
}

function pathsOf(value: unknown, steps: readonly string[]): string[] {
	if (!isBranch(value)) return [steps.join('/')];
	return Object.entries(value).flatMap(([name, member]) =>
		pathsOf(member, [...steps, stepOf(name)]),
	);
}

function stepOf(name: string): string {
	return name.replaceAll('/', '~1');
}

function isBranch(value: unknown): value is Record<string, unknown> {
	return typeof value === 'object' && value !== null && Object.keys(value).length > 0;
}

function watched(value: unknown, steps: readonly string[], seen: Set<string>): unknown {
	if (!isBranch(value)) {
		seen.add(steps.join('/'));
		return value;
	}
	const children = new Map<string, unknown>();
	return new Proxy(value, {
		get: (target, name) => {
			if (typeof name === 'symbol' || !Object.hasOwn(target, name) || name === 'length') {
				return Reflect.get(target, name) as unknown;
			}
			if (!children.has(name)) {
				children.set(name, watched(target[name], [...steps, stepOf(name)], seen));
			}
			return children.get(name);
		},
	});
}
