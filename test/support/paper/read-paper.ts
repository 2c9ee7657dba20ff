import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

/** How paper is photographed. */
export interface Photo {
	/** pixels per point; 2 are 144 dots per inch */
	readonly scale?: number;
	readonly degrees?: number;
	/** 1 in full light */
	readonly brightness?: number;
	/** radius in pixels */
	readonly blur?: number;
}

export interface PaperPage {
	/** in points */
	readonly width: number;
	readonly height: number;
	/** texts in the order in which they were drawn */
	readonly lines: readonly string[];
	/** text of the QR code that a scanner finds in each photograph of the page */
	readonly codes: readonly (string | null)[];
}

/** Prints the PDF, photographs each page in each of these ways, and scans the photographs. */
export async function readPaper(
	pdf: Uint8Array,
	photos: readonly Photo[] = [{}],
): Promise<PaperPage[]> {
	const folder = mkdtempSync(join(tmpdir(), 'paper-'));
	try {
		const file = join(folder, 'letters.pdf');
		writeFileSync(file, pdf);
		const script = join(__dirname, 'photograph-pdf.mjs');
		const usual = { scale: 2, degrees: 0, brightness: 1, blur: 0 };
		const settings = JSON.stringify(photos.map((photo) => ({ ...usual, ...photo })));
		const options = { maxBuffer: 50_000_000 };
		const { stdout } = await promisify(execFile)(
			process.execPath,
			[script, file, settings],
			options,
		);
		return JSON.parse(stdout) as PaperPage[];
	} finally {
		rmSync(folder, { recursive: true });
	}
}
