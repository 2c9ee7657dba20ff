import { encodeUtf8 } from '../../../core/base/encoding';
import { systemRandom } from '../../../core/base/random';
import {
	CipherTextWriter,
	cipherTextLength,
	decryptCipherText,
	longestPlaintext,
} from '../../../core/crypto/cipher-text';
import { decrypt, encrypt, generateSecretKey } from '../../../core/crypto/secret-key';
import { readCipher } from '../../../core/crypto/json-forms';
import { loadSodium } from '../../../core/crypto/sodium';
import { codeThrownBy, jsonOf } from './vector-files';

beforeAll(loadSodium);

const key = generateSecretKey(systemRandom);

function write(plaintext: Uint8Array, pieceLength: number): Uint8Array {
	const writer = new CipherTextWriter(key, plaintext.length, systemRandom);
	for (let start = 0; start < plaintext.length; start += pieceLength) {
		writer.update(plaintext.subarray(start, start + pieceLength));
	}
	return writer.end();
}

const textOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString('utf8');

describe('the text of a cipher', () => {
	const sizes = [0, 1, 2, 3, 15, 16, 17, 63, 64, 49_151, 49_152, 49_153, 200_000];

	it.each(sizes)('of %i bytes is what libsodium opens', (size) => {
		const plaintext = systemRandom.bytes(size);
		for (const pieceLength of [1_000, 7_777, size + 1]) {
			const text = write(plaintext, pieceLength);
			expect(text.length).toBe(cipherTextLength(size));
			const cipher = readCipher(jsonOf(textOf(text)));
			expect(Buffer.from(decrypt(key, cipher)).equals(plaintext)).toBe(true);
		}
	});

	it.each(sizes)('of %i bytes made by libsodium is opened', (size) => {
		const plaintext = systemRandom.bytes(size);
		const cipher = encrypt(key, plaintext, systemRandom);
		for (const text of [
			JSON.stringify({ ...cipher, '@type': 'CryptoCipher' }),
			JSON.stringify(
				{ '@type': 'CryptoCipher', nnc: cipher.nnc, alg: 3, cph: cipher.cph },
				null,
				2,
			),
			JSON.stringify({ algorithm: 3, nonce: cipher.nnc, cipher: cipher.cph }),
			JSON.stringify({ note: 'x'.repeat(100), ...cipher }),
		]) {
			const opened = decryptCipherText(key, encodeUtf8(text));
			expect(Buffer.from(opened).equals(plaintext)).toBe(true);
		}
	});

	it('is refused when any part of it was changed', () => {
		const text = textOf(write(encodeUtf8('x'.repeat(100)), 1_000));
		const cipher = jsonOf<{ cph: string; nnc: string }>(text);
		const flip = (value: string, at: number): string =>
			value.slice(0, at) + (value[at] === 'A' ? 'B' : 'A') + value.slice(at + 1);
		const changed = [
			flip(cipher.cph, 0),
			flip(cipher.cph, 80),
			flip(cipher.cph, cipher.cph.length - 4),
			cipher.cph.slice(0, -4),
			`${cipher.cph}=`,
			`${cipher.cph} `,
			'AAAA',
		].map((cph) => JSON.stringify({ cph, alg: 3, nnc: cipher.nnc }));
		const otherNonce = JSON.stringify({ ...cipher, nnc: flip(cipher.nnc, 0) });
		const shortNonce = JSON.stringify({ ...cipher, nnc: cipher.nnc.slice(0, 16) });
		for (const other of [...changed, otherNonce, shortNonce]) {
			expect(codeThrownBy(() => decryptCipherText(key, encodeUtf8(other)))).toBe(
				'error.crypto.encryption.decrypt',
			);
		}
		expect(
			codeThrownBy(() => decryptCipherText(generateSecretKey(systemRandom), encodeUtf8(text))),
		).toBe('error.crypto.encryption.decrypt');
	});

	it.each(['', 'no JSON', '[]', '{}', '{"cph":5,"alg":3}', `{"cph":"${'A'.repeat(200)}"}`])(
		'is not %j',
		(text) => {
			expect(codeThrownBy(() => decryptCipherText(key, encodeUtf8(text)))).toMatch(
				/^error\.crypto\./,
			);
		},
	);

	it('knows how much fits into a limit', () => {
		for (const limit of [1_000, 1_001, 1_002, 1_003, 10 * 1024 * 1024]) {
			const longest = longestPlaintext(limit);
			expect(cipherTextLength(longest)).toBeLessThanOrEqual(limit);
			expect(cipherTextLength(longest + 1)).toBeGreaterThan(limit);
		}
		// docs/protocol/backbone-api.md 16.1
		expect(longestPlaintext(10 * 1024 * 1024)).toBe(7_864_242);
	});

	it('is not made from a plaintext of another length', () => {
		const shorter = new CipherTextWriter(key, 3, systemRandom);
		shorter.update(new Uint8Array(2));
		expect(() => shorter.end()).toThrow(TypeError);
		expect(() => shorter.update(new Uint8Array(2))).toThrow(TypeError);
	});
});
