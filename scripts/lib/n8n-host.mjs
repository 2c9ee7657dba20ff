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
const n8nVersion = JSON.parse(manifestText).dependencies.n8n;

const folder = cachePath(`n8n-${n8nVersion}`);

/** Contains the manifest of the complete installation; removed while it is changed. */
const stampOf = (place) => `${place}/.installed`;

/** Folder of the installed n8n; installs it if it is missing (2 GB, some minutes). */
export async function ensureN8nHost() {
	const stamp = stampOf(folder);
	if (!existsSync(stamp)) await installAnew();
	else if (readFileSync(stamp, 'utf8') !== manifestText) {
		console.log(`Updating the installation of n8n ${n8nVersion} …`);
		rmSync(stamp);
		await installPackages(folder);
		writeFileSync(stamp, manifestText);
	}
	return folder;
}

async function installAnew() {
	console.log(`Installing n8n ${n8nVersion} (2 GB, 3 to 8 minutes, once) …`);
	const draft = `${folder}.new`;
	rmSync(draft, { recursive: true, force: true });
	mkdirSync(draft, { recursive: true });
	await installPackages(draft);
	console.log("Compiling n8n's SQLite driver (about 2 minutes) …");
	await npm(['rebuild', 'sqlite3', '--ignore-scripts=false'], {
		cwd: draft,
		env: compilerEnvironment(),
		label: 'npm rebuild sqlite3',
	});
	// The stamp is written last and the folder moved as a whole, so an interrupted installation is
	// repeated.
	writeFileSync(stampOf(draft), manifestText);
	rmSync(folder, { recursive: true, force: true });
	renameSync(draft, folder);
}

async function installPackages(place) {
	writeFileSync(`${place}/package.json`, manifestText);
	await npm(
		[
			'install',
			'--legacy-peer-deps',
			'--ignore-scripts',
			'--prefer-offline',
			'--no-audit',
			'--no-fund',
		],
		{ cwd: place, env: taskEnvironment(), label: 'npm install n8n' },
	);
}

/** Headers of the project's Node, which node-gyp would download otherwise. */
function compilerEnvironment() {
	const folder = nodeHeadersFolder();
	return taskEnvironment(
		existsSync(`${folder}/include/node`) ? { npm_config_nodedir: folder } : {},
	);
}

async function npm(npmArguments, options) {
	const [command, commandArguments] = npmCommand(npmArguments);
	await runQuietly(command, commandArguments, options);
}
