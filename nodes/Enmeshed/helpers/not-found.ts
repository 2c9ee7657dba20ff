/** True if the gateway has no such object. */
export function isNotFound(error: unknown): boolean {
	return (
		(error as { readonly code?: unknown } | undefined)?.code === 'error.runtime.recordNotFound'
	);
}
