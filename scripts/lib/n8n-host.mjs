/** Installs n8n for end-to-end tests and `npm start`: once per version, outside the checkout. */
import { createHash } from 'node:crypto';
import { cpSync, existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { withClaim } from './claims.mjs';
import { ensureRoom } from './disk-room.mjs';
import { installLocked, runInstallScript } from './npm.mjs';
import { partOfLock } from './lock.mjs';
import { cachePath, projectPath } from './paths.mjs';
import { nodeHeadersFolder, taskEnvironment } from './toolchain.mjs';

const textOf = (file) => readFileSync(projectPath('scripts', 'n8n', file), 'utf8');

/*
 * The manifest has overrides for third-party versions that n8n asks for and that are not available, by
 * the nearest version; and packages that n8n's own packages expect beside them.
 */
const locked = { manifest: textOf('package.json'), lock: textOf('package-lock.json') };
export const n8nVersion = JSON.parse(locked.manifest).dependencies.n8n;

/** The packages of n8n's SQLite driver alone, which is compiled while all others are installed. */
const driver = partOfLock(locked.lock, 'sqlite3');

const neededGb = 3;

const folder = cachePath(`n8n-${n8nVersion}`);
const driverFolder = cachePath(`sqlite3-${driver.version}-${process.platform}-${process.arch}`);
const builtDriver = (place) => join(place, 'node_modules', 'sqlite3', 'build');

/** Written last; contains a hash of what was installed. */
const stampFile = '.installed';
const hashOf = ({ manifest, lock }) =>
	createHash('sha256').update(manifest).update(lock).digest('hex');

/** Folder of the installed n8n; installs it if it is missing (2 GB, some minutes). */
export async function ensureN8nHost() {
	if (isN8nInstalled()) return folder;
	console.log(`Installing n8n ${n8nVersion} (2 GB, 2 to 5 minutes, once) …`);
	await Promise.all([
		downloadN8n({ label: 'the packages of n8n' }),
		compileDriver({ label: "n8n's SQLite driver" }),
	]);
	completeN8n();
	return folder;
}

export const isN8nInstalled = () => isComplete(folder, locked) && existsSync(builtDriver(folder));

/** Installs the packages. Runs no program of this project, so it can precede their installation. */
export async function downloadN8n(options) {
	await installOnce(folder, locked, `n8n ${n8nVersion}`, options);
}

/** Compiles the SQLite driver with the project's Node, or downloads it where n8n's own script can. */
export async function compileDriver(options) {
	await installOnce(driverFolder, driver, "n8n's SQLite driver", options, (draft) =>
		runInstallScript('sqlite3', { ...options, cwd: draft, env: compilerEnvironment() }),
	);
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
async function installOnce(place, wanted, what, options, complete = () => undefined) {
	const claimed = `${place}.installing`;
	await withClaim(claimed, `the installation of ${what}`, async () => {
		if (isComplete(place, wanted)) return;
		ensureRoom(place, place === folder ? neededGb : 0.1, `The installation of ${what}`);
		const draft = join(claimed, 'draft');
		rmSync(draft, { recursive: true, force: true });
		await installLocked(draft, wanted, { ...options, env: taskEnvironment() });
		await complete(draft);
		writeFileSync(join(draft, stampFile), hashOf(wanted));
		rmSync(place, { recursive: true, force: true });
		renameSync(draft, place);
	});
}

function isComplete(place, wanted) {
	const stamp = join(place, stampFile);
	return existsSync(stamp) && readFileSync(stamp, 'utf8') === hashOf(wanted);
}

/** Compiles on all processors, with the headers of the project's Node, which node-gyp would download. */
function compilerEnvironment() {
	const headers = nodeHeadersFolder();
	const hasHeaders = existsSync(`${headers}/include/node`);
	return taskEnvironment({ JOBS: 'max', ...(hasHeaders ? { npm_config_nodedir: headers } : {}) });
}
