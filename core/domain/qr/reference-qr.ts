import type * as QrCode from 'qrcode';
import * as z from 'zod';
import type { QrCodeFormat, QrCodeOptions } from '../../facade/qr-codes';
import { writeAppReference, writeReferenceUrl, type Reference } from '../../model/reference';
import { referenceErrors } from '../../model/reference-errors';
import { encodePng } from './png';
import { parseInput } from '../validation';

const levels = ['low', 'medium', 'quartile', 'high'] as const;
const sizeRule = 'expected a whole number of pixels from 200 to 2000';

const optionsSchema = z.object({
	size: z.number(sizeRule).int(sizeRule).min(200, sizeRule).max(2_000, sizeRule).optional(),
	errorCorrection: z.enum(levels, `expected ${levels.join(', ')}`).default('medium'),
});

/** Width of the quiet zone in modules. */
export const quietZone = 4;
/** Pixels per module, unless a size was requested. */
const usualScale = 4;

/**
 * Renders the reference as a PNG for scanning: `link` is read by every wallet app, and opens the
 * app or its download page from any camera; wallets of version 7 refuse `reference`
 * (docs/protocol/http-api.md 9).
 *
 * @throws `error.runtime.validation.invalidPropertyValue`,
 * `error.gateway.references.tooLongForQrCode`
 */
export async function renderQrCode(
	reference: Omit<Reference, 'kind'>,
	format: QrCodeFormat,
	options: QrCodeOptions = {},
): Promise<Uint8Array> {
	const { size, ...style } = readOptions(options);
	return await draw(textOf(reference, format), async (qrcode, text) => {
		const { modules } = qrcode.create(text, style);
		return await renderPng(modules, size ?? usualWidth(modules));
	});
}

/** Renders the reference as an SVG element of the same size. */
export async function renderQrCodeSvg(
	reference: Omit<Reference, 'kind'>,
	format: QrCodeFormat,
	options: QrCodeOptions = {},
): Promise<string> {
	const { size, ...style } = readOptions(options);
	return await draw(textOf(reference, format), async (qrcode, text) => {
		const width = size ?? usualWidth(qrcode.create(text, style).modules);
		return (await qrcode.toString(text, { type: 'svg', width, ...style })).trim();
	});
}

/**
 * Squares of the code of a text, with medium error correction.
 *
 * @throws `error.gateway.references.tooLongForQrCode`
 */
export async function qrCodeModules(text: string): Promise<QrCode.BitMatrix> {
	const style = { errorCorrectionLevel: 'medium' } as const;
	return await draw(text, (qrcode) => Promise.resolve(qrcode.create(text, style).modules));
}

function readOptions(options: QrCodeOptions) {
	const { size, errorCorrection } = parseInput(optionsSchema, options, (message, field) =>
		referenceErrors.create('invalidInput', {
			message,
			facts: { field },
			remedy: 'Correct the named field.',
		}),
	);
	return { size, errorCorrectionLevel: errorCorrection, margin: quietZone };
}

function usualWidth(modules: QrCode.BitMatrix): number {
	return (modules.size + 2 * quietZone) * usualScale;
}

function textOf(reference: Omit<Reference, 'kind'>, format: QrCodeFormat): string {
	return format === 'link' ? writeReferenceUrl(reference) : writeAppReference(reference);
}

/** Loads the library and gives its error for a text that does not fit a code. */
async function draw<Drawn>(
	text: string,
	render: (qrcode: typeof QrCode, text: string) => Promise<Drawn>,
): Promise<Drawn> {
	const qrcode = await import('qrcode');
	try {
		return await render(qrcode, text);
	} catch (cause) {
		if (!(cause instanceof Error) || !cause.message.includes('too big')) throw cause;
		const message = `The reference has ${text.length} characters, more than fit into a QR code with this error correction.`;
		throw referenceErrors.create('tooLongForQrCode', { message, cause });
	}
}

/**
 * Draws the code itself: the encoder of the library is large, and gives modules different sizes if
 * the width demands it, which are harder to scan. The quiet zone takes the remaining pixels. No QR
 * code is too large, because the largest has 177 modules in a row.
 */
async function renderPng(modules: QrCode.BitMatrix, size: number): Promise<Uint8Array> {
	const scale = Math.floor(size / (modules.size + 2 * quietZone));
	const margin = Math.floor((size - modules.size * scale) / 2);
	const toModule = (pixel: number): number => Math.floor((pixel - margin) / scale);
	const isInside = (module: number): boolean => module >= 0 && module < modules.size;
	return await encodePng(size, (x, y) => {
		const [column, row] = [toModule(x), toModule(y)];
		return isInside(column) && isInside(row) && modules.get(row, column) !== 0;
	});
}
