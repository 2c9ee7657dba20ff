import { writeAppReference, writeReferenceUrl, type Reference } from '../model/reference';

/**
 * Renders the reference as a PNG for scanning: every wallet app reads `reference`; `link` opens the
 * app or its download page from any camera (docs/protocol/http-api.md 9).
 */
export async function renderQrCode(
	reference: Omit<Reference, 'kind'>,
	format: 'reference' | 'link',
): Promise<Uint8Array> {
	const text = format === 'link' ? writeReferenceUrl(reference) : writeAppReference(reference);
	const qrcode = await import('qrcode');
	return await qrcode.toBuffer(text, { type: 'png', margin: 4, scale: 4 });
}
