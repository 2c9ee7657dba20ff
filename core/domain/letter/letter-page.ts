import type { BitMatrix } from 'qrcode';
import type { LetterOptions, ReadLetter } from '../../model/input/letter';
import { drawCode, quietZoneOf } from './code';
import { margins, mm, type Paper, type TextStyle } from './paper';

/* A letter with the window of DIN 5008, form B. */

const addressWidth = 80 * mm;
const addressHeight = 27.3 * mm;
const textWidth = 165 * mm;
const senderStyle = { size: 7, width: addressWidth } as const;
const senderHeight = 5 * mm;
const addressStyle = { size: 10, width: addressWidth } as const;
const textStyle = { size: 11, width: textWidth } as const;
const subjectStyle = { size: 12, bold: true, width: textWidth } as const;
const pinStyle = { size: 20, bold: true, width: textWidth } as const;
/** space between the parts of the text */
const gap = 6 * mm;
const bottom = 297 * mm - margins.bottom;

/** A letter whose texts fit. */
export interface FittingLetter {
	draw(): void;
}

/** @throws `error.gateway.letters.doesNotFit` */
export function fitLetter(
	paper: Paper,
	letter: ReadLetter,
	options: LetterOptions,
	code: BitMatrix | undefined,
): FittingLetter {
	const address = sized(paper, 'recipient', letter.recipient, addressStyle, addressHeight);
	const { sender } = options;
	const from = sender && sized(paper, 'sender', sender, senderStyle, senderHeight);
	const pin = options.layout === 'letter' && options.pinPlace === 'none' ? undefined : letter.pin;
	const hasOwnPage = options.layout === 'letter' && options.pinPlace === 'secondPage';
	const pinText = pin === undefined ? undefined : `${options.pinLabel}: ${pin}`;

	return {
		draw() {
			paper.addPage();
			paper.drawLogo(125 * mm, 10 * mm, 65 * mm, 30 * mm);
			drawFoldMarks(paper);
			if (from) paper.drawText(from.text, from.style, margins.left, 57 * mm);
			paper.drawText(address.text, address.style, margins.left, 62.7 * mm);
			if (letter.date !== undefined) {
				const style = { size: 11, align: 'right', width: 65 * mm } as const;
				paper.drawText(letter.date, style, 125 * mm, 85 * mm);
			}
			drawBody(paper, letter);
			if (options.layout === 'pinLetter') {
				if (pinText !== undefined) paper.drawText(pinText, pinStyle);
				return;
			}
			if (code !== undefined) {
				drawCodeBlock(paper, letter, options, code, hasOwnPage ? undefined : pinText);
			}
			if (!hasOwnPage || pinText === undefined) return;
			paper.addPage();
			if (letter.subject !== undefined) {
				paper.drawText(letter.subject, subjectStyle, margins.left, 103 * mm);
				paper.document.y += gap;
				paper.drawText(pinText, pinStyle);
			} else paper.drawText(pinText, pinStyle, margins.left, 103 * mm);
		},
	};
}

function sized(paper: Paper, field: string, text: string, style: TextStyle, height: number) {
	return { text, style: { ...style, size: paper.sizeThatFits(field, text, style, height) } };
}

/** Marks for folding, and in the middle one for the punch. */
function drawFoldMarks({ document }: Paper): void {
	for (const y of [105, 148.5, 210]) {
		document.moveTo(5 * mm, y * mm).lineTo(9 * mm, y * mm);
	}
	document.lineWidth(0.3).stroke('black');
}

function drawBody(paper: Paper, { subject, text }: ReadLetter): void {
	const { document } = paper;
	document.x = margins.left;
	document.y = 103 * mm;
	if (subject !== undefined) {
		paper.drawText(subject, subjectStyle);
		document.y += gap;
	}
	if (text === undefined || text === '') return;
	paper.drawText(text, textStyle);
	document.y += gap;
}

/** The code, and beside it what it is for, the link as text, and the PIN. */
function drawCodeBlock(
	paper: Paper,
	{ caption, link }: ReadLetter,
	{ codeSize, showsLink }: LetterOptions,
	code: BitMatrix,
	pinText: string | undefined,
): void {
	const { document } = paper;
	const side = codeSize * mm;
	const width = textWidth - side - gap;
	const parts = [
		{ text: caption, style: { size: 11, width } },
		{ text: showsLink ? link : undefined, style: { size: 9, width } },
		{ text: pinText, style: { size: 14, bold: true, width } },
	].flatMap(({ text, style }) => (text === undefined || text === '' ? [] : [{ text, style }]));
	const heights = parts.map(({ text, style }) => paper.heightOf(text, style) + 3 * mm);
	const height = Math.max(side, sum(heights));
	if (document.y + height > bottom) {
		paper.addPage();
		document.y = margins.top;
	}
	const top = document.y;
	// Its quiet zone is in the margin, so that the code begins where the lines begin.
	drawCode(paper, code, margins.left - quietZoneOf(code, side), top, side);
	let y = top + 3 * mm;
	for (const [index, { text, style }] of parts.entries()) {
		paper.drawText(text, style, margins.left + side + gap, y);
		y += heights[index] ?? 0;
	}
	document.x = margins.left;
	document.y = top + height;
}

const sum = (numbers: readonly number[]): number => numbers.reduce((all, one) => all + one, 0);
