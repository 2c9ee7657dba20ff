import { inspect } from 'node:util';
import { systemRandom } from '../../../core/base/random';
import {
	deriveStoreKey,
	generateKeyFile,
	generateSalt,
	openText,
	sealText,
	storeKeyFromFile,
} from '../../../core/crypto/sealing';
import { loadSodium } from '../../../core/crypto/sodium';
import { codeThrownBy } from './vector-files';

const place = { table: 'templates', id: 'RLTabcdefghijklmnopq' };
const cannotOpen = 'error.crypto.sealing.cannotOpen';

beforeAll(loadSodium);

describe('a sealed text', () => {
	const key = storeKeyFromFile(generateKeyFile(systemRandom));

	it.each(['', 'a', '{"secretKey":"ä😀"}', 'x'.repeat(100_000)])('is opened again', (text) => {
		expect(openText(key, sealText(key, text, place, systemRandom), place)).toBe(text);
	});

	it('is another each time', () => {
		const once = sealText(key, 'a', place, systemRandom);
		expect(sealText(key, 'a', place, systemRandom)).not.toBe(once);
	});

	it.each([
		['of another row', { ...place, id: 'RLTother000000000000' }],
		['of another table', { ...place, table: 'messages' }],
		['whose names only join to the same', { table: 'templatesR', id: place.id.slice(1) }],
	])('does not open in a place %s', (_, other) => {
		const sealed = sealText(key, 'a', place, systemRandom);
		expect(codeThrownBy(() => openText(key, sealed, other))).toBe(cannotOpen);
	});

	it('does not open with another key', () => {
		const other = storeKeyFromFile(generateKeyFile(systemRandom));
		const sealed = sealText(key, 'a', place, systemRandom);
		expect(codeThrownBy(() => openText(other, sealed, place))).toBe(cannotOpen);
	});

	it.each(['', 'A', '!!', 'AAAA', 'A'.repeat(64)])('is not %j', (sealed) => {
		expect(codeThrownBy(() => openText(key, sealed, place))).toBe(cannotOpen);
	});

	it('that was altered does not open', () => {
		const sealed = sealText(key, 'a', place, systemRandom);
		const altered = (sealed.startsWith('A') ? 'B' : 'A') + sealed.slice(1);
		expect(codeThrownBy(() => openText(key, altered, place))).toBe(cannotOpen);
	});
});

describe('a store key', () => {
	it('from the same passphrase and salt opens, from another does not', async () => {
		const salt = generateSalt(systemRandom);
		const key = await deriveStoreKey('passphrase', salt);
		const sealed = sealText(key, 'secret', place, systemRandom);
		expect(openText(await deriveStoreKey('passphrase', salt), sealed, place)).toBe('secret');
		const wrong = await deriveStoreKey('Passphrase', salt);
		expect(codeThrownBy(() => openText(wrong, sealed, place))).toBe(cannotOpen);
		const otherSalt = await deriveStoreKey('passphrase', generateSalt(systemRandom));
		expect(codeThrownBy(() => openText(otherSalt, sealed, place))).toBe(cannotOpen);
	});

	it.each([0, 31, 33])('is not made from a key file of %d bytes', (length) => {
		expect(codeThrownBy(() => storeKeyFromFile(new Uint8Array(length)))).toBe(
			'error.crypto.sealing.wrongKeyFile',
		);
	});

	it('shows its bytes neither in JSON nor in logs', () => {
		const bytes = new Uint8Array(32).fill(171);
		const key = storeKeyFromFile(bytes);
		expect(JSON.stringify(key)).toBe('{}');
		expect(inspect(key, { showHidden: true, depth: 5 })).not.toMatch(/171|ab ab/);
	});

	it('does not follow later changes of the buffer it was made from', () => {
		const bytes = generateKeyFile(systemRandom);
		const key = storeKeyFromFile(bytes);
		const sealed = sealText(key, 'a', place, systemRandom);
		bytes.fill(0);
		expect(openText(key, sealed, place)).toBe('a');
	});
});
