import { mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { buildSync } from 'esbuild';

const projectRoot = join(__dirname, '..', '..', '..');
/** Two levels below the root, where the sandbox finds the sources of the wallet's page. */
const folder = join(projectRoot, '.tmp', 'test-programs');

/** Compiled code is kept, because tests start the same program hundreds of times. */
const launcher = (bundle: string): string =>
	[
		`require('node:module').enableCompileCache(${JSON.stringify(join(folder, 'compiled'))});`,
		`require(${JSON.stringify(bundle)});`,
	].join('\n');

/**
 * Bundles a TypeScript program for the processes of tests. Test files and runs share the bundle until one
 * of its sources changes.
 *
 * @param entry path from the root of the project
 * @returns path of a program for any supported Node
 */
export function testProgram(entry: string): string {
	const name = entry.replaceAll(/[^\w-]/g, '-');
	const [program, bundle, sources] = ['cjs', 'bundle.cjs', 'json'].map((extension) =>
		join(folder, `${name}.${extension}`),
	) as [string, string, string];
	if (isCurrent(sources)) return program;
	const built = buildSync({
		absWorkingDir: projectRoot,
		entryPoints: [entry],
		bundle: true,
		external: ['pg-native'],
		format: 'cjs',
		logLevel: 'error',
		metafile: true,
		outfile: bundle,
		platform: 'node',
		target: 'node22',
		write: false,
	});
	mkdirSync(folder, { recursive: true });
	// This file says how programs are bundled.
	const files = [relative(projectRoot, __filename), ...Object.keys(built.metafile.inputs)];
	const times = files.map((path) => [path, timeOf(path)]);
	write(bundle, built.outputFiles[0]?.text ?? '');
	write(program, launcher(bundle));
	// Last, because it says that the others are there.
	write(sources, JSON.stringify(times));
	return program;
}

function isCurrent(sources: string): boolean {
	try {
		const times = JSON.parse(readFileSync(sources, 'utf8')) as Array<[string, number]>;
		return times.every(([path, time]) => timeOf(path) === time);
	} catch {
		return false;
	}
}

const timeOf = (path: string): number => statSync(join(projectRoot, path)).mtimeMs;

/** Another worker reads the former content or the new one, never a part. */
function write(file: string, content: string): void {
	const draft = `${file}.${process.pid}`;
	writeFileSync(draft, content);
	renameSync(draft, file);
}
