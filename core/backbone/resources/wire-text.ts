import { safeParse } from '../../base/schema-parse';
import { backboneErrors } from '../backbone-errors';
import { addressSchema } from '../dto/wire';
import { plainText } from '../plain-text';

/**
 * Returns the id for use in a path; invalid ids are never sent.
 * @throws `error.runtime.validation.invalidPropertyValue`
 */
export function pathId(id: string, prefix: string): string {
	if (id.startsWith(prefix) && /^[A-Z]{3}[A-Za-z0-9]{1,17}$/.test(id)) return id;
	throw backboneErrors.create('invalidId', {
		message: `Expected an id that starts with ${prefix}, got '${plainText(id, [], 40)}'.`,
		facts: { prefix },
	});
}

/**
 * Returns the escaped address for use in a path; invalid addresses are never sent.
 * @throws `error.runtime.validation.invalidPropertyValue`
 */
export function pathAddress(address: string): string {
	if (safeParse(addressSchema, address).success) return encodeURIComponent(address);
	throw backboneErrors.create('invalidId', {
		message: `Expected an address did:e:…, got '${plainText(address, [], 40)}'.`,
		remedy: 'Give the address as it was received, for example did:e:example.com:dids:….',
	});
}

/**
 * Converts to standard base64 with padding, the only form that queries accept (backbone-api 2.6).
 */
export function queryBytes(base64OrBase64url: string): string {
	return Buffer.from(base64OrBase64url, 'base64').toString('base64');
}

/** Query parameters for a password-protected object. */
export function passwordQuery(
	password: string | undefined,
): ReadonlyArray<readonly [string, string]> {
	return password === undefined ? [] : [['password', queryBytes(password)]];
}
