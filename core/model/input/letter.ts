import * as z from 'zod';

/* Inputs of letters and labels (docs/adr/0044-letters-are-drawn-here.md). */

const line = (longest: number) => z.string().trim().min(1, 'it is empty').max(longest);
const bytes = z.custom<Uint8Array>((value) => ArrayBuffer.isView(value), 'expected bytes');
const codeSizeRule = 'expected millimetres from 25 to 80';

const letterOptionsShape = z.strictObject({
	/**
	 * `letter`: a page with address, text and QR code; `pinLetter`: a page with address, text and the
	 * PIN, without the code; `labels`: a sheet of codes with a few words beside each
	 */
	layout: z.enum(['letter', 'pinLetter', 'labels']).default('letter'),
	/** columns and rows of a sheet of labels: 70 x 37, 63.5 x 38.1, 99.1 x 38.1, 99.1 x 67.7 mm */
	labelSheet: z.enum(['3x8', '3x7', '2x7', '2x4']).default('3x8'),
	/** number of the first label that is not used yet; the default is 1 */
	firstLabel: z.number().int().min(1).max(24).default(1),
	/** sender in one line above the address, inside the window */
	sender: line(120).optional(),
	/** PNG or JPEG, at the top on the right */
	logo: bytes.optional(),
	/** TrueType, OpenType, WOFF or WOFF2; the default has Latin, Greek and Cyrillic letters */
	font: bytes.optional(),
	/** width of the QR code in millimetres, with its margin; the default is 45 */
	codeSize: z.number(codeSizeRule).min(25, codeSizeRule).max(80, codeSizeRule).default(45),
	/** where a PIN is printed; the default is `secondPage` */
	pinPlace: z.enum(['none', 'letter', 'secondPage']).default('secondPage'),
	/** word before the PIN; the default is 'PIN' */
	pinLabel: line(40).default('PIN'),
	/** prints the link as text beside the code; the default is true */
	showsLink: z.boolean().default(true),
});

export const letterOptionsSchema = letterOptionsShape.refine(
	({ labelSheet, firstLabel }) => {
		const [columns = 0, rows = 0] = labelSheet.split('x').map(Number);
		return firstLabel <= columns * rows;
	},
	{ path: ['firstLabel'], error: 'the sheet has fewer labels' },
);
/** Look of all letters of one document. */
export type LetterOptionsInput = z.input<typeof letterOptionsSchema>;

export const letterSchema = z.strictObject({
	/** link in the QR code; not needed by `pinLetter` */
	link: z.url('expected a link').max(1_000).optional(),
	/** name and address, one line each; on a label what stands beside the code */
	recipient: line(1_000),
	/** date as it is printed */
	date: line(60).optional(),
	/** subject, above the text */
	subject: line(300).optional(),
	/** text; an empty line begins a paragraph */
	text: z.string().max(20_000).optional(),
	/** what stands beside the code */
	caption: z.string().max(1_000).optional(),
	/** PIN or password of the link */
	pin: line(200).optional(),
});
/** One letter or label. */
export type LetterInput = z.input<typeof letterSchema>;
/** Look whose defaults are filled in. */
export type LetterOptions = z.output<typeof letterOptionsSchema>;
/** Letter that was read. */
export type ReadLetter = z.output<typeof letterSchema>;
