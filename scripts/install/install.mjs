import { createHash } from 'node:crypto';
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { withClaim } from './claims.mjs';
import { ensureRoom } from './disk-room.mjs';
import { newDraft, removeDrafts } from './drafts.mjs';
import { installLocked, runInstallScript } from './npm.mjs';
import { projectPath, scratchPath } from '../lib/paths.mjs';
import { nodeWorks, projectNodeMajor } from '../lib/toolchain.mjs';

/** What the packages take, with npm's copies of them. */
const neededGb = 1.4;

const modules = projectPath('node_modules');

const claimed = scratchPath('installing');

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

/** Disk that the installation takes, by folder. */
export const roomForDependencies = () => [[modules, neededGb]];

/**
 * Installs the development dependencies and the Node binary. All is prepared in another folder, so an
 * interrupted installation is repeated and leaves nothing half-done.
 */
export async function install(options = {}) {
	await withClaim(claimed, 'the installation of the dependencies', async () => {
		if (!isInstalled()) await replaceModules(options);
	});
}

async function replaceModules(options) {
	await removeDrafts(claimed);
	ensureRoom(roomForDependencies(), 'The installation of the development dependencies');
	const draft = newDraft(claimed);
	const drafted = join(draft, 'node_modules');
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
	if (existsSync(modules)) renameSync(modules, join(draft, 'replaced'));
	renameSync(drafted, modules);
	await removeDrafts(claimed);
}

/** Stamp that changes with the packages, not with every edit of the manifest. */
function wantedStamp() {
	const { packages } = JSON.parse(readFileSync(projectPath('package-lock.json'), 'utf8'));
	delete packages[''];
	return createHash('sha256').update(JSON.stringify(packages)).digest('hex');
}
