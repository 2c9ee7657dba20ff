/** Installs n8n for end-to-end tests and `npm start`: once per lock file, outside the checkout. */
import {
	copyFileSync,
	existsSync,
	mkdirSync,
	mkdtempSync,
	renameSync,
	rmSync,
	symlinkSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

import { chosenN8n, lockedFolder } from '../n8n/host-folder.cjs';
import { installOnce } from './drafts.mjs';
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

const compilerHint =
	"To compile n8n's SQLite driver, python3, make and a C++ compiler (g++) have to be installed.";

const driverFile = 'node_sqlite3.node';
const driverIn = (place) => join(place, 'node_modules', 'sqlite3', 'build', 'Release', driverFile);

/** What the packages take, with npm's copies of them. */
const neededGb = { n8n: 2.7, driver: 0.1 };

/** Disk that the installation takes, by folder. */
export const roomForN8n = () => [
	[folder, neededGb.n8n],
	[tmpdir(), neededGb.driver],
];

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

export const isN8nInstalled = () => existsSync(driverIn(folder));

/** Installs the packages. Runs no program of this project, so it can precede their installation. */
export async function downloadN8n(options) {
	await installOnce(folder, `n8n ${version}`, [[folder, neededGb.n8n]], (draft) =>
		installLocked(draft, locked, { ...options, env: taskEnvironment() }),
	);
}

/**
 * Compiles the SQLite driver with the project's Node, or downloads it where its own script can. That
 * happens below the temporary folder, because make fails in a folder whose path contains a space.
 */
export async function compileDriver(options) {
	const room = [[tmpdir(), neededGb.driver]];
	await installOnce(driverFolder, "n8n's SQLite driver", room, async (draft) => {
		const place = mkdtempSync(join(tmpdir(), 'enmeshed-sqlite3-'));
		try {
			await installLocked(place, driver, { ...options, env: taskEnvironment() });
			const env = compilerEnvironment(place);
			await runInstallScript('sqlite3', { ...options, cwd: place, env, hint: compilerHint });
			copyFileSync(driverIn(place), join(draft, driverFile));
		} finally {
			rmSync(place, { recursive: true, force: true });
		}
	});
}

/** Gives the compiled driver to n8n, which has no other. */
export function completeN8n() {
	const target = driverIn(folder);
	if (existsSync(target)) return;
	mkdirSync(dirname(target), { recursive: true });
	const draft = `${target}.${process.pid}`;
	copyFileSync(join(driverFolder, driverFile), draft);
	renameSync(draft, target);
}

/** Compiles on all processors, with the headers of the project's Node, which node-gyp would download. */
function compilerEnvironment(place) {
	const headers = nodeHeadersFolder();
	if (!existsSync(join(headers, 'include', 'node'))) return taskEnvironment({ JOBS: 'max' });
	const linked = join(place, 'headers');
	symlinkSync(headers, linked, 'junction');
	return taskEnvironment({ JOBS: 'max', npm_config_nodedir: linked });
}
