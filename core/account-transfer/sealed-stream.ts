import { createHmac, scrypt, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import type { Random } from '../base/random';
import { loadSodium, sodium } from '../crypto/sodium';
import { transferErrors } from './transfer-errors';

/*
 * File format protected by a password: a header, then pieces of 64 KiB, each sealed and bound to
 * its position by libsodium's secretstream (XChaCha20-Poly1305), the last one marked as such. A
 * missing, added, altered or reordered piece is detected. The parameters are fixed per version, so
 * that no file can demand an expensive password hash.
 *
 * magic (16) | version (2) | salt (32) | stream header (24) | check (32) | pieces
 */
const magic = Buffer.from('enmeshed-account', 'latin1');
const version = 1;
const saltLength = 32;
const streamHeaderLength = 24;
const checkLength = 32;
const fixedLength = magic.length + 2;
export const headerLength = fixedLength + saltLength + streamHeaderLength + checkLength;

export const pieceLength = 64 * 1024;
/** bytes for the tag and the marker of each piece */
const pieceOverhead = 17;
export const sealedPieceLength = pieceLength + pieceOverhead;

/** 128 MiB and about half a second for each guess at the password of a stolen file. */
const scryptAsync = promisify<string, Uint8Array, number, object, Buffer>(scrypt);
const cost = { N: 2 ** 17, r: 8, p: 1, maxmem: 256 * 1024 * 1024 };

interface Keys {
	readonly stream: Uint8Array;
	readonly check: Uint8Array;
}

async function keysOf(password: string, salt: Uint8Array): Promise<Keys> {
	const bytes = await scryptAsync(password, salt, 64, cost);
	return { stream: Uint8Array.from(bytes.subarray(0, 32)), check: bytes.subarray(32) };
}

const checkOf = (keys: Keys, head: Uint8Array): Buffer =>
	createHmac('sha256', keys.check).update(head).digest();

/** Seals pieces in order. */
export class SealingStream {
	private constructor(
		readonly header: Uint8Array,
		private readonly state: ReturnType<
			ReturnType<typeof sodium>['crypto_secretstream_xchacha20poly1305_init_push']
		>['state'],
	) {}

	static async start(password: string, random: Random): Promise<SealingStream> {
		await loadSodium();
		const salt = random.bytes(saltLength);
		const keys = await keysOf(password, salt);
		const { state, header } = sodium().crypto_secretstream_xchacha20poly1305_init_push(keys.stream);
		const fixed = Buffer.alloc(fixedLength);
		magic.copy(fixed);
		fixed.writeUInt16BE(version, magic.length);
		const head = Buffer.concat([fixed, salt, header]);
		return new SealingStream(Buffer.concat([head, checkOf(keys, head)]), state);
	}

	/** @param piece exactly `pieceLength` bytes, except for the last one, which may be shorter */
	seal(piece: Uint8Array, isLast: boolean): Uint8Array {
		const tag = isLast
			? sodium().crypto_secretstream_xchacha20poly1305_TAG_FINAL
			: sodium().crypto_secretstream_xchacha20poly1305_TAG_MESSAGE;
		return sodium().crypto_secretstream_xchacha20poly1305_push(this.state, piece, null, tag);
	}
}

/** Opens pieces in order. */
export class OpeningStream {
	private constructor(
		private readonly state: ReturnType<
			ReturnType<typeof sodium>['crypto_secretstream_xchacha20poly1305_init_pull']
		>,
	) {}

	/**
	 * @throws `error.gateway.moving.fileForeign`, `error.gateway.moving.fileNewer`,
	 * `error.gateway.moving.fileDamaged`, `error.gateway.moving.wrongPassword`
	 */
	static async start(password: string, header: Uint8Array): Promise<OpeningStream> {
		const bytes = Buffer.from(header);
		if (!bytes.subarray(0, magic.length).equals(magic)) {
			throw transferErrors.create('fileForeign', {
				message: 'This is not an exported account file.',
			});
		}
		if (bytes.length < fixedLength) throw damaged('it ends in its header');
		const found = bytes.readUInt16BE(magic.length);
		if (found > version) {
			throw transferErrors.create('fileNewer', {
				message: `The file has format version ${found}; this package knows up to ${version}.`,
				facts: { version: found },
			});
		}
		if (found !== version || bytes.length < headerLength) throw damaged('its header is incomplete');
		await loadSodium();
		const salt = bytes.subarray(fixedLength, fixedLength + saltLength);
		const head = bytes.subarray(0, headerLength - checkLength);
		const keys = await keysOf(password, salt);
		if (!timingSafeEqual(checkOf(keys, head), bytes.subarray(head.length, headerLength))) {
			throw transferErrors.create('wrongPassword', {
				message: 'The password does not open the file, or the header of the file was altered.',
			});
		}
		const start = Uint8Array.from(head.subarray(fixedLength + saltLength));
		return new OpeningStream(
			sodium().crypto_secretstream_xchacha20poly1305_init_pull(start, keys.stream),
		);
	}

	/** @throws `error.gateway.moving.fileDamaged` */
	open(sealed: Uint8Array): { readonly piece: Uint8Array; readonly isLast: boolean } {
		if (sealed.length < pieceOverhead) throw damaged('it ends within a piece');
		const opened = sodium().crypto_secretstream_xchacha20poly1305_pull(this.state, sealed, null);
		if (opened === false) throw damaged('a piece of it was altered or is missing');
		const { message, tag } = opened;
		return {
			piece: message,
			isLast: tag === sodium().crypto_secretstream_xchacha20poly1305_TAG_FINAL,
		};
	}
}

export function damaged(problem: string, cause?: unknown): Error {
	return transferErrors.create('fileDamaged', {
		message: `The file cannot be used: ${problem}.`,
		cause,
	});
}
