import type { BitMatrix } from 'qrcode';
import type { LetterOptions, ReadLetter } from '../../model/input/letter';
import { drawCode } from './code';
import type { FittingLetter } from './letter-page';
import { mm, type Paper } from './paper';

/** Sizes in millimetres. */
interface Sheet {
	readonly columns: number;
	readonly rows: number;
	readonly width: number;
	readonly height: number;
	readonly left: number;
	readonly top: number;
	/** between two columns */
	readonly gap: number;
}

const sheets: Readonly<Record<LetterOptions['labelSheet'], Sheet>> = {
	'3x8': { columns: 3, rows: 8, width: 70, height: 37, left: 0, top: 0.5, gap: 0 },
	'3x7': { columns: 3, rows: 7, width: 63.5, height: 38.1, left: 7.25, top: 15.15, gap: 2.5 },
	'2x7': { columns: 2, rows: 7, width: 99.1, height: 38.1, left: 4.65, top: 15.15, gap: 2.5 },
	'2x4': { columns: 2, rows: 4, width: 99.1, height: 67.7, left: 4.65, top: 13.1, gap: 2.5 },
};
/** edge of a label that stays white, in millimetres */
const edge = 3;

/**
 * Puts the code and the words beside it on the label with this number, from 0.
 *
 * @throws `error.gateway.letters.doesNotFit`
 */
export function fitLabel(
	paper: Paper,
	{ recipient, pin }: ReadLetter,
	{ labelSheet, pinLabel, pinPlace }: LetterOptions,
	code: BitMatrix,
	index: number,
): FittingLetter {
	const { columns, rows, width, height, left, top, gap } = sheets[labelSheet];
	const place = index % (columns * rows);
	const x = left + (place % columns) * (width + gap) + edge;
	const y = top + Math.floor(place / columns) * height + edge;
	const side = Math.min(height - 2 * edge, width / 2);
	const style = { size: 10, width: (width - side - 2 * edge) * mm };
	const hasPin = pin !== undefined && pinPlace === 'letter';
	const text = hasPin ? `${recipient}\n${pinLabel}: ${pin}` : recipient;
	const size = paper.sizeThatFits('recipient', text, style, (height - 2 * edge) * mm);
	return {
		draw() {
			if (place === 0 || paper.pageCount === 0) paper.addPage('to the edges');
			drawCode(paper, code, x * mm, y * mm, side * mm);
			paper.drawText(text, { ...style, size }, (x + side) * mm, y * mm);
		},
	};
}
