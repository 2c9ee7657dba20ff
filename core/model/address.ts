import { createHash } from 'node:crypto';
import * as z from 'zod';
import { decodeBase64Url } from '../base/encoding';

/**
 * Address of an identity: `did:e:<hostname>:dids:<20 hex of the public key><2 hex checksum>`.
 *
 * Source: docs/protocol/crypto-and-identity.md 8.1
 */
const addressForm = /^did:e:((?:[a-z0-9-]+\.)*[a-z]{2,}):dids:([0-9a-f]{20})([0-9a-f]{2})$/;
const maxAddressLength = 80;

export interface AddressParts {
	/** domain name of the Backbone, without port */
	readonly hostname: string;
	/** 20 hex characters, derived from the public key only */
	readonly identityPart: string;
}

/**
 * Pattern that official request schemas apply to an address: unanchored and without checksum. A
 * malformed address that passes here fails later as unknown.
 */
export const addressPatternSchema = z
	.string()
	.max(2_000)
	.regex(
		/did:e:((([A-Za-z0-9]+(-[A-Za-z0-9]+)*)\.)+[a-z]{2,}|localhost):dids:[0-9a-f]{22}/,
		'must match the pattern of an address',
	);

/** Splits an address; `undefined` unless form, length and checksum are correct. */
export function partsOfAddress(text: string): AddressParts | undefined {
	if (text.length > maxAddressLength) return undefined;
	const [, hostname, identityPart, checksum] = addressForm.exec(text) ?? [];
	if (hostname === undefined || identityPart === undefined) return undefined;
	const isWhole = checksumOf(text.slice(0, -2)) === checksum;
	return isWhole ? { hostname, identityPart } : undefined;
}

/**
 * Says what an address must be that is not one of the Backbone that `own` belongs to; undefined for
 * a correct one.
 */
export function faultOfAddress(address: string, own: string): string | undefined {
	const parts = partsOfAddress(address);
	if (parts === undefined) return 'must be an address that was copied completely and unchanged';
	const hostname = partsOfAddress(own)?.hostname;
	return parts.hostname === hostname
		? undefined
		: `must be an address of this Backbone, whose name in addresses is ${hostname ?? 'unknown'}`;
}

/**
 * @param publicKey base64url of the 32 bytes of the identity key
 * @param hostname hostname of the Backbone, see {@link addressHostname}
 * @throws TypeError for a key that is not base64url
 */
export function deriveAddress(publicKey: string, hostname: string): string {
	return addressOf(bytesOfKey(publicKey), hostname);
}

/** Tells whether an address was derived from this public key, on any Backbone. */
export function addressFitsPublicKey(address: string, publicKey: string): boolean {
	return partsOfAddress(address)?.identityPart === identityPartOf(bytesOfKey(publicKey));
}

/**
 * Hostname in the addresses of a Backbone: the hostname of its URL, or the override if the Backbone
 * is reached under another name than its own.
 */
export function addressHostname(backboneBaseUrl: string, override?: string): string {
	return override ?? new URL(backboneBaseUrl).hostname;
}

/**
 * Tells whether addresses can have this host name: the schemas of official software accept no IP
 * address and, apart from `localhost`, no name without a dot.
 */
export function isAddressHostname(hostname: string): boolean {
	const isNamed = /^(([a-z0-9]+(-[a-z0-9]+)*\.)+[a-z]{2,}|localhost)$/.test(hostname);
	return isNamed && addressOf(new Uint8Array(32), hostname).length <= maxAddressLength;
}

/**
 * The two pseudonyms that replace the address of a deleted identity: official clients hash the
 * UTF-8 bytes of a text, the Backbone the UTF-16 bytes.
 */
export function deletedIdentityPseudonyms(hostname: string): {
	client: string;
	backbone: string;
} {
	const { client, backbone } = deletedIdentityKeys();
	return { client: addressOf(client, hostname), backbone: addressOf(backbone, hostname) };
}

/** True for either pseudonym, of any Backbone. */
export function isDeletedIdentity(address: string): boolean {
	const identityPart = partsOfAddress(address)?.identityPart;
	if (identityPart === undefined) return false;
	return Object.values(deletedIdentityKeys()).some((key) => identityPartOf(key) === identityPart);
}

function deletedIdentityKeys(): { client: Uint8Array; backbone: Uint8Array } {
	const text = 'deleted identity';
	return { client: Buffer.from(text, 'utf8'), backbone: Buffer.from(text, 'utf16le') };
}

function addressOf(publicKey: Uint8Array, hostname: string): string {
	const main = `did:e:${hostname}:dids:${identityPartOf(publicKey)}`;
	return main + checksumOf(main);
}

function identityPartOf(publicKey: Uint8Array): string {
	const inner = createHash('sha512').update(publicKey).digest();
	return createHash('sha256').update(inner).digest('hex').slice(0, 20);
}

function checksumOf(main: string): string {
	return createHash('sha256').update(main, 'utf8').digest('hex').slice(0, 2);
}

function bytesOfKey(publicKey: string): Uint8Array {
	const bytes = decodeBase64Url(publicKey);
	if (bytes?.length !== 32) throw new TypeError('Expected a public key of 32 bytes as base64url');
	return bytes;
}
