import { inflateSync } from 'node:zlib';
import type { Font } from 'fontkit';
import { isGatewayError } from '../../base/errors';
import type * as Drawing from './drawing';
import { letterErrors } from './letter-errors';

const largestFontBytes = 30_000_000;

/** @throws `error.gateway.letters.invalidFont` */
export function openFont(createFont: typeof Drawing.createFont, bytes: Uint8Array): Font {
	return readingFont(() => {
		const file = Buffer.from(bytes);
		if (file.length > largestFontBytes || !hasWholeTables(file)) throw invalidFont();
		const font = createFont(file);
		// Collections of fonts have no glyphs themselves.
		if (!('hasGlyphForCodePoint' in font)) throw invalidFont();
		return font;
	});
}

/**
 * Does what reads a font file: a damaged file can fail wherever one of its tables is needed first.
 *
 * @throws `error.gateway.letters.invalidFont`
 */
export function readingFont<Result>(work: () => Result): Result {
	try {
		return work();
	} catch (cause) {
		throw isGatewayError(cause) ? cause : invalidFont(cause);
	}
}

export const invalidFont = (cause?: unknown): Error =>
	letterErrors.create('invalidFont', {
		message: 'The font file cannot be read.',
		facts: { field: 'font' },
		cause,
	});

/** Checks the tables of the file, because the library can read damaged ones without end. */
function hasWholeTables(file: Buffer): boolean {
	const format = file.toString('latin1', 0, 4);
	if (format === 'wOFF') return directory(file, 44, 20, file.readUInt16BE(12)).every(isWholeInWoff);
	if (['\0\x01\0\0', 'OTTO', 'true'].includes(format)) {
		return directory(file, 12, 16, file.readUInt16BE(4)).every(
			(entry) => entry.readUInt32BE(8) + entry.readUInt32BE(12) <= file.length,
		);
	}
	return true;

	/** A table of WOFF is compressed if that makes it shorter. */
	function isWholeInWoff(entry: Buffer): boolean {
		const [start, stored, length] = [4, 8, 12].map((at) => entry.readUInt32BE(at));
		if (start === undefined || stored === undefined || length === undefined) return false;
		const table = file.subarray(start, start + stored);
		if (table.length !== stored || length > largestFontBytes) return false;
		if (stored === length) return true;
		return inflateSync(table, { maxOutputLength: Math.max(length, 1) }).length === length;
	}
}

/** Entries of the directory of tables. */
const directory = (file: Buffer, start: number, size: number, count: number): Buffer[] =>
	Array.from({ length: count }, (_, index) =>
		file.subarray(start + index * size, start + (index + 1) * size),
	);
