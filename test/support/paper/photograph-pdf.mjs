/**
 * Draws the pages of a PDF as pictures, changed as photographs of the paper would be, scans them, and
 * prints what it found as JSON. Runs in a process of its own, because the library is a module that the
 * test runner cannot load.
 *
 * Usage: photograph-pdf.mjs <pdf> <JSON: [{ scale, degrees, brightness, blur }]>
 */
import { readFileSync } from 'node:fs';
import { createCanvas } from '@napi-rs/canvas';
import jsQR from 'jsqr';
import { getDocument } from 'pdfjs-dist/legacy/build/pdf.mjs';

const [pdf, photos] = process.argv.slice(2);
const data = new Uint8Array(readFileSync(pdf));
const document = await getDocument({ data, verbosity: 0 }).promise;
const pages = [];
for (let number = 1; number <= document.numPages; number++) {
	const page = await document.getPage(number);
	const { items } = await page.getTextContent();
	const lines = items.map(({ str }) => str).filter((text) => text.trim() !== '');
	const { width, height } = page.getViewport({ scale: 1 });
	const codes = [];
	for (const photo of JSON.parse(photos)) codes.push(await scan(page, photo));
	pages.push({ width, height, lines, codes });
}
console.log(JSON.stringify(pages));

async function scan(page, { scale, degrees, brightness, blur }) {
	const viewport = page.getViewport({ scale });
	const paper = createCanvas(viewport.width, viewport.height);
	await page.render({ canvas: paper, canvasContext: paper.getContext('2d'), viewport }).promise;
	const side = Math.ceil(Math.hypot(paper.width, paper.height));
	const photo = createCanvas(side, side).getContext('2d');
	photo.fillStyle = '#888';
	photo.fillRect(0, 0, side, side);
	photo.translate(side / 2, side / 2);
	photo.rotate((degrees * Math.PI) / 180);
	photo.filter = `blur(${blur}px) brightness(${brightness})`;
	photo.drawImage(paper, -paper.width / 2, -paper.height / 2);
	return jsQR(photo.getImageData(0, 0, side, side).data, side, side)?.data ?? null;
}
