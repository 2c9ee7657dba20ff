/** Installs n8n for end-to-end tests and `npm start`: once per lock file, outside the checkout. */
import { cpSync, existsSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';

import { chosenN8n, lockedFolder } from '../n8n/host-folder.cjs';
import { withClaim } from './claims.mjs';
import { ensureRoom } from './disk-room.mjs';
import { partOfLock } from './lock.mjs';
import { installLocked, runInstallScript } from './npm.mjs';
import { nodeHeadersFolder, taskEnvironment } from '../lib/toolchain.mjs';

const { folder, locked, version } = chosenN8n();

export const n8nVersion = version;

/** The packages of n8n's SQLite driver alone, which is compiled while all others are installed. */
const driver = partOfLock(locked.lock, 'sqlite3');
const driverFolder = lockedFolder(
	`sqlite3-${driver.version}-${process.platform}-${process.arch}`,
	driver,
);

const builtDriver = (place) => join(place, 'node_modules', 'sqlite3', 'build');

/** What the packages take, with npm's copies of them. */
const neededGb = { n8n: 3, driver: 0.1 };

/** Folder of the installed n8n; installs it if it is missing (2 GB, some minutes). */
export async function ensureN8nHost() {
	if (!isN8nInstalled()) {
		console.log(`Installing n8n ${version} (2 GB, 2 to 5 minutes, once) …`);
		await Promise.all([
			downloadN8n({ label: 'the packages of n8n' }),
			compileDriver({ label: "n8n's SQLite driver" }),
		]);
		completeN8n();
	}
	return folder;
}

export const isN8nInstalled = () => existsSync(builtDriver(folder));

/** Installs the packages. Runs no program of this project, so it can precede their installation. */
export async function downloadN8n(options) {
	await installOnce(folder, locked, `n8n ${version}`, neededGb.n8n, options);
}

/** Compiles the SQLite driver with the project's Node, or downloads it where its own script can. */
export async function compileDriver(options) {
	const compile = (draft) =>
		runInstallScript('sqlite3', { ...options, cwd: draft, env: compilerEnvironment() });
	const what = "n8n's SQLite driver";
	await installOnce(driverFolder, driver, what, neededGb.driver, options, compile);
}

/** Gives the compiled driver to n8n, which has no other. */
export function completeN8n() {
	const target = builtDriver(folder);
	if (existsSync(target)) return;
	const draft = `${target}.${process.pid}`;
	cpSync(builtDriver(driverFolder), draft, { recursive: true });
	renameSync(draft, target);
}

/**
 * Installs what a lock file names into a folder of the cache, which several checkouts share. The folder
 * is prepared under another name, so an interrupted installation changes nothing and is repeated.
 */
async function installOnce(place, wanted, what, gb, options, complete = () => undefined) {
	const claimed = `${place}.installing`;
	await withClaim(claimed, `the installation of ${what}`, async () => {
		if (existsSync(place)) return;
		ensureRoom(place, gb, `The installation of ${what}`);
		const draft = join(claimed, 'draft');
		rmSync(draft, { recursive: true, force: true });
		await installLocked(draft, wanted, { ...options, env: taskEnvironment() });
		await complete(draft);
		renameSync(draft, place);
	});
}

/** Compiles on all processors, with the headers of the project's Node, which node-gyp would download. */
function compilerEnvironment() {
	const headers = nodeHeadersFolder();
	const hasHeaders = existsSync(`${headers}/include/node`);
	return taskEnvironment({ JOBS: 'max', ...(hasHeaders ? { npm_config_nodedir: headers } : {}) });
}
