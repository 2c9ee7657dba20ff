import type { BitMatrix } from 'qrcode';
import { quietZone } from '../qr/reference-qr';
import type { Paper } from './paper';

/** Rows overlap by this part of a module, so that no printer leaves a gap between them. */
const overlap = 0.02;

/** Width of the quiet zone of a code in a square of `width`. */
export const quietZoneOf = ({ size }: BitMatrix, width: number): number =>
	(quietZone * width) / (size + 2 * quietZone);

/** Draws the code as filled areas into a square of `width` points that contains its quiet zone. */
export function drawCode(
	{ document }: Paper,
	code: BitMatrix,
	x: number,
	y: number,
	width: number,
): void {
	const side = width / (code.size + 2 * quietZone);
	const start = quietZoneOf(code, width);
	for (let row = 0; row < code.size; row++) {
		for (let column = 0; column < code.size; column++) {
			if (code.get(row, column) === 0) continue;
			const first = column;
			while (column + 1 < code.size && code.get(row, column + 1) !== 0) column++;
			document.rect(
				x + start + first * side,
				y + start + row * side,
				(column + 1 - first) * side,
				(1 + overlap) * side,
			);
		}
	}
	document.fill('black');
}
