/**
 * Path and query of a request's URL. The adapter has already brought the URL into its normal form,
 * so that it can be cut instead of parsed again by every step.
 */
export interface RequestAddress {
	readonly path: string;
	/** query without its question mark; empty without a query */
	readonly query: string;
}

export function addressOf(url: string): RequestAddress {
	const start = url.indexOf('/', url.indexOf('://') + 3);
	const fragment = url.indexOf('#', start);
	const end = fragment < 0 ? url.length : fragment;
	const question = url.indexOf('?', start);
	if (question < 0 || question > end) return { path: url.slice(start, end), query: '' };
	return { path: url.slice(start, question), query: url.slice(question + 1, end) };
}
