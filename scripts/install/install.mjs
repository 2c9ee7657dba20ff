import { createHash } from 'node:crypto';
import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { withClaim } from './claims.mjs';
import { ensureRoom } from './disk-room.mjs';
import { installLocked, runInstallScript } from './npm.mjs';
import { projectPath, scratchPath } from '../lib/paths.mjs';
import { nodeWorks, projectNodeMajor } from '../lib/toolchain.mjs';

const neededGb = 1.3;

const modules = projectPath('node_modules');

const stampName = '.n8n-nodes-enmeshed-installed';

/** Installs the development dependencies and the Node binary, unless exactly these are installed. */
export async function ensureInstalled() {
	if (isInstalled()) return;
	const started = Date.now();
	console.log('Installing the development dependencies (about 1 GB, some minutes) …');
	await install({ label: 'npm ci' });
	console.log(`Installed in ${Math.round((Date.now() - started) / 1000)} s.`);
}

export function isInstalled() {
	const stampFile = join(modules, stampName);
	return existsSync(stampFile) && readFileSync(stampFile, 'utf8') === wantedStamp() && nodeWorks();
}

/**
 * Installs the development dependencies and the Node binary. All is prepared in another folder, so an
 * interrupted installation changes nothing and is repeated.
 */
export async function install(options = {}) {
	await withClaim(scratchPath('installing'), 'the installation of the dependencies', async () => {
		if (!isInstalled()) await replaceModules(options);
	});
}

async function replaceModules(options) {
	ensureRoom(modules, neededGb, 'The installation of the development dependencies');
	const draft = scratchPath('installing', 'draft');
	const drafted = join(draft, 'node_modules');
	rmSync(draft, { recursive: true, force: true });
	const textOf = (file) => readFileSync(projectPath(file), 'utf8');
	const locked = { manifest: textOf('package.json'), lock: textOf('package-lock.json') };
	await installLocked(draft, locked, options);
	// The only install script needed: it fetches the binary for this platform.
	await runInstallScript('node', { ...options, cwd: draft });
	if (!nodeWorks(drafted)) {
		throw new Error(
			`The package 'node' has brought no Node ${projectNodeMajor} that runs here ` +
				`(${process.platform}, ${process.arch}).`,
		);
	}
	writeFileSync(join(drafted, stampName), wantedStamp());
	rmSync(modules, { recursive: true, force: true });
	renameSync(drafted, modules);
	rmSync(draft, { recursive: true, force: true });
}

/** Stamp that changes with the packages, not with every edit of the manifest. */
function wantedStamp() {
	const { packages } = JSON.parse(readFileSync(projectPath('package-lock.json'), 'utf8'));
	delete packages[''];
	return createHash('sha256').update(JSON.stringify(packages)).digest('hex');
}
