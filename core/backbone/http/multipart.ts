import { randomBytes } from 'node:crypto';

/** Form with a file, as pieces that are sent in order, so that the file is never copied. */
export interface MultipartForm {
	readonly contentType: string;
	readonly contentLength: number;
	readonly pieces: readonly Uint8Array[];
}

export interface FilePart {
	readonly name: string;
	readonly filename: string;
	readonly contentType: string;
	readonly content: Uint8Array;
}

/**
 * @param texts names and values without quotes and line breaks: ids, dates, base64 and addresses
 * @throws TypeError for names and values that contain them
 */
export function multipartForm(
	file: FilePart,
	texts: ReadonlyArray<readonly [string, string]>,
): MultipartForm {
	const boundary = `----form-${randomBytes(18).toString('hex')}`;
	const head =
		`--${boundary}\r\nContent-Disposition: form-data; name="${plain(file.name)}"; ` +
		`filename="${plain(file.filename)}"\r\nContent-Type: ${plain(file.contentType)}\r\n\r\n`;
	const tail = texts.map(
		([name, value]) =>
			`\r\n--${boundary}\r\nContent-Disposition: form-data; name="${plain(name)}"\r\n\r\n` +
			plain(value),
	);
	const pieces = [
		Buffer.from(head),
		file.content,
		Buffer.from(`${tail.join('')}\r\n--${boundary}--\r\n`),
	];
	return {
		contentType: `multipart/form-data; boundary=${boundary}`,
		contentLength: pieces.reduce((sum, piece) => sum + piece.byteLength, 0),
		pieces,
	};
}

function plain(text: string): string {
	if (/^[ -~]*$/.test(text) && !text.includes('"')) return text;
	throw new TypeError('A part of a form has characters that would end it');
}
