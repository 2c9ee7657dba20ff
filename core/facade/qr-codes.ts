import type { Cancellable } from '../base/abort';

/** Appearance of a QR code. */
export interface QrCodeOptions extends Cancellable {
	/** width and height in pixels, 200 to 2000; the default is 4 pixels per module */
	readonly size?: number;
	/** part of the code that may be damaged or covered: 7, 15 (default), 25 or 30 percent */
	readonly errorCorrection?: 'low' | 'medium' | 'quartile' | 'high';
}

/**
 * `link` writes the URL form of a reference, which every wallet app and every camera reads.
 * `reference` writes `nmshd://tr#...`, which only wallets of version 6 read.
 */
export type QrCodeFormat = 'reference' | 'link';

/** QR codes of the references of files, templates or tokens. */
export interface QrCodeUseCases {
	/**
	 * PNG of the reference.
	 *
	 * @param id for a token that is not stored, its reference
	 */
	qrCode(id: string, format: QrCodeFormat, options?: QrCodeOptions): Promise<Uint8Array>;
	/** The same as an SVG element, to embed it in HTML. */
	qrCodeSvg(id: string, format: QrCodeFormat, options?: QrCodeOptions): Promise<string>;
}
