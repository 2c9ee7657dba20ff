import { lookup as systemLookup, type LookupAddress } from 'node:dns';
import type { LookupFunction } from 'node:net';
import type { HostRule } from './forbidden-address';

export class ForbiddenAddress extends Error {
	constructor() {
		super('the name resolves to an address that must not be called');
		this.name = 'ForbiddenAddress';
	}
}

/**
 * Refuses a name if any of its addresses is forbidden. The connection itself calls this lookup, so
 * the checked address is the one connected to, even if the DNS answer changes afterwards.
 */
export function guardedLookup(
	isRefused: HostRule,
	lookup: LookupFunction = systemLookup,
): LookupFunction {
	return (hostname, options, callback) => {
		lookup(hostname, options, (error, found, family) => {
			const addresses: readonly LookupAddress[] =
				typeof found === 'string' ? [{ address: found, family: family ?? 4 }] : (found ?? []);
			const isForbidden = addresses.some(({ address }) => isRefused(address));
			callback(isForbidden ? new ForbiddenAddress() : error, found, family);
		});
	};
}

/**
 * Checks a name that a proxy will resolve: true if it is known to resolve to a forbidden address.
 */
export async function isForbiddenName(hostname: string, lookup: LookupFunction): Promise<boolean> {
	return await new Promise((resolve) => {
		lookup(hostname, { all: true }, (error) => resolve(error instanceof ForbiddenAddress));
	});
}
