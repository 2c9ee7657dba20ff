/** Installs n8n for end-to-end tests and `npm start`: once per version, outside the checkout. */
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';

import { cachePath, projectPath } from './paths.mjs';
import { runQuietly } from './process.mjs';
import { nodeHeadersFolder, npmCommand, taskEnvironment } from './toolchain.mjs';

/*
 * Overrides for third-party versions that n8n asks for and that are not available, by the nearest
 * version; and packages that n8n's own packages expect beside them.
 */
const manifestText = readFileSync(projectPath('scripts', 'n8n', 'host-manifest.json'), 'utf8');
export const n8nVersion = JSON.parse(manifestText).dependencies.n8n;

const folder = cachePath(`n8n-${n8nVersion}`);
const draft = `${folder}.new`;

/** Contains the manifest of the complete installation; removed while it is changed. */
const stampOf = (place) => `${place}/.installed`;

/** Folder of the installed n8n; installs it if it is missing (2 GB, some minutes). */
export async function ensureN8nHost() {
	if (isN8nInstalled()) return folder;
	console.log(`Installing n8n ${n8nVersion} (2 GB, 3 to 8 minutes, once) …`);
	const place = await downloadN8n({ label: 'npm install n8n' });
	console.log("Compiling n8n's SQLite driver (about 2 minutes) …");
	await completeN8n(place, { label: 'npm rebuild sqlite3' });
	return folder;
}

export function isN8nInstalled() {
	const stamp = stampOf(folder);
	return existsSync(stamp) && readFileSync(stamp, 'utf8') === manifestText;
}

/**
 * Installs the packages, or updates them after a change of the manifest. Runs no program of this
 * project, so it can precede their installation.
 *
 * @returns the place for {@link completeN8n}
 */
export async function downloadN8n({ label } = {}) {
	const isUpdate = existsSync(stampOf(folder));
	const place = isUpdate ? folder : draft;
	if (isUpdate) rmSync(stampOf(folder));
	else {
		rmSync(draft, { recursive: true, force: true });
		mkdirSync(draft, { recursive: true });
	}
	writeFileSync(`${place}/package.json`, manifestText);
	const installing = ['install', '--legacy-peer-deps', '--ignore-scripts', '--prefer-offline'];
	const quietly = ['--no-audit', '--no-fund'];
	await npm([...installing, ...quietly], { cwd: place, env: taskEnvironment(), label });
	return place;
}

/** Compiles the SQLite driver with the project's Node, and moves a new installation to its folder. */
export async function completeN8n(place, { label } = {}) {
	if (place === draft) {
		await npm(['rebuild', 'sqlite3', '--ignore-scripts=false'], {
			cwd: draft,
			env: compilerEnvironment(),
			label,
		});
	}
	// The stamp is written last and the folder moved as a whole, so an interrupted installation is
	// repeated.
	writeFileSync(stampOf(place), manifestText);
	if (place === folder) return;
	rmSync(folder, { recursive: true, force: true });
	renameSync(draft, folder);
}

/** Compiles on all processors, with the headers of the project's Node, which node-gyp would download. */
function compilerEnvironment() {
	const headers = nodeHeadersFolder();
	const hasHeaders = existsSync(`${headers}/include/node`);
	return taskEnvironment({ JOBS: 'max', ...(hasHeaders ? { npm_config_nodedir: headers } : {}) });
}

async function npm(npmArguments, options) {
	const [command, commandArguments] = npmCommand(npmArguments);
	await runQuietly(command, commandArguments, options);
}
