import type * as Core from '../../../core';

export type { Core };

/**
 * The only place where the nodes load the core. n8n requires every node file at each start of every
 * process, so the core (crypto, database, network) is loaded on first use. All other files of the
 * nodes import only types from it, which do not appear in the built file.
 */
export async function loadCore(): Promise<typeof Core> {
	return await import('../../../core');
}
