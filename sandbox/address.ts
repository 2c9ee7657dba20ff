import { createHash } from 'node:crypto';

/** @see docs/protocol/backbone-api.md 2.7 */
const form = /^did:e:(?:[a-z0-9-]+\.)*[a-z]{2,}:dids:[0-9a-f]{22}$/;
const maxLength = 80;

/** Checks form, length and checksum. */
export function isAddress(text: string): boolean {
	const isShaped = text.length <= maxLength && form.test(text);
	return isShaped && text.slice(-2) === sha256(text.slice(0, -2)).slice(0, 2);
}

/**
 * Host name in the addresses of a Backbone: the host name of its URL, or `localhost` if official
 * software accepts no addresses with it, for example because it is an IP address.
 */
export function addressHostnameOf(url: string): string {
	const { hostname } = new URL(url);
	return /^([a-z0-9]+(-[a-z0-9]+)*\.)+[a-z]{2,}$/.test(hostname) ? hostname : 'localhost';
}

/** @param publicKey raw bytes of the identity's public key */
export function deriveAddress(publicKey: Uint8Array, hostname: string): string {
	const inner = createHash('sha512').update(publicKey).digest();
	const main = `did:e:${hostname}:dids:${sha256(inner).slice(0, 20)}`;
	return main + sha256(main).slice(0, 2);
}

/** Pseudonym that replaces the address of every deleted identity. */
export function pseudonymOf(hostname: string): string {
	return deriveAddress(Buffer.from('deleted identity', 'utf16le'), hostname);
}

function sha256(data: string | Uint8Array): string {
	return createHash('sha256').update(data).digest('hex');
}
