import { promisify } from 'node:util';
import { crc32, deflate } from 'node:zlib';

const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const compress = promisify(deflate);

/** Encodes a square black and white picture with one bit per pixel (RFC 2083). */
export async function encodePng(
	width: number,
	isDark: (column: number, row: number) => boolean,
): Promise<Buffer> {
	const header = Buffer.alloc(13);
	header.writeUInt32BE(width, 0);
	header.writeUInt32BE(width, 4);
	// One bit per pixel; all other members of the header are 0: grey, usual methods, no interlace.
	header.writeUInt8(1, 8);
	const rows = Array.from({ length: width }, (_, row) => encodeRow(width, row, isDark));
	const pixels = await compress(Buffer.concat(rows));
	const chunks = [chunk('IHDR', header), chunk('IDAT', pixels), chunk('IEND', Buffer.alloc(0))];
	return Buffer.concat([signature, ...chunks]);
}

/** Bits of a row, in which 1 is white, after the byte that stands for no filter. */
function encodeRow(
	width: number,
	row: number,
	isDark: (column: number, row: number) => boolean,
): Buffer {
	const bytes = Buffer.alloc(1 + Math.ceil(width / 8));
	for (let column = 0; column < width; column++) {
		if (isDark(column, row)) continue;
		const index = 1 + (column >> 3);
		bytes[index] = (bytes[index] ?? 0) | (0x80 >> (column & 7));
	}
	return bytes;
}

function chunk(type: string, data: Buffer): Buffer {
	const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
	const length = Buffer.alloc(4);
	length.writeUInt32BE(data.length);
	const checksum = Buffer.alloc(4);
	checksum.writeUInt32BE(crc32(body));
	return Buffer.concat([length, body, checksum]);
}
