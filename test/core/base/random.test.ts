import { alphanumeric, systemRandom } from '../../../core/base/random';

describe('the random source of the system', () => {
	it.each([0, 1, 24, 1_024, 1_025, 5_000])('gives %d bytes', (length) => {
		const bytes = systemRandom.bytes(length);
		expect(bytes).toHaveLength(length);
		expect(bytes.byteOffset).toBe(0);
		expect(bytes.buffer.byteLength).toBe(length);
	});

	it('never gives the same bytes twice, in a thousand draws', () => {
		const given = new Set<string>();
		for (let round = 0; round < 1_000; round++) {
			given.add(Buffer.from(systemRandom.bytes(24)).toString('hex'));
		}
		expect(given.size).toBe(1_000);
		expect([...given]).not.toContain('00'.repeat(24));
	});

	it('gives memory of its own, which no other call changes later', () => {
		const first = systemRandom.bytes(16);
		const copy = Uint8Array.from(first);
		for (let round = 0; round < 1_000; round++) systemRandom.bytes(16);
		expect(first).toEqual(copy);
	});

	it('draws every character about as often', () => {
		const drawn = systemRandom.text(62_000, alphanumeric);
		expect(drawn).toHaveLength(62_000);
		const counts = new Map<string, number>();
		for (const character of drawn) counts.set(character, (counts.get(character) ?? 0) + 1);
		expect([...counts.keys()].sort().join('')).toBe([...alphanumeric].sort().join(''));
		// 1,000 expected with a deviation of 32: 250 off is beyond seven of them.
		for (const count of counts.values()) expect(Math.abs(count - 1_000)).toBeLessThan(250);
	});

	it('draws from one character, and from more than a byte can tell apart', () => {
		expect(systemRandom.text(5, 'a')).toBe('aaaaa');
		expect(systemRandom.text(0, 'ab')).toBe('');
		const alphabet = String.fromCharCode(
			...Array.from({ length: 300 }, (_one, code) => 1_000 + code),
		);
		expect(new Set(systemRandom.text(30_000, alphabet))).toEqual(new Set(alphabet));
	});
});
