import { hash } from 'node:crypto';
import type { DownloadedFile } from '../model/record/file';
import type { Picture } from './routes/route';

const mediaType = /^[\w.+-]{1,100}\/[\w.+-]{1,100}(\s*;\s*[\w.-]{1,50}=[\w.-]{1,100}){0,3}$/;

/** characters up to which the entity tag is computed at once */
const maxTaggedAtOnce = 64 * 1024;

interface JsonAnswerOptions {
	/**
	 * adds the entity tag already here; the middleware for tags would have to read the answer as a
	 * stream, which takes a millisecond
	 */
	readonly isTagged?: boolean;
}

export function jsonAnswer(
	body: unknown,
	status: number,
	{ isTagged = false }: JsonAnswerOptions = {},
): Response {
	const text = JSON.stringify(body);
	const hasTag = isTagged && text.length <= maxTaggedAtOnce;
	return new Response(text, {
		status,
		headers: {
			'content-type': 'application/json; charset=utf-8',
			vary: 'Accept-Encoding',
			// A known length disables compression, which takes longer than sending a small answer.
			'content-length': String(Buffer.byteLength(text)),
			...(hasTag ? { etag: `W/"${hash('sha1', text, 'base64url')}"` } : {}),
		},
	});
}

/**
 * Answers with a file. Its type is set by its owner and may be anything (docs/protocol/http-api.md
 * 9.3).
 */
export function fileAnswer({ content, filename, mimetype }: DownloadedFile): Response {
	return new Response(unshared(content), {
		headers: {
			'content-type': mediaType.test(mimetype) ? mimetype : 'application/octet-stream',
			'content-disposition': attachment(filename),
		},
	});
}

/** Answers with a PNG (docs/protocol/http-api.md 9.2). */
export function pictureAnswer({ png, id }: Picture, status: number): Response {
	return new Response(unshared(png), {
		status,
		headers: { 'content-type': 'image/png', 'content-disposition': attachment(`${id}.png`) },
	});
}

/** The same bytes in memory that no other thread can change, which answers demand. */
function unshared(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
	const { buffer, byteOffset, byteLength } = bytes;
	if (!(buffer instanceof ArrayBuffer)) return Uint8Array.from(bytes);
	return new Uint8Array(buffer, byteOffset, byteLength);
}

const attachment = (filename: string): string =>
	`attachment;filename=${encodeURIComponent(filename.toWellFormed())}`;
