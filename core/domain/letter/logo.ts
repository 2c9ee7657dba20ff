import type { PNG as Png } from 'pngjs';
import { letterErrors } from './letter-errors';

const largestBytes = 5_000_000;
const largestPixels = 25_000_000;
const pngSignature = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex');
/** markers of a JPEG that the size of the picture follows */
const frameMarkers = new Set([0xc0, 0xc1, 0xc2]);

/**
 * The picture as the PDF library stores it without decoding: its own decoder fails outside every
 * promise, so that a damaged picture would end the process.
 *
 * @throws `error.gateway.letters.invalidPicture`
 */
export function readLogo(PNG: typeof Png, picture: Uint8Array): Buffer {
	const bytes = Buffer.from(picture);
	try {
		if (bytes.length > largestBytes) throw new Error('It is larger than 5 MB.');
		if (bytes.subarray(0, pngSignature.length).equals(pngSignature)) return opaque(PNG, bytes);
		if (bytes.readUInt16BE(0) === 0xffd8) return checkedJpeg(bytes);
		throw new Error('It is neither PNG nor JPEG.');
	} catch (cause) {
		const reason = cause instanceof Error ? cause.message : 'It is damaged.';
		throw letterErrors.create('invalidPicture', {
			message: `The logo cannot be used. ${reason}`,
			facts: { field: 'logo' },
			cause,
		});
	}
}

/** The PNG on white paper, without transparency. */
function opaque(PNG: typeof Png, bytes: Buffer): Buffer {
	checkPixels(bytes.readUInt32BE(16), bytes.readUInt32BE(20));
	const picture = PNG.sync.read(bytes, { checkCRC: true });
	const { data } = picture;
	for (let at = 0; at < data.length; at += 4) {
		const opacity = (data[at + 3] ?? 255) / 255;
		for (let colour = at; colour < at + 3; colour++) {
			data[colour] = Math.round((data[colour] ?? 0) * opacity + 255 * (1 - opacity));
		}
	}
	return PNG.sync.write(picture, { colorType: 2, inputColorType: 6, inputHasAlpha: true });
}

function checkedJpeg(bytes: Buffer): Buffer {
	for (let at = 2; at + 9 < bytes.length; at += 2 + bytes.readUInt16BE(at + 2)) {
		if (bytes[at] !== 0xff) break;
		if (!frameMarkers.has(bytes[at + 1] ?? 0)) continue;
		checkPixels(bytes.readUInt16BE(at + 7), bytes.readUInt16BE(at + 5));
		return bytes;
	}
	throw new Error('It is a damaged JPEG.');
}

function checkPixels(width: number, height: number): void {
	if (width > 0 && height > 0 && width * height <= largestPixels) return;
	throw new Error('It has no pixels, or more than 25 million.');
}
