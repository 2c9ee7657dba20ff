/**
 * Names in the Host header that the wallet answers. With other names, a foreign page that lets its
 * own name resolve to this machine could use the wallet.
 */
export function acceptedHosts(host: string, publicUrl: string | undefined): ReadonlySet<string> {
	const isAnyAddress = host === '0.0.0.0' || host === '::';
	return new Set([
		...['127.0.0.1', 'localhost', '[::1]'],
		...(isAnyAddress ? [] : [host.includes(':') ? `[${host}]` : host.toLowerCase()]),
		...(publicUrl === undefined ? [] : [new URL(publicUrl).hostname]),
	]);
}

/** Whether the header names an accepted host, with any port. */
export function isAcceptedHost(header: string | undefined, accepted: ReadonlySet<string>): boolean {
	const name = /^(\[[0-9a-f:.]+\]|[^:/?#@\s]+)(:\d+)?$/i.exec(header ?? '')?.[1];
	return name !== undefined && accepted.has(name.toLowerCase());
}
