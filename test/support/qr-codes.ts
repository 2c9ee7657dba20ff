import jsQR from 'jsqr';
import { PNG } from 'pngjs';

/** Text of a PNG; undefined if a scanner finds no QR code. */
export function readPng(png: Uint8Array): string | undefined {
	const { data, width, height } = PNG.sync.read(Buffer.from(png));
	return jsQR(new Uint8ClampedArray(data), width, height)?.data;
}

/** Text of a data URL with a PNG. */
export function readDataUrl(url: unknown): string | undefined {
	return readPng(pngOf(url));
}

/** Bytes of a data URL. */
export function pngOf(url: unknown): Buffer {
	const [, base64] = /^data:image\/png;base64,([A-Za-z0-9+/]+=*)$/.exec(String(url)) ?? [];
	if (base64 === undefined) throw new Error(`No PNG in ${String(url).slice(0, 60)}`);
	return Buffer.from(base64, 'base64');
}

interface Drawing {
	readonly text: string | undefined;
	/** modules in a row, with the quiet zone */
	readonly modules: number;
	readonly width: number;
	readonly height: number;
}

const svgForm =
	/^<svg xmlns="[^"]+" width="(\d+)" height="(\d+)" viewBox="0 0 (\d+) \3" [^>]*><path fill="#ffffff" d="[^"]*"\/><path stroke="#000000" d="([^"]*)"\/><\/svg>$/;

/** Draws the rows of an SVG, 4 pixels per module, and scans them. */
export function readSvg(svg: unknown): Drawing {
	const [, width, height, modules, path] = svgForm.exec(String(svg)) ?? [];
	if (path === undefined) throw new Error(`No drawn QR code in ${String(svg).slice(0, 200)}`);
	const pixels = Number(modules) * 4;
	const data = new Uint8ClampedArray(pixels * pixels * 4).fill(255);
	let column = 0;
	let row = 0;
	for (const [, step = '', numbers = ''] of path.matchAll(/([Mmh])([\d. ]+)/g)) {
		const [first = 0, second = 0] = numbers.split(' ').map(Number);
		if (step === 'M') [column, row] = [first, second - 0.5];
		if (step === 'm') column += first;
		if (step !== 'h') continue;
		blacken(data, pixels, { column, row, length: first });
		column += first;
	}
	const text = jsQR(data, pixels, pixels)?.data;
	return { text, modules: Number(modules), width: Number(width), height: Number(height) };
}

interface Line {
	readonly column: number;
	readonly row: number;
	readonly length: number;
}

function blacken(data: Uint8ClampedArray, pixels: number, { column, row, length }: Line): void {
	for (let y = row * 4; y < row * 4 + 4; y++) {
		for (let x = column * 4; x < (column + length) * 4; x++) {
			data.fill(0, (y * pixels + x) * 4, (y * pixels + x) * 4 + 3);
		}
	}
}
