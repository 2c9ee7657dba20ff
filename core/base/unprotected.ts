/** Returns true for plain http to another machine, where others can read the traffic. */
export function isUnprotected(url: string): boolean {
	const { protocol, hostname } = new URL(url);
	const isLoopback = /^(localhost|.*\.localhost|127(\.\d+){3}|\[::1\])$/.test(hostname);
	return protocol === 'http:' && !isLoopback;
}
