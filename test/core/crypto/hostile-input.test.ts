import { systemRandom } from '../../../core/base/random';
import { generateDevicePassword } from '../../../core/crypto/device-password';
import {
	readCipher,
	readCipherField,
	readSecretKey,
	readSignature,
	readSignaturePublicKey,
} from '../../../core/crypto/json-forms';
import { asNonce, asSecretKey } from '../../../core/crypto/keys';
import { decryptText, encrypt, generateSecretKey } from '../../../core/crypto/secret-key';
import { loadSodium } from '../../../core/crypto/sodium';
import { decryptWithCounter, encryptWithCounter } from '../../../core/crypto/transmission';
import { parseWireJson, readBase64Form } from '../../../core/crypto/wire-json';
import { codeThrownBy } from './vector-files';

const wrongBytes = 'error.crypto.wrongSerializedBuffer';
const nonce = 'A'.repeat(32);

beforeAll(loadSodium);

describe('an object from a peer', () => {
	it.each([null, undefined, 'text', 7, [], [{ cph: 'AAAA', alg: 3, cnt: 0 }]])(
		'is not a cipher when it is %j',
		(value) => {
			expect(codeThrownBy(() => readCipher(value))).toBe(wrongBytes);
		},
	);

	it('of more than 100 MiB is refused before it is decoded', () => {
		const cph = 'A'.repeat(Math.ceil((100 * 1024 * 1024 * 4) / 3) + 4);
		expect(codeThrownBy(() => readCipher({ cph, alg: 3, nnc: nonce }))).toBe(wrongBytes);
	});

	it.each([
		[{ cph: 'AA', alg: 3, nnc: nonce }, wrongBytes],
		[{ cph: '', alg: 3, nnc: nonce }, wrongBytes],
		[{ cph: 7, alg: 3, nnc: nonce }, wrongBytes],
		[{ alg: 3, nnc: nonce }, wrongBytes],
		[{ cph: 'AAAA', alg: '3', nnc: nonce }, 'error.crypto.wrongEncryptionAlgorithm'],
		[{ cph: 'AAAA', alg: 3, nnc: nonce.slice(0, 14) }, wrongBytes],
		[{ cph: 'AAAA', alg: 3, nnc: null }, wrongBytes],
		[{ cph: 'AAAA', alg: 3, cnt: 1.5 }, 'error.crypto.encryption.wrongCounter'],
		[{ cph: 'AAAA', alg: 3, cnt: '1' }, 'error.crypto.encryption.wrongCounter'],
		[{ cph: 'AAAA', alg: 3, cnt: null }, 'error.crypto.encryption.wrongCounter'],
	])('is not a cipher: %j', (value, code) => {
		expect(codeThrownBy(() => readCipher(value))).toBe(code);
	});

	it('cannot supply members through a prototype', () => {
		const inherited: unknown = Object.create({ cph: 'AAAA', alg: 3, cnt: 0 });
		expect(codeThrownBy(() => readCipher(inherited))).toBe('error.crypto.wrongEncryptionAlgorithm');
		const parsed = parseWireJson('{"__proto__":{"cph":"AAAA","alg":3,"cnt":0}}');
		expect(codeThrownBy(() => readCipher(parsed))).toBe('error.crypto.wrongEncryptionAlgorithm');
	});

	it('loses members named __proto__ at any depth', () => {
		const parsed = parseWireJson('{"a":[{"__proto__":{"x":1},"b":1}],"__proto__":2}');
		expect(JSON.stringify(parsed)).toBe('{"a":[{"b":1}]}');
	});

	it.each(['[', '{"a":', ''])('nested without end is refused', (open) => {
		const text = open === '' ? 'not JSON' : open.repeat(200_000);
		expect(parseWireJson(text)).toBeUndefined();
	});

	it('nested deeper than 64 is refused, up to there it is taken', () => {
		const nestedBy = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth);
		expect(parseWireJson(nestedBy(64))).toBeDefined();
		expect(parseWireJson(nestedBy(65))).toBeUndefined();
	});

	it.each(['', '!', 'e30=', 'bm90IEpTT04', '____'])('is not a base64 form: %j', (text) => {
		expect(codeThrownBy(() => readBase64Form(text, 'an object'))).toBe(wrongBytes);
		expect(codeThrownBy(() => readCipherField(text))).toBe(wrongBytes);
	});

	it.each([
		[(): unknown => readSignature({ sig: 'A'.repeat(5_000), alg: 1 })],
		[(): unknown => readSignature({ sig: '+/==', alg: 1 })],
		[(): unknown => readSignature({ alg: 1 })],
		[(): unknown => readSignaturePublicKey({ pub: 'A'.repeat(44), alg: 3 })],
		[(): unknown => readSignaturePublicKey({ pub: `${'A'.repeat(42)}B`, alg: 3 })],
		[(): unknown => asNonce('A'.repeat(31))],
	])('with wrong lengths or trailing bits is refused (%#)', (work) => {
		expect(codeThrownBy(work)).toBe(wrongBytes);
	});

	it.each([undefined, null, 7, '', 'A'.repeat(42), 'A'.repeat(44), `${'A'.repeat(42)}B`])(
		'is not a secret key: %j',
		(key) => {
			expect(codeThrownBy(() => readSecretKey({ key, alg: 3 }))).toBe(
				'error.crypto.encryption.wrongSecretKey',
			);
		},
	);
});

describe('a failure', () => {
	it('shows no key and no plaintext', () => {
		const key = generateSecretKey(systemRandom);
		const cipher = encrypt(generateSecretKey(systemRandom), 'plaintext', systemRandom);
		try {
			decryptText(key, cipher);
		} catch (error) {
			const shown = JSON.stringify(error) + String(error);
			expect(shown).not.toContain(key);
			expect(shown).not.toContain('plaintext');
		}
		expect(codeThrownBy(() => decryptText(key, cipher))).toBe('error.crypto.encryption.decrypt');
	});

	it('is what bytes that are not UTF-8 give', () => {
		const key = generateSecretKey(systemRandom);
		const cipher = encrypt(key, new Uint8Array([0xff, 0xfe]), systemRandom);
		expect(codeThrownBy(() => decryptText(key, cipher))).toBe('error.crypto.encryption.decrypt');
	});

	it('is what the last counter but one more gives', () => {
		const transmission = { key: asSecretKey('A'.repeat(43)), nonce: asNonce(nonce) };
		const last = encryptWithCounter(transmission, 'last', 0xffffffff);
		expect(decryptWithCounter(transmission, last)).toHaveLength(4);
		expect(codeThrownBy(() => encryptWithCounter(transmission, 'x', 0x100000000))).toBe(
			'error.crypto.encryption.wrongCounter',
		);
	});
});

describe('a device password', () => {
	it('satisfies the policy of a production Backbone', () => {
		for (let i = 0; i < 50; i++) {
			const password = generateDevicePassword(systemRandom);
			expect(password).toMatch(
				/^(?=.*[A-Z])(?=.*[a-z])(?=.*[1-9])(?=.*[!?\-_.:,;#+])[A-Za-z1-9!?\-_.:,;#+]{45,50}$/,
			);
		}
	});
});
