import type * as Core from '../../../core';

export type { Core };

/**
 * The one place where the nodes load the gateway. n8n requires every node file at each start of every
 * process, so the core (crypto, database, network) is read on first use only; everything else in this
 * folder imports types from it, which leave no trace in the built file.
 */
export async function loadCore(): Promise<typeof Core> {
	return await import('../../../core');
}
