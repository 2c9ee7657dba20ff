import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';

import { withClaim } from './claims.mjs';
import { ensureRoom } from './disk-room.mjs';

/** Removes what an interrupted installation has left in its folder. Does not block: others ask for the claim. */
export async function removeDrafts(folder) {
	const left = existsSync(folder) ? readdirSync(folder) : [];
	for (const name of left.filter((entry) => entry.startsWith('draft-'))) {
		await rm(join(folder, name), { recursive: true, force: true });
	}
}

/** Folder of its own for each installation: an orphaned npm may still write into an earlier one. */
export function newDraft(folder) {
	mkdirSync(folder, { recursive: true });
	return mkdtempSync(join(folder, 'draft-'));
}

/**
 * Fills a folder of the cache, which several checkouts share. It is prepared under another name, so an
 * interrupted installation changes nothing and is repeated.
 */
export async function installOnce(place, what, room, fill) {
	const claimed = `${place}.installing`;
	await withClaim(claimed, `the installation of ${what}`, async () => {
		if (existsSync(place)) return;
		await removeDrafts(claimed);
		ensureRoom(room, `The installation of ${what}`);
		const draft = newDraft(claimed);
		await fill(draft);
		renameSync(draft, place);
	});
}
