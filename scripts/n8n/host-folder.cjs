/** The locked n8n of the demo and the tests, and the folder in which it is installed. */
const { createHash } = require('node:crypto');
const { readFileSync } = require('node:fs');
const { homedir } = require('node:os');
const { join } = require('node:path');

/**
 * Folder for large files that several checkouts share, such as n8n. `N8N_NODES_ENMESHED_CACHE` moves
 * it.
 */
const cacheFolder = () =>
	process.env.N8N_NODES_ENMESHED_CACHE ?? join(homedir(), '.cache', 'n8n-nodes-enmeshed');

/** Texts of a manifest and its lock file. */
function readLocked(folder) {
	const textOf = (file) => readFileSync(join(folder, file), 'utf8');
	return { manifest: textOf('package.json'), lock: textOf('package-lock.json') };
}

/** Folder in the cache that is named after exactly what it contains. */
function lockedFolder(name, { manifest, lock }) {
	const hash = createHash('sha256').update(manifest).update(lock).digest('hex');
	return join(cacheFolder(), `${name}-${hash.slice(0, 12)}`);
}

const lockedN8n = readLocked(__dirname);

const n8nVersion = JSON.parse(lockedN8n.manifest).dependencies.n8n;

/** Folder in which n8n is installed, complete as soon as it exists. */
const hostFolder = () => lockedFolder(`n8n-${n8nVersion}`, lockedN8n);

module.exports = { cacheFolder, hostFolder, lockedFolder, lockedN8n, n8nVersion };
