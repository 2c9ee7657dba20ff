import type * as Implementation from '../implementation';

/**
 * The only place where the node files load their implementation. n8n requires them at each start of
 * every process and needs only their descriptions, so they contain nothing else.
 */
export async function loadImplementation(): Promise<typeof Implementation> {
	return await import('../implementation');
}
