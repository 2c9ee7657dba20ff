/** Installs n8n for end-to-end tests and `npm start`: once per version, outside the checkout. */
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';

import { cachePath, projectPath } from './paths.mjs';
import { runQuietly } from './process.mjs';
import { nodeHeadersFolder, npmCommand, taskEnvironment } from './toolchain.mjs';

/*
 * Overrides for third-party versions that n8n asks for and that are not available, by the nearest
 * version.
 */
const manifest = JSON.parse(
	readFileSync(projectPath('scripts', 'n8n', 'host-manifest.json'), 'utf8'),
);
const n8nVersion = manifest.dependencies.n8n;

const folder = cachePath(`n8n-${n8nVersion}`);
const stamp = cachePath(`n8n-${n8nVersion}`, '.installed');

/** Folder of the installed n8n; installs it if it is missing (2 GB, some minutes). */
export async function ensureN8nHost() {
	if (existsSync(stamp)) return folder;
	console.log(`Installing n8n ${n8nVersion} (2 GB, 3 to 8 minutes, once) …`);
	const draft = `${folder}.new`;
	rmSync(draft, { recursive: true, force: true });
	mkdirSync(draft, { recursive: true });
	writeFileSync(`${draft}/package.json`, JSON.stringify(manifest, undefined, '\t'));
	const options = { cwd: draft, env: taskEnvironment() };
	await npm(
		[
			'install',
			'--legacy-peer-deps',
			'--ignore-scripts',
			'--prefer-offline',
			'--no-audit',
			'--no-fund',
		],
		{ ...options, label: 'npm install n8n' },
	);
	console.log("Compiling n8n's SQLite driver (about 2 minutes) …");
	await npm(['rebuild', 'sqlite3', '--ignore-scripts=false'], {
		...options,
		env: compilerEnvironment(),
		label: 'npm rebuild sqlite3',
	});
	// The stamp is written last and the folder moved as a whole, so an interrupted installation is
	// repeated.
	writeFileSync(`${draft}/.installed`, new Date().toISOString());
	rmSync(folder, { recursive: true, force: true });
	renameSync(draft, folder);
	return folder;
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
