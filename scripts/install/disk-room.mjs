import { existsSync, statfsSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * Refuses an installation that would fill the disk, before it begins.
 *
 * @param folder may not exist yet
 * @param neededGb what the installation and npm's copies of its packages take
 * @throws Error that says what to do
 */
export function ensureRoom(folder, neededGb, what) {
	const { bavail, bsize } = statfsSync(existingParent(folder));
	const freeGb = (bavail * bsize) / 1e9;
	if (freeGb >= neededGb) return;
	throw new Error(
		`${what} needs ${neededGb} GB in ${folder}, where ${freeGb.toFixed(1)} GB are free. ` +
			'Free some space, then run the same command again. N8N_NODES_ENMESHED_CACHE names another ' +
			'folder for n8n, and npm_config_cache for the downloads of npm.',
	);
}

function existingParent(folder) {
	return existsSync(folder) ? folder : existingParent(dirname(folder));
}
