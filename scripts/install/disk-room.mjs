import { existsSync, statfsSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * Refuses an installation that would fill a disk, before it begins.
 *
 * @param places folders, which may not exist yet, with what the installation takes there in GB,
 *   npm's copies of its packages included
 * @throws Error that says what to do
 */
export function ensureRoom(places, what) {
	const disks = new Map();
	for (const [folder, neededGb] of places) {
		const parent = existingParent(folder);
		const { dev } = statSync(parent);
		const earlier = disks.get(dev)?.neededGb ?? 0;
		disks.set(dev, { folder, parent, neededGb: earlier + neededGb });
	}
	for (const { folder, parent, neededGb } of disks.values()) {
		const { bavail, bsize } = statfsSync(parent);
		const freeGb = (bavail * bsize) / 1e9;
		if (freeGb >= neededGb) continue;
		throw new Error(
			`${what} needs ${neededGb.toFixed(1)} GB on the disk of ${folder}, where ` +
				`${freeGb.toFixed(1)} GB are free. Free some space, then run the same command again. ` +
				'N8N_NODES_ENMESHED_CACHE names another folder for n8n, and npm_config_cache for the ' +
				'downloads of npm.',
		);
	}
}

function existingParent(folder) {
	return existsSync(folder) ? folder : existingParent(dirname(folder));
}
