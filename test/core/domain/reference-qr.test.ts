import jsQR from 'jsqr';
import { PNG } from 'pngjs';
import { toBuffer } from 'qrcode';

import { isGatewayError } from '../../../core/base/errors';
import { renderQrCode, renderQrCodeSvg } from '../../../core/domain/qr/reference-qr';
import { writeAppReference, writeReferenceUrl } from '../../../core/model/reference';
import { readSvg } from '../../support/qr-codes';

/** Drawing a QR code is slow inside the test runner. */
jest.setTimeout(60_000);

const reference = {
	id: 'RLTa1B2c3D4e5F6g7H8i',
	backboneBaseUrl: 'https://backbone.example.com',
	key: 'A'.repeat(43),
};

const levels = ['low', 'medium', 'quartile', 'high'] as const;

function scan(png: Uint8Array): { text: string | undefined; width: number; height: number } {
	const { data, width, height } = PNG.sync.read(Buffer.from(png));
	return { text: jsQR(new Uint8ClampedArray(data), width, height)?.data, width, height };
}

/** Widths of the runs of equal pixels in some rows, except the quiet zone at both ends. */
function innerRuns(png: Uint8Array): number[] {
	const { data, width, height } = PNG.sync.read(Buffer.from(png));
	const runs: number[] = [];
	for (let row = 0; row < height; row += 7) {
		const line = Array.from({ length: width }, (_, column) => data[(row * width + column) * 4]);
		const changes = line.flatMap((value, column) => (value === line[column - 1] ? [] : [column]));
		const inner = changes.slice(1);
		runs.push(...inner.slice(1).map((column, index) => column - (inner[index] ?? 0)));
	}
	return runs;
}

async function codeOfFailure(promise: Promise<unknown>): Promise<[string, string]> {
	const error: unknown = await promise.catch((failure: unknown) => failure);
	if (!isGatewayError(error)) throw new Error(`No coded error but ${String(error)}`);
	return [error.code, error.message];
}

describe('the QR code of a reference', () => {
	it.each([
		['reference', writeAppReference(reference)],
		['link', writeReferenceUrl(reference)],
	] as const)('is read as the %s, from the picture and from the drawing', async (format, text) => {
		expect(scan(await renderQrCode(reference, format)).text).toBe(text);
		expect(readSvg(await renderQrCodeSvg(reference, format)).text).toBe(text);
	});

	it.each(levels)('has the pixels that the library draws (%s)', async (errorCorrection) => {
		const text = writeReferenceUrl(reference);
		const options = {
			type: 'png',
			scale: 4,
			margin: 4,
			errorCorrectionLevel: errorCorrection,
		} as const;
		const expected = PNG.sync.read(await toBuffer(text, options));
		const drawn = PNG.sync.read(
			Buffer.from(await renderQrCode(reference, 'link', { errorCorrection })),
		);
		expect([drawn.width, drawn.height]).toEqual([expected.width, expected.height]);
		expect(drawn.data.equals(expected.data)).toBe(true);
	});

	it('has 4 pixels per module and medium error correction, unless told otherwise', async () => {
		const drawn = await renderQrCode(reference, 'link');
		expect(Buffer.from(drawn)).toEqual(
			Buffer.from(await renderQrCode(reference, 'link', { errorCorrection: 'medium' })),
		);
		const { width, height } = scan(drawn);
		const svg = readSvg(await renderQrCodeSvg(reference, 'link'));
		expect([width, height]).toEqual([svg.modules * 4, svg.modules * 4]);
		expect([svg.width, svg.height]).toEqual([width, height]);
		expect(new Set(innerRuns(drawn).map((run) => run % 4))).toEqual(new Set([0]));
	});

	it.each([200, 333, 400, 1000, 2000])('is exactly %i pixels wide, and sharp', async (size) => {
		const drawn = await renderQrCode(reference, 'link', { size });
		expect(scan(drawn)).toEqual({ text: writeReferenceUrl(reference), width: size, height: size });
		// All modules have the same size in whole pixels, and at least 4 of them are the quiet zone.
		const { modules } = readSvg(await renderQrCodeSvg(reference, 'link', { size }));
		const module = Math.floor(size / modules);
		expect(new Set(innerRuns(drawn).map((run) => run % module))).toEqual(new Set([0]));
		expect(Math.min(...innerRuns(drawn))).toBe(module);
	});

	it('has the size as its width and height also when it is drawn', async () => {
		const svg = await renderQrCodeSvg(reference, 'link', { size: 480 });
		expect(readSvg(svg)).toMatchObject({ width: 480, height: 480 });
		expect(svg).toMatch(/^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg" [^<>]*>.*<\/svg>$/);
	});

	it('survives more damage, and has more modules, with a higher error correction', async () => {
		const sizes = [];
		for (const errorCorrection of levels) {
			const svg = readSvg(await renderQrCodeSvg(reference, 'link', { errorCorrection }));
			expect(svg.text).toBe(writeReferenceUrl(reference));
			expect(scan(await renderQrCode(reference, 'link', { errorCorrection })).width).toBe(
				svg.modules * 4,
			);
			sizes.push(svg.modules);
		}
		expect(sizes).toEqual([...sizes].sort((a, b) => a - b));
		expect(new Set(sizes).size).toBe(levels.length);
	});

	it.each([
		[{ size: 199 }, 'size'],
		[{ size: 2001 }, 'size'],
		[{ size: 300.5 }, 'size'],
		[{ size: Number.NaN }, 'size'],
		[{ size: '400' }, 'size'],
		[{ errorCorrection: 'best' }, 'errorCorrection'],
		[{ errorCorrection: 7 }, 'errorCorrection'],
	])('is not drawn with %j', async (options, field) => {
		const expected = [
			'error.runtime.validation.invalidPropertyValue',
			expect.stringContaining(`'${field}'`),
		];
		const given = options as object;
		expect(await codeOfFailure(renderQrCode(reference, 'link', given))).toEqual(expected);
		expect(await codeOfFailure(renderQrCodeSvg(reference, 'link', given))).toEqual(expected);
	});

	it('fits as long as the error correction leaves room for the text', async () => {
		const long = { ...reference, backboneBaseUrl: `https://example.com/${'a'.repeat(1_200)}` };
		const drawn = await renderQrCodeSvg(long, 'link', { errorCorrection: 'medium', size: 200 });
		expect(drawn).toContain('<svg');
		for (const render of [renderQrCode, renderQrCodeSvg]) {
			expect(await codeOfFailure(render(long, 'link', { errorCorrection: 'high' }))).toEqual([
				'error.gateway.references.tooLongForQrCode',
				expect.stringMatching(/\d+ characters/),
			]);
		}
	});

	it('is as wide as asked for even at the highest number of modules', async () => {
		const longest = { ...reference, backboneBaseUrl: `https://example.com/${'a'.repeat(2_100)}` };
		const { width, height } = scan(await renderQrCode(longest, 'link', { size: 200 }));
		expect([width, height]).toEqual([200, 200]);
	});
});
