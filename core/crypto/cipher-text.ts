import { decodeUtf8 } from '../base/encoding';
import type { Random } from '../base/random';
import { cryptoErrors } from './crypto-errors';
import { readCipher } from './json-forms';
import type { SecretKey } from './keys';
import { startDecryption, startEncryption, tagLength } from './stream-cipher';
import { parseWireJson } from './wire-json';

/*
 * JSON text of a cipher as bytes, the form of files at the Backbone. Files have megabytes, so the
 * text is written and read in pieces: only the text is in memory, and a plaintext in its place.
 * Source: docs/protocol/crypto-and-identity.md 5.6
 */
const before = '{"cph":"';
const between = '","alg":3,"nnc":"';
const after = '","@type":"CryptoCipher"}';
const nonceLength = 24;

/** Bytes of the text for a plaintext of the given length. */
export function cipherTextLength(plaintextLength: number): number {
	const frame = before.length + between.length + base64Length(nonceLength) + after.length;
	return frame + base64Length(plaintextLength + tagLength);
}

/** Length of the longest plaintext whose text fits into the given number of bytes. */
export function longestPlaintext(maxTextLength: number): number {
	const room = maxTextLength - cipherTextLength(0) + base64Length(tagLength);
	return Math.floor((room * 3) / 4) - tagLength;
}

function base64Length(bytes: number): number {
	return Math.ceil((bytes * 4) / 3);
}

/** Builds the text from pieces of plaintext. */
export class CipherTextWriter {
	private readonly text: Buffer;

	private readonly cipher: ReturnType<typeof startEncryption>;

	private readonly nonce: Uint8Array;

	private position: number;

	private taken = 0;

	/** up to two bytes of ciphertext that do not fill a group of characters yet */
	private rest: Buffer = Buffer.alloc(0);

	constructor(
		key: SecretKey,
		private readonly plaintextLength: number,
		random: Random,
	) {
		this.nonce = random.bytes(nonceLength);
		this.cipher = startEncryption(key, this.nonce);
		this.text = Buffer.allocUnsafeSlow(cipherTextLength(plaintextLength));
		this.position = this.text.write(before, 'latin1');
	}

	update(piece: Uint8Array): void {
		this.taken += piece.length;
		if (this.taken > this.plaintextLength) throw otherLength(this.plaintextLength);
		for (const part of partsOf(piece)) this.append(this.cipher.update(part));
	}

	/** Returns the whole text; the writer cannot be used afterwards. */
	end(): Uint8Array {
		if (this.taken !== this.plaintextLength) throw otherLength(this.plaintextLength);
		this.append(this.cipher.final());
		this.append(this.cipher.getAuthTag());
		this.position += this.text.write(this.rest.toString('base64url'), this.position, 'latin1');
		const nonce = Buffer.from(this.nonce).toString('base64url');
		this.text.write(between + nonce + after, this.position, 'latin1');
		return this.text;
	}

	private append(ciphertext: Buffer): void {
		const bytes = this.rest.length === 0 ? ciphertext : Buffer.concat([this.rest, ciphertext]);
		const whole = bytes.length - (bytes.length % 3);
		const characters = bytes.toString('base64url', 0, whole);
		this.position += this.text.write(characters, this.position, 'latin1');
		this.rest = bytes.subarray(whole);
	}
}

/**
 * Decrypts in the memory of the text, so that a file is in memory once.
 *
 * @param text cipher text by {@link CipherTextWriter} or other software; is overwritten
 * @throws `error.crypto.encryption.decrypt` and the codes of `readCipher`
 */
export function decryptCipherText(key: SecretKey, text: Uint8Array): Uint8Array {
	const bytes = Buffer.from(text.buffer, text.byteOffset, text.byteLength);
	const range = ciphertextRange(bytes);
	// Parses the JSON with three characters in place of the ciphertext, which is decoded separately.
	const frame = range === undefined ? bytes : withoutCiphertext(bytes, range);
	const cipher = readCipher(parseWireJson(decodeUtf8(frame) ?? ''));
	const isTakenOut = range !== undefined && cipher.cph === placeholder;
	const characters = isTakenOut ? bytes.subarray(range.start, range.end) : undefined;
	const nonce = Buffer.from(cipher.nnc ?? '', 'base64url');
	if (nonce.length !== nonceLength) throw notDecrypted('a cipher with a nonce of 24 bytes');
	return decryptCharacters(key, nonce, characters ?? Buffer.from(cipher.cph, 'latin1'));
}

interface Range {
	readonly start: number;
	readonly end: number;
}

const placeholder = '___';
const quote = 0x22;
const partLength = 48 * 1024;

/** Range of the first long text between quotes, if there is one. */
function ciphertextRange(bytes: Buffer): Range | undefined {
	for (let start = bytes.indexOf(quote); start >= 0;) {
		const end = bytes.indexOf(quote, start + 1);
		if (end < 0) return undefined;
		if (end - start > 64) return { start: start + 1, end };
		start = end;
	}
	return undefined;
}

function withoutCiphertext(bytes: Buffer, { start, end }: Range): Buffer {
	return Buffer.concat([bytes.subarray(0, start), Buffer.from(placeholder), bytes.subarray(end)]);
}

function decryptCharacters(key: SecretKey, nonce: Uint8Array, characters: Buffer): Uint8Array {
	const length = Math.floor((characters.length * 3) / 4);
	if (length < tagLength) throw notDecrypted('a ciphertext with a tag');
	// Each part is decoded to an earlier place than its own, or to the same.
	const ciphertext = characters.subarray(0, length);
	let position = 0;
	for (const part of partsOf(characters)) position += decodeInto(ciphertext, position, part);
	if (position !== length) throw notDecrypted('a ciphertext as base64url');
	const plaintextLength = length - tagLength;
	const decipher = startDecryption(key, nonce, ciphertext.subarray(plaintextLength));
	try {
		let written = 0;
		for (const part of partsOf(ciphertext.subarray(0, plaintextLength))) {
			written += decipher.update(part).copy(ciphertext, written);
		}
		decipher.final();
	} catch (cause) {
		throw notDecrypted('a cipher made with this key', cause);
	}
	return new Uint8Array(ciphertext.buffer, ciphertext.byteOffset, plaintextLength);
}

/** Strict decoder: accepts the canonical text of some bytes only. */
function decodeInto(target: Buffer, position: number, characters: Uint8Array): number {
	const text = Buffer.from(characters.buffer, characters.byteOffset, characters.length).toString(
		'latin1',
	);
	const written = target.write(text, position, 'base64url');
	if (target.toString('base64url', position, position + written) === text) return written;
	throw notDecrypted('a ciphertext as base64url');
}

function* partsOf(bytes: Uint8Array): Generator<Uint8Array> {
	for (let start = 0; start < bytes.length; start += partLength) {
		yield bytes.subarray(start, start + partLength);
	}
}

function otherLength(expected: number): Error {
	return new TypeError(`The plaintext was said to have ${expected} bytes, it has another length`);
}

function notDecrypted(expected: string, cause?: unknown): Error {
	return cryptoErrors.create('decrypt', {
		message: `Expected ${expected}, found something else`,
		cause,
	});
}
