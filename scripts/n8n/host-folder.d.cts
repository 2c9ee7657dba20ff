export type N8nKind = 'newest' | 'oldest';

/**
 * The n8n that `ENMESHED_TEST_N8N` names, by default the newest.
 *
 * @throws Error if there is no such n8n
 */
export function chosenN8n(): { readonly kind: N8nKind; readonly version: string };

/** Folder in which the chosen n8n is installed, complete as soon as it exists. */
export function hostFolder(): string;

/** Folder for large files that several checkouts share. */
export function cacheFolder(): string;
