export function withClaim<T>(
	folder: string,
	what: string,
	work: () => Promise<T>,
	options?: { readonly signal?: AbortSignal },
): Promise<T>;
