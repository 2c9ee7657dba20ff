/**
 * Strict text codecs. The decoders answer `undefined` for anything but the one canonical text of some
 * bytes: foreign alphabets, missing or surplus padding, whitespace and non-zero trailing bits are all
 * refused, because Node's own decoder would silently drop them.
 *
 * Source: docs/protocol/crypto-and-identity.md 1
 */
const utf8Decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

export function encodeBase64Url(bytes: Uint8Array): string {
	return view(bytes).toString('base64url');
}

/** Standard alphabet with padding: salts inside references and password hashes only. */
export function encodeBase64(bytes: Uint8Array): string {
	return view(bytes).toString('base64');
}

export function decodeBase64Url(text: string): Uint8Array | undefined {
	const bytes = Buffer.from(text, 'base64url');
	return bytes.toString('base64url') === text ? plain(bytes) : undefined;
}

export function decodeBase64(text: string): Uint8Array | undefined {
	const bytes = Buffer.from(text, 'base64');
	return bytes.toString('base64') === text ? plain(bytes) : undefined;
}

export function encodeUtf8(text: string): Uint8Array {
	return plain(Buffer.from(text, 'utf8'));
}

/** Without normalisation and keeping a byte order mark; `undefined` for bytes that are not UTF-8. */
export function decodeUtf8(bytes: Uint8Array): string | undefined {
	try {
		return utf8Decoder.decode(bytes);
	} catch {
		return undefined;
	}
}

function view(bytes: Uint8Array): Buffer {
	return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

/** A plain array with memory of its own: small Buffers are windows into a pool shared by everybody. */
function plain(bytes: Buffer): Uint8Array {
	const isWindow = bytes.buffer.byteLength !== bytes.byteLength;
	return isWindow ? Uint8Array.from(bytes) : new Uint8Array(bytes.buffer);
}
