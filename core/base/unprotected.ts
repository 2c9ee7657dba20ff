/** Whether what is sent there can be read on its way: plain http to another machine. */
export function isUnprotected(url: string): boolean {
	const { protocol, hostname } = new URL(url);
	const isLoopback = /^(localhost|.*\.localhost|127(\.\d+){3}|\[::1\])$/.test(hostname);
	return protocol === 'http:' && !isLoopback;
}
