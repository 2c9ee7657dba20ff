import { createHash } from 'node:crypto';
import {
	existsSync,
	mkdirSync,
	readdirSync,
	readFileSync,
	rmSync,
	statSync,
	writeFileSync,
} from 'node:fs';
import { join } from 'node:path';

import { projectPath, projectRoot, scratchPath } from './paths.mjs';
import { runInherited, runQuietly } from './process.mjs';
import { taskEnvironment } from './toolchain.mjs';

/** Paths of all inputs of the build. */
const inputs = [
	'core',
	'credentials',
	'docs/examples',
	'gulpfile.js',
	'icons',
	'index.ts',
	'LICENSE',
	'nodes',
	'package-lock.json',
	'package.json',
	'sandbox',
	'scripts/build',
	'scripts/cli',
	'tsconfig.build.json',
	'tsconfig.json',
];

const stampFile = scratchPath('build-stamp');

/** Says that `dist` has to be built again. */
export const forgetBuild = () => rmSync(stampFile, { force: true });

export async function build(rest = []) {
	forgetBuild();
	const stamp = stampOf('complete');
	const code = await runInherited('gulp', ['build', ...rest], { cwd: projectRoot });
	if (code === 0) writeStamp(stamp);
	return code;
}

/** Builds if a source has changed since the last complete build. */
export async function buildUnlessCurrent() {
	if (isBuilt('complete')) return;
	const code = await build();
	if (code !== 0) throw new Error('The build failed, see above.');
}

/** Builds everything if a source has changed, without checking types: the tests have a step for that. */
export async function buildUntyped() {
	if (isBuilt('complete') || isBuilt('untyped')) return 0;
	forgetBuild();
	const stamp = stampOf('untyped');
	const code = await runInherited('gulp', ['untyped'], { cwd: projectRoot });
	if (code === 0) writeStamp(stamp);
	return code;
}

/** Says that the types of everything have been checked, so an untyped build is as good as a complete one. */
export function markTypesChecked() {
	if (isBuilt('untyped')) writeStamp(stampOf('complete'));
}

/** Whether there is what n8n and the commands need. */
export const isRunnable = () => ['complete', 'untyped', 'runnable'].some(isBuilt);

/** Builds what n8n and the commands need, without types and their check. */
export async function buildRunnable() {
	forgetBuild();
	const stamp = stampOf('runnable');
	await runQuietly('gulp', ['runnable'], { cwd: projectRoot, env: taskEnvironment() });
	writeStamp(stamp);
}

function isBuilt(extent) {
	return (
		existsSync(projectPath('dist', 'index.js')) &&
		existsSync(stampFile) &&
		readFileSync(stampFile, 'utf8') === stampOf(extent)
	);
}

const stampOf = (extent) => `${extent} ${stampOfInputs()}`;

function writeStamp(stamp) {
	mkdirSync(scratchPath(), { recursive: true });
	writeFileSync(stampFile, stamp);
}

function stampOfInputs() {
	const hash = createHash('sha256');
	for (const input of inputs) addToHash(hash, projectPath(input));
	return hash.digest('hex');
}

function addToHash(hash, path) {
	if (!existsSync(path)) return;
	if (!statSync(path).isDirectory()) {
		hash.update(path).update(readFileSync(path));
		return;
	}
	for (const entry of readdirSync(path).sort()) addToHash(hash, join(path, entry));
}
