/** Oldest supported Node version; some tests start their programs with it too. */
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { installOnce } from './drafts.mjs';
import { npm } from './npm.mjs';
import { cachePath } from '../lib/paths.mjs';

/** Its SQLite (3.50.4) does not detect locks that the program itself has dropped. */
export const oldestNodeVersion = '22.19.0';

const folder = cachePath(`node-${oldestNodeVersion}`);
const executable = (parent) =>
	`${parent}/node_modules/node/bin/node${process.platform === 'win32' ? '.exe' : ''}`;

/** Path of that Node's binary; installs it if it is missing (120 MB, some seconds, once). */
export async function ensureOldestNode() {
	if (existsSync(executable(folder))) return executable(folder);
	await installOnce(folder, `Node ${oldestNodeVersion}`, [], async (draft) => {
		const manifest = { private: true, dependencies: { node: oldestNodeVersion } };
		writeFileSync(join(draft, 'package.json'), JSON.stringify(manifest));
		// The install script fetches the binary for this platform.
		await npm(['install', '--no-package-lock', '--ignore-scripts=false'], { cwd: draft });
	});
	return executable(folder);
}
