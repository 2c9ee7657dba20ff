import { lookup as systemLookup, type LookupAddress } from 'node:dns';
import type { LookupFunction } from 'node:net';
import { isForbiddenHost } from './forbidden-address';

export class ForbiddenAddress extends Error {
	constructor() {
		super('the name leads to an address that must not be called');
		this.name = 'ForbiddenAddress';
	}
}

/**
 * Refuses names of which any address must not be called. It is asked by the connection itself, so what
 * is checked is what is connected to, whatever the name server says next.
 */
export function guardedLookup(
	lookup: LookupFunction = systemLookup as LookupFunction,
): LookupFunction {
	return (hostname, options, callback) => {
		lookup(hostname, options, (error, found, family) => {
			const addresses: readonly LookupAddress[] =
				typeof found === 'string' ? [{ address: found, family: family ?? 4 }] : (found ?? []);
			const isForbidden = addresses.some(({ address }) => isForbiddenHost(address));
			callback(isForbidden ? new ForbiddenAddress() : error, found, family);
		});
	};
}

/** For connections that others make: whether the name is known to lead where it must not. */
export async function isForbiddenName(hostname: string, lookup: LookupFunction): Promise<boolean> {
	return await new Promise((resolve) => {
		lookup(hostname, { all: true }, (error) => resolve(error instanceof ForbiddenAddress));
	});
}
