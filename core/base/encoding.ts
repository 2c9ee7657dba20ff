/**
 * Strict text codecs. The decoders return `undefined` for anything but the one canonical text of
 * some bytes. They reject foreign alphabets, missing or surplus padding, white space and non-zero
 * trailing bits, because Node's own decoder would silently drop them.
 *
 * Source: docs/protocol/crypto-and-identity.md 1
 */
const utf8Decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

export function encodeBase64Url(bytes: Uint8Array): string {
	return view(bytes).toString('base64url');
}

/**
 * Encodes with the standard alphabet and padding; used only for salts inside references and for
 * password hashes.
 */
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

/**
 * Decodes without normalisation and keeps a byte order mark; `undefined` for bytes that are not
 * UTF-8.
 */
export function decodeUtf8(bytes: Uint8Array): string | undefined {
	try {
		return utf8Decoder.decode(bytes);
	} catch {
		return undefined;
	}
}

/** Part of a URL as text; as it is if it is wrongly encoded, which then names nothing. */
export function decodedOrSame(part: string): string {
	try {
		return decodeURIComponent(part);
	} catch {
		return part;
	}
}

function view(bytes: Uint8Array): Buffer {
	return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

/**
 * Returns a plain array with its own memory: small Buffers are windows into a pool that the whole
 * process shares.
 */
function plain(bytes: Buffer): Uint8Array {
	const isWindow = bytes.buffer.byteLength !== bytes.byteLength;
	return isWindow ? Uint8Array.from(bytes) : new Uint8Array(bytes.buffer);
}
