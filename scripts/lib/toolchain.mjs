import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

import { projectPath } from './paths.mjs';

/** Node version of the `node` development dependency. */
export const projectNodeMajor = 24;

const modules = projectPath('node_modules');

const binFolder = join(modules, '.bin');

export const projectNode = () => nodeIn(modules);

/** Node binary among installed packages. */
const nodeIn = (folder) => join(folder, '.bin', process.platform === 'win32' ? 'node.exe' : 'node');

/** Folder that contains `include/node`, which node-gyp needs to compile without a download. */
export const nodeHeadersFolder = () =>
	join(modules, 'node', 'node_modules', `node-${process.platform}-${process.arch}`);

/** Whether the packages of a folder contain a Node binary of the wanted version. */
export function nodeWorks(folder = modules) {
	const program = nodeIn(folder);
	if (!existsSync(program)) return false;
	try {
		const version = execFileSync(program, ['--version'], { encoding: 'utf8' });
		return version.startsWith(`v${projectNodeMajor}.`);
	} catch {
		return false;
	}
}

/**
 * Environment in which the project's own programs, including Node, precede the programs of the
 * machine.
 */
export function taskEnvironment(extra = {}) {
	const rest = (process.env.PATH ?? '').split(delimiter).filter((folder) => folder !== binFolder);
	return { ...process.env, PATH: [binFolder, ...rest].join(delimiter), ...extra };
}

/** Command for npm: the running npm if there is one, else npm on the path. */
export function npmCommand(npmArguments) {
	const npmScript = process.env.npm_execpath;
	return npmScript !== undefined && /npm-cli\.[cm]?js$/.test(npmScript)
		? [process.execPath, [npmScript, ...npmArguments]]
		: ['npm', npmArguments];
}
