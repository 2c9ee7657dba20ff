import { hash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { BlockList, isIP } from 'node:net';
import { groupsOfIpv6 } from '../../base/ipv6';
import { systemClock } from '../../base/clock';
import { serverErrors } from '../server-errors';

/** Different wrong keys of one address after which its requests are refused for a time. */
const mostWrongKeys = 20;
const windowMs = 15 * 60_000;
/** Addresses that are remembered; beyond, the address that failed first is forgotten. */
const mostAddresses = 10_000;

/** Wrong keys of an address: when each was first sent, by the beginning of its hash. */
type WrongKeys = Map<string, number>;

/**
 * Counts the different wrong keys of each address, so that trying keys ends soon. A client that
 * repeats one wrong key counts once: an expired key of one program must not keep out its neighbours
 * (docs/adr/0050).
 */
export class FailedAttempts {
	private readonly byAddress = new Map<string, WrongKeys>();

	private readonly proxies = new BlockList();

	/** @param trustedProxies addresses or networks of proxies, whose X-Forwarded-For is believed */
	constructor(trustedProxies: readonly string[] = []) {
		for (const entry of ['127.0.0.0/8', '::1/128', ...trustedProxies]) {
			const [address = '', bits] = entry.split('/');
			const family = isIP(address) === 6 ? 'ipv6' : 'ipv4';
			this.proxies.addSubnet(address, Number(bits ?? (family === 'ipv6' ? 128 : 32)), family);
		}
	}

	/** @throws `error.gateway.http.tooManyAttempts` */
	requireFew(incoming: IncomingMessage): void {
		const address = this.addressOf(incoming);
		const wrong = this.byAddress.get(address);
		if (wrong === undefined) return;
		const now = systemClock.now();
		const since = now - windowMs;
		// A clock that was set back must not keep an address out for longer.
		for (const [digest, at] of wrong) if (at <= since || at > now) wrong.delete(digest);
		if (wrong.size === 0) this.byAddress.delete(address);
		if (wrong.size < mostWrongKeys) return;
		const oldest = Math.min(...wrong.values());
		throw serverErrors.create('tooManyAttempts', {
			message: `More than ${mostWrongKeys} different wrong keys or tokens came from this address.`,
			facts: { retryAfterSeconds: Math.max(1, Math.ceil((oldest - since) / 1_000)) },
		});
	}

	/** Notes a wrong key or token, of which only a part of a hash is kept. */
	note(incoming: IncomingMessage, text: string): void {
		const address = this.addressOf(incoming);
		const wrong = this.byAddress.get(address) ?? new Map<string, number>();
		// The addresses stand in the order in which they failed last.
		this.byAddress.delete(address);
		this.byAddress.set(address, wrong);
		const digest = hash('sha256', text, 'base64url').slice(0, 16);
		if (wrong.size < mostWrongKeys) wrong.set(digest, wrong.get(digest) ?? systemClock.now());
		if (this.byAddress.size <= mostAddresses) return;
		const [first] = this.byAddress.keys();
		if (first !== undefined) this.byAddress.delete(first);
	}

	/**
	 * Address of the client, as the last trusted proxy has seen it. Of an IPv6 address the network
	 * counts, because a client has all addresses of it.
	 */
	addressOf({ socket, headers }: IncomingMessage): string {
		const header = headers['x-forwarded-for'];
		const forwarded = (typeof header === 'string' ? header : '')
			.split(',')
			.slice(-20)
			.map((entry) => entry.trim());
		let address = plainAddress(socket.remoteAddress ?? '');
		while (this.isProxy(address)) {
			const before = plainAddress(forwarded.pop() ?? '');
			if (isIP(before) === 0) break;
			address = before;
		}
		return isIP(address) === 6 ? networkOf(address) : address;
	}

	private isProxy(address: string): boolean {
		const family = isIP(address);
		return family !== 0 && this.proxies.check(address, family === 6 ? 'ipv6' : 'ipv4');
	}
}

/** IPv4 address without the prefix that sockets for both families show. */
const plainAddress = (address: string): string => address.replace(/^::ffff:(?=\d+\.)/i, '');

/** First 64 bits of an IPv6 address. */
function networkOf(address: string): string {
	const groups = groupsOfIpv6(address.replace(/%.*$/, '')).slice(0, 4);
	return groups.map((group) => group.toString(16)).join(':');
}
