/** Oldest supported Node version; some tests start their programs with it too. */
import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';

import { cachePath } from './paths.mjs';
import { runQuietly } from './process.mjs';
import { npmCommand } from './toolchain.mjs';

/** Its SQLite (3.50.4) does not detect locks that the program itself has dropped. */
export const oldestNodeVersion = '22.19.0';

const folder = cachePath(`node-${oldestNodeVersion}`);
const executable = (parent) =>
	`${parent}/node_modules/node/bin/node${process.platform === 'win32' ? '.exe' : ''}`;

/** Path of that Node's binary; installs it if it is missing (120 MB, some seconds, once). */
export async function ensureOldestNode() {
	if (existsSync(executable(folder))) return executable(folder);
	const draft = `${folder}.${process.pid}`;
	mkdirSync(draft, { recursive: true });
	writeFileSync(
		`${draft}/package.json`,
		JSON.stringify({ private: true, dependencies: { node: oldestNodeVersion } }),
	);
	await npm(['install', '--no-audit', '--no-fund', '--no-package-lock'], draft);
	// The install script downloads the binary; npm may be configured to skip such scripts.
	if (!existsSync(executable(draft)))
		await npm(['rebuild', 'node', '--ignore-scripts=false'], draft);
	settle(draft);
	return executable(folder);
}

async function npm(npmArguments, cwd) {
	const [command, commandArguments] = npmCommand(npmArguments);
	await runQuietly(command, commandArguments, { cwd });
}

/** Moves the folder as a whole: the first of several concurrent installations is kept. */
function settle(draft) {
	try {
		renameSync(draft, folder);
	} catch (error) {
		rmSync(draft, { recursive: true, force: true });
		if (!existsSync(executable(folder))) throw error;
	}
}
