import { homedir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const projectRoot = fileURLToPath(new URL('../..', import.meta.url)).replace(/[/\\]$/, '');

export const projectPath = (...parts) => join(projectRoot, ...parts);

/** Folder ignored by git: state of `npm start`, test results, packed tarballs. */
export const scratchPath = (...parts) => projectPath('.tmp', ...parts);

/**
 * Folder for large files that several checkouts share, such as the n8n host.
 * `N8N_NODES_ENMESHED_CACHE` moves it.
 */
export const cachePath = (...parts) =>
	join(
		process.env.N8N_NODES_ENMESHED_CACHE ?? join(homedir(), '.cache', 'n8n-nodes-enmeshed'),
		...parts,
	);
