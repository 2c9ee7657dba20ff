import {
	letterOptionsSchema,
	letterSchema,
	type LetterInput,
	type LetterOptionsInput,
	type ReadLetter,
} from '../../model/input/letter';
import { parseInput } from '../validation';
import { qrCodeModules } from '../qr/reference-qr';
import { fitLabel } from './label-sheet';
import { fitLetter } from './letter-page';
import { Paper } from './paper';
import { invalidInput } from '../input-errors';

/** Letters or labels that become one PDF of A4 pages. */
export interface LetterDocument {
	/** pages so far */
	readonly pageCount: number;
	/**
	 * Adds a letter, or a label. If it fails, nothing of it is drawn.
	 *
	 * @throws `error.runtime.validation.invalidPropertyValue`,
	 * `error.gateway.letters.characterNotInFont`, `error.gateway.letters.doesNotFit`,
	 * `error.gateway.references.tooLongForQrCode`
	 */
	add(letter: LetterInput): Promise<void>;
	/** Ends the document and returns the PDF. */
	finish(): Promise<Uint8Array>;
}

/**
 * Begins a PDF of letters with QR codes, for people who get them on paper. Links and PINs are in it
 * in clear text.
 *
 * @throws `error.runtime.validation.invalidPropertyValue`, `error.gateway.letters.invalidFont`,
 * `error.gateway.letters.invalidPicture`, `error.gateway.letters.characterNotInFont`
 */
export async function openLetters(look: LetterOptionsInput = {}): Promise<LetterDocument> {
	const options = parseInput(letterOptionsSchema, look);
	const { createFont, PdfDocument, PNG } = await import('./drawing');
	const { boldFont, regularFont } = await import('./font-files');
	const tools = { createFont, PdfDocument, PNG, boldFont, regularFont };
	const paper = new Paper(tools, options);
	for (const field of ['sender', 'pinLabel'] as const) {
		paper.checkCharacters(field, options[field] ?? '');
	}
	let label = options.firstLabel - 1;

	return {
		get pageCount() {
			return paper.pageCount;
		},
		async add(input) {
			const letter = checked(paper, parseInput(letterSchema, input));
			if (options.layout === 'pinLetter') {
				if (letter.pin === undefined) throw missing('pin');
				fitLetter(paper, letter, options, undefined).draw();
				return;
			}
			if (letter.link === undefined) throw missing('link');
			const code = await qrCodeModules(letter.link);
			if (options.layout === 'letter') fitLetter(paper, letter, options, code).draw();
			else {
				fitLabel(paper, letter, options, code, label).draw();
				label++;
			}
		},
		finish: async () => await paper.finish(),
	};
}

const missing = (field: string) => invalidInput(`'${field}' is missing.`, field);

/**
 * The letter with texts in a form that fonts have: letters with their accents in one character, no
 * tabs and no invisible characters.
 */
function checked(paper: Paper, letter: ReadLetter): ReadLetter {
	const texts: [string, string][] = [];
	for (const [field, text] of Object.entries(letter)) {
		if (text === undefined) continue;
		const shown = field === 'link' ? text : plain(text);
		paper.checkCharacters(field, shown);
		texts.push([field, shown]);
	}
	return { ...letter, ...Object.fromEntries(texts) };
}

const plain = (text: string): string =>
	text
		.normalize('NFC')
		.replace(/\r\n?/g, '\n')
		.replace(/\t/g, ' ')
		.replace(/[\p{Cf}]|(?!\n)\p{Cc}/gu, '');
