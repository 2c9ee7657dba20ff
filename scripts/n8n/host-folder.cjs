/** The locked versions of n8n for the demo and the tests, and the folders in which they are installed. */
const { createHash } = require('node:crypto');
const { readFileSync } = require('node:fs');
const { homedir } = require('node:os');
const { join } = require('node:path');

/** Folders with manifest and lock file. The demo and most tests use the newest. */
const n8nFolders = { newest: __dirname, oldest: join(__dirname, 'oldest') };

const n8nKinds = Object.keys(n8nFolders);

/**
 * Folder for large files that several checkouts share, such as n8n. `N8N_NODES_ENMESHED_CACHE` moves
 * it.
 */
const cacheFolder = () =>
	process.env.N8N_NODES_ENMESHED_CACHE ?? join(homedir(), '.cache', 'n8n-nodes-enmeshed');

/** Folder in the cache that is named after exactly what it contains. */
function lockedFolder(name, { manifest, lock }) {
	const hash = createHash('sha256').update(manifest).update(lock).digest('hex');
	return join(cacheFolder(), `${name}-${hash.slice(0, 12)}`);
}

/**
 * The n8n that `ENMESHED_TEST_N8N` names, by default the newest: its version, the texts of its manifest
 * and lock file, and the folder in which it is installed, complete as soon as it exists.
 */
function chosenN8n(kind = process.env.ENMESHED_TEST_N8N ?? 'newest') {
	if (!Object.hasOwn(n8nFolders, kind)) {
		throw new Error(`ENMESHED_TEST_N8N is '${kind}'. It can be ${n8nKinds.join(' or ')}.`);
	}
	const textOf = (file) => readFileSync(join(n8nFolders[kind], file), 'utf8');
	const locked = { manifest: textOf('package.json'), lock: textOf('package-lock.json') };
	const version = JSON.parse(locked.manifest).dependencies.n8n;
	return { kind, version, locked, folder: lockedFolder(`n8n-${version}`, locked) };
}

const hostFolder = () => chosenN8n().folder;

module.exports = {
	cacheFolder,
	chosenN8n,
	hostFolder,
	lockedFolder,
	n8nFolders,
	n8nKinds,
};
