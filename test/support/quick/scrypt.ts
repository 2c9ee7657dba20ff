import type { BinaryLike, ScryptOptions } from 'node:crypto';

type Scrypt = (
	password: BinaryLike,
	salt: BinaryLike,
	keyLength: number,
	options: ScryptOptions,
	callback: (error: Error | null, key: Buffer) => void,
) => void;

/** Derives a key in a millisecond, where the full cost takes half a second. */
export const cheap =
	(scrypt: Scrypt): Scrypt =>
	(password, salt, keyLength, options, callback) =>
		scrypt(password, salt, keyLength, { ...options, N: 2 ** 8 }, callback);
