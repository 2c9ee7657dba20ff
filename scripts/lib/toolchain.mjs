import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';

import { projectPath } from './paths.mjs';

/** Node version of the `node` development dependency. */
export const projectNodeMajor = 24;

const modules = projectPath('node_modules');

const binFolder = join(modules, '.bin');

export const projectNode = () => nodeIn(modules);

/** Node binary among installed packages; not the entry in `.bin`, which on Windows is a script. */
const nodeIn = (folder) =>
	join(folder, 'node', 'bin', process.platform === 'win32' ? 'node.exe' : 'node');

/** Folder that contains `include/node`, which node-gyp needs to compile without a download. */
export const nodeHeadersFolder = () => join(modules, 'node', 'node_modules', platformPackage());

/** Package with the binary of this platform, which the install script of `node` adds. */
function platformPackage() {
	const { platform, arch } = process;
	const prefix = platform === 'darwin' && arch === 'arm64' ? 'node-bin' : 'node';
	return `${prefix}-${platform === 'win32' ? 'win' : platform}-${arch}`;
}

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
	const own = [dirname(projectNode()), binFolder];
	const rest = (process.env.PATH ?? '').split(delimiter).filter((folder) => !own.includes(folder));
	return { ...process.env, PATH: [...own, ...rest].join(delimiter), ...extra };
}

/** Command for npm: the running npm if there is one, else npm on the path. */
export function npmCommand(npmArguments) {
	const npmScript = process.env.npm_execpath;
	return npmScript !== undefined && /npm-cli\.[cm]?js$/.test(npmScript)
		? [process.execPath, [npmScript, ...npmArguments]]
		: ['npm', npmArguments];
}
