import {
	addressFitsPublicKey,
	addressHostname,
	addressPatternSchema,
	deletedIdentityPseudonyms,
	deriveAddress,
	isDeletedIdentity,
	partsOfAddress,
} from '../../../core/model/address';
import { readVectors } from '../../support/vectors';
import { itReadsItsVectors } from '../../support/reads-its-vectors';

const vectors = readVectors<{
	addresses: Array<{
		publicKey: string;
		hostname: string;
		address: string;
		valid: boolean;
		apiPatternAccepts: boolean;
	}>;
	addressesInvalid: Array<{
		description: string;
		address: string;
		valid: boolean;
		apiPatternAccepts: boolean;
	}>;
	deletedIdentityPseudonyms: Array<{
		hostname: string;
		clientSidePseudonym: string;
		backbonePseudonym: string;
	}>;
}>('crypto.json');
const { pseudonyms } = readVectors<{
	pseudonyms: Array<{ host: string; runtimePseudonym: string; backbonePseudonym: string }>;
}>('transport-misc.json');

describe('an address', () => {
	it.each(vectors.addresses)('$address is derived and accepted', (vector) => {
		const { publicKey, hostname, address } = vector;
		expect(deriveAddress(publicKey, hostname)).toBe(address);
		expect(partsOfAddress(address) !== undefined).toBe(vector.valid);
		expect(partsOfAddress(address)?.hostname).toBe(hostname);
		expect(addressFitsPublicKey(address, publicKey)).toBe(true);
		expect(addressPatternSchema.safeParse(address).success).toBe(vector.apiPatternAccepts);
	});

	it.each(vectors.addressesInvalid)('is refused: $description', (vector) => {
		const { address } = vector;
		expect(partsOfAddress(address) !== undefined).toBe(vector.valid);
		expect(addressPatternSchema.safeParse(address).success).toBe(vector.apiPatternAccepts);
	});

	it('does not fit the key of another identity', () => {
		const [first, ...others] = vectors.addresses;
		const other = others.find((vector) => vector.publicKey !== first?.publicKey);
		expect(addressFitsPublicKey(first?.address ?? '', other?.publicKey ?? '')).toBe(false);
	});

	it('longer than 80 characters is refused', () => {
		const key = vectors.addresses[0]?.publicKey ?? '';
		const fits = deriveAddress(key, `${'a'.repeat(38)}.example`);
		const tooLong = deriveAddress(key, `${'a'.repeat(39)}.example`);
		expect([fits.length, partsOfAddress(fits) !== undefined]).toEqual([80, true]);
		expect([tooLong.length, partsOfAddress(tooLong) !== undefined]).toEqual([81, false]);
	});

	it.each([
		['http://localhost:8090', undefined, 'localhost'],
		['https://Backbone.example.com/path', undefined, 'backbone.example.com'],
		['http://consumer-api:5000', 'localhost', 'localhost'],
	])('carries the hostname of %s with override %s', (url, override, hostname) => {
		expect(addressHostname(url, override)).toBe(hostname);
	});
});

describe('a deleted identity', () => {
	const all = [
		...vectors.deletedIdentityPseudonyms.map((vector) => ({
			hostname: vector.hostname,
			client: vector.clientSidePseudonym,
			backbone: vector.backbonePseudonym,
		})),
		...pseudonyms.map((vector) => ({
			hostname: vector.host,
			client: vector.runtimePseudonym,
			backbone: vector.backbonePseudonym,
		})),
	];

	it.each(all)('has two pseudonyms on $hostname', ({ hostname, client, backbone }) => {
		expect(deletedIdentityPseudonyms(hostname)).toEqual({ client, backbone });
		expect(isDeletedIdentity(client)).toBe(true);
		expect(isDeletedIdentity(backbone)).toBe(true);
	});

	it.each(vectors.addresses)('is not $address', ({ address }) => {
		expect(isDeletedIdentity(address)).toBe(false);
	});
});

itReadsItsVectors(__filename);
