import { deriveAddress, isAddress, pseudonymOf } from '../../sandbox/address';
import { vectorData } from '../support/vectors';
import { bytes, RuleBench, sandboxOf } from './support/raw-client';

/* Values that the server makes: docs/protocol/backbone-api.md 2.5, 2.7. */
interface Vectors {
	readonly addresses: ReadonlyArray<{ publicKey: string; hostname: string; address: string }>;
	readonly addressesInvalid: ReadonlyArray<{ address: string }>;
	readonly deletedIdentityPseudonyms: ReadonlyArray<{
		hostname: string;
		backbonePseudonym: string;
	}>;
}
const vectors = vectorData<Vectors>('crypto.json');

describe('an address', () => {
	it.each(vectors.addresses)('$address is derived and accepted', (vector) => {
		const { publicKey, hostname, address } = vector;
		expect(deriveAddress(Buffer.from(publicKey, 'base64url'), hostname)).toBe(address);
		expect(isAddress(address)).toBe(true);
	});

	it.each(vectors.addressesInvalid)('$address is refused', ({ address }) => {
		expect(isAddress(address)).toBe(false);
	});

	it.each(vectors.deletedIdentityPseudonyms)('of a deleted identity at $hostname', (vector) => {
		expect(pseudonymOf(vector.hostname)).toBe(vector.backbonePseudonym);
	});
});

describe('a time', () => {
	let bench: RuleBench;

	beforeEach(async () => {
		bench = await RuleBench.open();
	});

	afterEach(() => bench.close());

	it('has seven digits after the second where it is new, and up to six where it is stored, in version 6', async () => {
		await bench.close();
		bench = await RuleBench.open({ majorVersion: 6 });
		const account = await bench.account();
		for (let count = 0; count < 12; count++) {
			const expiresAt = '2099-01-01T00:00:00.120Z';
			const made = (await account.call('POST', 'Tokens', { content: bytes(1), expiresAt })).result;
			const stored = (await account.call('GET', `Tokens/${String(made['id'])}`)).result;
			expect(made['createdAt']).toMatch(/\.\d{7}Z$/);
			expect(stored['createdAt']).toMatch(/:\d\d(\.\d{0,5}[1-9])?Z$/);
			expect(stored['expiresAt']).toBe('2099-01-01T00:00:00.12Z');
			const [ofNew, ofStored] = [made, stored].map((row) => Date.parse(String(row['createdAt'])));
			expect(ofNew).toBe(ofStored);
		}
	});

	it('has three digits after the second in version 7', async () => {
		await bench.close();
		bench = await RuleBench.open({ majorVersion: 7 });
		const account = await bench.account();
		const expiresAt = '2099-01-01T00:00:00Z';
		const made = (await account.call('POST', 'Tokens', { content: bytes(1), expiresAt })).result;
		const stored = (await account.call('GET', `Tokens/${String(made['id'])}`)).result;
		expect(made['createdAt']).toMatch(/:\d\d\.\d{3}Z$/);
		expect(stored['createdAt']).toBe(made['createdAt']);
		expect(stored['expiresAt']).toBe('2099-01-01T00:00:00.000Z');
	});

	it('grows with each object, also within a millisecond', () => {
		const times = Array.from({ length: 500 }, () => sandboxOf(bench).state.timestamp());
		expect(times.toSorted()).toEqual(times);
		expect(new Set(times.map(({ length }) => length))).toEqual(new Set([27]));
	});
});
