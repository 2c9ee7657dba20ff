import { existsSync, mkdirSync, mkdtempSync, readdirSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';

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
