import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { inflateSync } from 'node:zlib';

const folder = join(dirname(require.resolve('roboto-fontface/package.json')), 'fonts');

/** A font that is not the usual one, in a format of fonts. */
export function slab(format: 'ttf' | 'woff' | 'woff2'): Buffer {
	const stored = format === 'ttf' ? 'woff' : format;
	const file = readFileSync(join(folder, 'roboto-slab', `Roboto-Slab-Regular.${stored}`));
	return format === 'ttf' ? unpacked(file) : file;
}

/** The beginning of the font. */
export const cutOff = (font: Buffer, percent: number): Buffer =>
	font.subarray(0, (font.length * percent) / 100);

/** The font with other bytes in one of its tables. */
export function overwritten(font: Buffer, table: string): Buffer {
	const damaged = Buffer.from(font);
	const isPacked = font.toString('latin1', 0, 4) === 'wOFF';
	const entry = damaged.subarray(damaged.indexOf(table, isPacked ? 44 : 12, 'latin1'));
	const start = entry.readUInt32BE(isPacked ? 4 : 8);
	return damaged.fill(0xf7, start, start + entry.readUInt32BE(isPacked ? 8 : 12));
}

/** The same font as TrueType, whose tables are not compressed. */
function unpacked(woff: Buffer): Buffer {
	const count = woff.readUInt16BE(12);
	const head = Buffer.alloc(12 + 16 * count);
	woff.copy(head, 0, 4, 8);
	head.writeUInt16BE(count, 4);
	const tables: Buffer[] = [];
	let end = head.length;
	for (let index = 0; index < count; index++) {
		const entry = woff.subarray(44 + 20 * index, 64 + 20 * index);
		const start = entry.readUInt32BE(4);
		const packed = woff.subarray(start, start + entry.readUInt32BE(8));
		const length = entry.readUInt32BE(12);
		const table = packed.length === length ? packed : inflateSync(packed);
		const place = head.subarray(12 + 16 * index);
		entry.copy(place, 0, 0, 4);
		entry.copy(place, 4, 16, 20);
		place.writeUInt32BE(end, 8);
		place.writeUInt32BE(length, 12);
		tables.push(table, Buffer.alloc(-length & 3));
		end += (length + 3) & ~3;
	}
	return Buffer.concat([head, ...tables]);
}
