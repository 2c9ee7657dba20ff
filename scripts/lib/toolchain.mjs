import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter } from 'node:path';

import { projectPath } from './paths.mjs';

/** The Node version that the `node` development dependency brings. */
export const projectNodeMajor = 24;

const binFolder = projectPath('node_modules', '.bin');

export const projectNode = () =>
	projectPath('node_modules', '.bin', process.platform === 'win32' ? 'node.exe' : 'node');

/** The folder that holds `include/node`, which node-gyp needs to compile without a download. */
export const nodeHeadersFolder = () =>
	projectPath('node_modules', 'node', 'node_modules', `node-${process.platform}-${process.arch}`);

export function projectNodeWorks() {
	if (!existsSync(projectNode())) return false;
	try {
		const version = execFileSync(projectNode(), ['--version'], { encoding: 'utf8' });
		return version.startsWith(`v${projectNodeMajor}.`);
	} catch {
		return false;
	}
}

/** Our environment with the project's own programs, Node among them, before the machine's. */
export function taskEnvironment(extra = {}) {
	const rest = (process.env.PATH ?? '').split(delimiter).filter((folder) => folder !== binFolder);
	return { ...process.env, PATH: [binFolder, ...rest].join(delimiter), ...extra };
}

/** How to run npm: the one that runs us, else the one on the path. */
export function npmCommand(npmArguments) {
	const npmScript = process.env.npm_execpath;
	return npmScript !== undefined && /npm-cli\.[cm]?js$/.test(npmScript)
		? [process.execPath, [npmScript, ...npmArguments]]
		: ['npm', npmArguments];
}
