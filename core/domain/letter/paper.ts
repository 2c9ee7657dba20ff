import { once } from 'node:events';
import type { Font } from 'fontkit';
import type * as Drawing from './drawing';
import { invalidFont, openFont, readingFont } from './font';
import type * as Fonts from './font-files';
import { letterErrors } from './letter-errors';
import { readLogo } from './logo';

/** points of a millimetre */
export const mm = 72 / 25.4;
/** margins of a page after DIN 5008 */
export const margins = { top: 25 * mm, bottom: 20 * mm, left: 25 * mm, right: 20 * mm };

const edges = { top: 0, bottom: 0, left: 0, right: 0 };

const rightToLeft = /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}]/u;

export interface TextStyle {
	readonly size: number;
	readonly bold?: boolean;
	/** width in points after which lines are broken */
	readonly width?: number;
	readonly align?: 'left' | 'right';
}

/** A PDF document of A4 pages, with its fonts and its logo. */
export class Paper {
	readonly document: PDFKit.PDFDocument;
	private readonly chunks: Buffer[] = [];
	private readonly glyphs: Font;
	/** given by the caller, so that it may be damaged */
	private readonly hasGivenFont: boolean;
	/** glyphs that were read without an error */
	private readonly readIds = new Set<number>();
	/** data URL, by which the library stores the picture once, however often it is drawn */
	private readonly logo: string | undefined;
	private pages = 0;

	/** @throws `error.gateway.letters.invalidFont`, `error.gateway.letters.invalidPicture` */
	constructor(
		{ createFont, PdfDocument, PNG, boldFont, regularFont }: typeof Drawing & typeof Fonts,
		{
			font,
			logo,
		}: { readonly font?: Uint8Array | undefined; readonly logo?: Uint8Array | undefined },
	) {
		this.hasGivenFont = font !== undefined;
		this.glyphs = openFont(createFont, font ?? regularFont);
		this.document = new PdfDocument({
			autoFirstPage: false,
			// Otherwise the library loads a font of its own, which it does not embed.
			font: '',
			margins,
			size: 'A4',
		});
		this.document.registerFont('regular', font ?? regularFont);
		this.document.registerFont('bold', font ?? boldFont);
		this.logo = logo === undefined ? undefined : dataUrl(readLogo(PNG, logo));
		this.document.on('data', (chunk: Buffer) => this.chunks.push(chunk));
		this.document.on('pageAdded', () => this.pages++);
	}

	get pageCount(): number {
		return this.pages;
	}

	/** @param usable the page to its edges, instead of inside the margins */
	addPage(usable: 'inside margins' | 'to the edges' = 'inside margins'): void {
		this.document.addPage({ margins: usable === 'to the edges' ? edges : margins, size: 'A4' });
	}

	/** Draws the logo into a box, against its right side. */
	drawLogo(x: number, y: number, width: number, height: number): void {
		if (this.logo === undefined) return;
		this.document.image(this.logo, x, y, { fit: [width, height], align: 'right' });
	}

	/** Draws the text at a place, or below what was drawn last. Long texts continue over further pages. */
	drawText(text: string, style: TextStyle, x?: number, y?: number): void {
		const { align = 'left', width } = style;
		const options = { align, ...(width === undefined ? {} : { width }) };
		this.withFont(() => {
			this.use(style);
			if (x === undefined) this.document.text(text, options);
			else this.document.text(text, x, y, options);
		});
	}

	heightOf(text: string, style: TextStyle): number {
		return this.withFont(() => {
			this.use(style);
			return this.document.heightOfString(text, style.width === undefined ? {} : style);
		});
	}

	/**
	 * The largest size with which the text fits into the height.
	 *
	 * @throws `error.gateway.letters.doesNotFit`
	 */
	sizeThatFits(field: string, text: string, style: TextStyle, height: number): number {
		for (let size = style.size; size >= 6; size -= 0.5) {
			if (this.heightOf(text, { ...style, size }) <= height) return size;
		}
		const message = `The text of '${field}' does not fit into its place, even in small letters.`;
		throw letterErrors.create('doesNotFit', { message, facts: { field } });
	}

	/** @throws `error.gateway.letters.characterNotInFont`, `error.gateway.letters.invalidFont` */
	checkCharacters(field: string, text: string): void {
		if (this.hasGivenFont) readingFont(() => this.readGlyphs(text));
		for (const character of text) {
			const isDrawn = character === '\n' || this.hasGlyph(character);
			if (isDrawn && !rightToLeft.test(character)) continue;
			const point = (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
			const reason = isDrawn
				? 'which is written from right to left; this is not supported'
				: 'which the font does not have';
			throw letterErrors.create('characterNotInFont', {
				message: `'${field}' contains the character '${character}' (U+${point}), ${reason}.`,
				facts: { field },
			});
		}
	}

	/** @throws `error.gateway.letters.invalidFont` */
	async finish(): Promise<Uint8Array> {
		const ended = once(this.document, 'end');
		this.withFont(() => this.document.end());
		await ended;
		return Buffer.concat(this.chunks);
	}

	private withFont<Result>(work: () => Result): Result {
		return this.hasGivenFont ? readingFont(work) : work();
	}

	/** Reads all that drawing will need, so that a damaged font fails before something is drawn. */
	private readGlyphs(text: string): void {
		const { glyphs } = this.glyphs.layout(text);
		const further = glyphs.filter(({ id }) => !this.readIds.has(id));
		if (further.length === 0) return;
		const subset = this.glyphs.createSubset();
		for (const glyph of further) {
			if (Number.isNaN(glyph.advanceWidth + glyph.path.commands.length)) throw invalidFont();
			subset.includeGlyph(glyph);
		}
		subset.encode();
		for (const { id } of further) this.readIds.add(id);
	}

	private use({ size, bold = false }: TextStyle): void {
		this.document.font(bold ? 'bold' : 'regular').fontSize(size);
	}

	private hasGlyph(character: string): boolean {
		return this.glyphs.hasGlyphForCodePoint(character.codePointAt(0) ?? 0);
	}
}

const dataUrl = (picture: Buffer): string => `data:image/any;base64,${picture.toString('base64')}`;
