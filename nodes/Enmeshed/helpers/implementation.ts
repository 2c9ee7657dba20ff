import type * as Implementation from '../implementation';

/**
 * The one place where the node files load what they do. n8n requires them at each start of every
 * process and asks only for their descriptions, so they hold nothing else.
 */
export async function loadImplementation(): Promise<typeof Implementation> {
	return await import('../implementation');
}
