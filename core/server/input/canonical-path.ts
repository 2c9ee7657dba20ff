/**
 * Matches paths regardless of letter case and of one trailing slash (docs/protocol/http-api.md
 * 2.2). Parameters keep their case: no word of a route has the form of an id.
 */
export function canonicalPaths(paths: readonly string[]): (path: string) => string {
	const words = new Map<string, string>();
	for (const word of paths.flatMap((path) => path.split('/'))) {
		if (word !== '' && !word.startsWith(':')) words.set(word.toLowerCase(), word);
	}
	return (path) => {
		const trimmed = path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path;
		return trimmed
			.split('/')
			.map((segment) => words.get(segment.toLowerCase()) ?? segment)
			.join('/');
	};
}

/** Path for the log, without segments that may be references, which contain keys. */
export function loggablePath(path: string): string {
	return path
		.split('/')
		.slice(0, 12)
		.map((segment) => (/^[\w.-]{0,32}$/.test(segment) ? segment : '***'))
		.join('/');
}
