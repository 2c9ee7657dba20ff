/** The n8n that end-to-end tests and `npm start` run: installed once per version, outside the checkout. */
import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';

import { cachePath } from './paths.mjs';
import { runQuietly } from './process.mjs';
import { npmCommand, taskEnvironment } from './toolchain.mjs';

export const n8nVersion = '2.41.1';

/* Three third-party versions that n8n asks for are not to be had; these are the nearest. */
const manifest = {
	name: 'n8n-e2e-host',
	private: true,
	dependencies: { n8n: n8nVersion },
	overrides: {
		linkedom: '0.18.13',
		'@langchain/langgraph-checkpoint@^1.2.2': '1.1.5',
		'@langchain/protocol@^0.0.21': '0.0.19',
	},
};

const folder = cachePath(`n8n-${n8nVersion}`);
const stamp = cachePath(`n8n-${n8nVersion}`, '.installed');

/** The folder with the ready n8n; installs it when it is missing (2 GB, some minutes). */
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
		label: 'npm rebuild sqlite3',
	});
	// Written last and moved as a whole: an interrupted installation is repeated.
	writeFileSync(`${draft}/.installed`, new Date().toISOString());
	rmSync(folder, { recursive: true, force: true });
	renameSync(draft, folder);
	return folder;
}

async function npm(npmArguments, options) {
	const [command, commandArguments] = npmCommand(npmArguments);
	await runQuietly(command, commandArguments, options);
}
