import { homedir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const projectRoot = fileURLToPath(new URL('../..', import.meta.url)).replace(/[/\\]$/, '');

export const projectPath = (...parts) => join(projectRoot, ...parts);

/** Ignored by git: states of `npm start`, results of test runs, packed tarballs. */
export const scratchPath = (...parts) => projectPath('.tmp', ...parts);

/**
 * Large things that survive a checkout and are shared by several: the n8n host.
 * `N8N_NODES_ENMESHED_CACHE` moves it.
 */
export const cachePath = (...parts) =>
	join(
		process.env.N8N_NODES_ENMESHED_CACHE ?? join(homedir(), '.cache', 'n8n-nodes-enmeshed'),
		...parts,
	);
