import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';

import { projectPath, projectRoot } from './paths.mjs';
import { runQuietly } from './process.mjs';
import { nodeHeadersFolder, npmCommand, projectNodeMajor, projectNodeWorks } from './toolchain.mjs';

const stampFile = projectPath('node_modules', '.n8n-nodes-enmeshed-installed');

/** Installs the development dependencies and the Node binary, unless exactly these are installed. */
export async function ensureInstalled() {
	if (isInstalled()) return;
	const started = Date.now();
	console.log('Installing the development dependencies (about 1 GB, some minutes) …');
	await install({ areLabelled: true });
	console.log(`Installed in ${Math.round((Date.now() - started) / 1000)} s.`);
}

export function isInstalled() {
	return (
		existsSync(stampFile) && readFileSync(stampFile, 'utf8') === wantedStamp() && projectNodeWorks()
	);
}

/**
 * Installs the development dependencies and the Node binary. The stamp is written last, so an
 * interrupted installation is repeated.
 */
export async function install({ areLabelled = false } = {}) {
	const labelled = (label) => (areLabelled ? { label } : {});
	await npm(['install', '--no-audit', '--no-fund'], labelled('npm install'));
	// Reinstalling removes the headers for compiling, which the install script of `node` had added.
	if (!projectNodeWorks() || !existsSync(nodeHeadersFolder())) {
		// The only install script needed: it downloads the binary for this platform.
		await npm(['rebuild', 'node', '--ignore-scripts=false'], labelled('npm rebuild node'));
	}
	if (!projectNodeWorks()) {
		throw new Error(
			`node_modules/.bin/node does not run as Node ${projectNodeMajor}. ` +
				'Delete node_modules and try again; on an unusual platform put that Node on the path.',
		);
	}
	writeFileSync(stampFile, wantedStamp());
}

/** Stamp that changes only with the dependencies, not with every edit of the manifest. */
function wantedStamp() {
	const manifest = JSON.parse(readFileSync(projectPath('package.json'), 'utf8'));
	const wanted = [manifest.dependencies, manifest.devDependencies, manifest.optionalDependencies];
	return createHash('sha256').update(JSON.stringify(wanted)).digest('hex');
}

async function npm(npmArguments, options) {
	const [command, commandArguments] = npmCommand(npmArguments);
	await runQuietly(command, commandArguments, { cwd: projectRoot, ...options });
}
