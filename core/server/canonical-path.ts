/**
 * Paths are matched whatever the case of their fixed words, with or without one slash at the end
 * (docs/protocol/http-api.md 2.2). Parameters stay as they are: the words of our routes are no ids.
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

/** The path of a log line: what may be a reference, and so a key, is left out. */
export function loggablePath(path: string): string {
	return path
		.split('/')
		.slice(0, 12)
		.map((segment) => (/^[\w.-]{0,32}$/.test(segment) ? segment : '***'))
		.join('/');
}
