import { promisify } from 'node:util';
import { brotliDecompress, gunzip, inflate } from 'node:zlib';
import type { Json } from '../model/json';
import { excessOf } from './json-bounds';
import { readPairs } from './query-string';
import { serverErrors } from './server-errors';

const maxJsonBytes = 2 * 1024 * 1024;
const maxFormBytes = 100 * 1024;
/** One file of the largest size that the Backbone takes, and what stands around it. */
const maxUploadBytes = 10 * 1024 * 1024 + 256 * 1024;

const unpack = {
	gzip: promisify(gunzip),
	deflate: promisify(inflate),
	br: promisify(brotliDecompress),
} as const;

/**
 * The body of a request as an object: JSON or form fields. No body is an empty object, because the
 * official clients send none in several ways (docs/protocol/http-api.md 2.5, 20).
 *
 * @throws `error.connector.validation.invalidJsonInPayload`, `error.gateway.http.bodyTooLarge`,
 * `error.gateway.http.unsupportedBody`, `error.gateway.http.malformedRequest`
 */
export async function readBody(request: Request): Promise<Json> {
	const type = mediaType(request);
	if (type === 'application/json') {
		const bytes = await readBytes(request, maxJsonBytes);
		const excess = excessOf(bytes);
		if (excess !== undefined) throw invalidJson(excess);
		return parseJsonBody(textOf(request, bytes));
	}
	if (type === 'application/x-www-form-urlencoded') {
		return readPairs(textOf(request, await readBytes(request, maxFormBytes)), 'body') as Json;
	}
	if ((await readBytes(request, maxFormBytes)).length === 0) return {};
	throw serverErrors.create('unsupportedBody', {
		message: 'The body of the request has a content type that is not understood here.',
		facts: { field: 'content-type' },
	});
}

export function isMultipart(request: Request): boolean {
	return mediaType(request) === 'multipart/form-data';
}

/**
 * @throws `error.gateway.http.bodyTooLarge`, `error.gateway.http.malformedRequest`,
 * `error.gateway.http.unsupportedBody`
 */
export async function readMultipart(request: Request): Promise<FormData> {
	const bytes = await readBytes(request, maxUploadBytes);
	const headers = { 'content-type': request.headers.get('content-type') ?? '' };
	try {
		return await new Response(bytes, { headers }).formData();
	} catch (cause) {
		throw serverErrors.create('malformedRequest', {
			message: 'The body of the request is no multipart form.',
			facts: { field: 'body' },
			cause,
		});
	}
}

function mediaType(request: Request): string {
	return (request.headers.get('content-type') ?? '').split(';')[0]?.trim().toLowerCase() ?? '';
}

function textOf(request: Request, bytes: Uint8Array): string {
	const charset = /charset\s*=\s*"?([\w-]+)/i.exec(request.headers.get('content-type') ?? '')?.[1];
	if (charset !== undefined && !/^(utf-?8|us-ascii)$/i.test(charset)) {
		throw invalidJson(`the character set '${charset.slice(0, 20)}' is not supported`);
	}
	try {
		return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
	} catch (cause) {
		throw invalidJson('it is not UTF-8', cause);
	}
}

/** Stops reading as soon as it is too much. */
async function readBytes(request: Request, maxBytes: number): Promise<Uint8Array<ArrayBuffer>> {
	const announced = Number(request.headers.get('content-length') ?? 0);
	if (announced > maxBytes) throw tooLarge(maxBytes);
	const chunks: Uint8Array[] = [];
	let length = 0;
	for await (const chunk of request.body ?? []) {
		length += chunk.length;
		if (length > maxBytes) throw tooLarge(maxBytes);
		chunks.push(chunk);
	}
	return await unpacked(Buffer.concat(chunks), request.headers.get('content-encoding'), maxBytes);
}

async function unpacked(
	bytes: Buffer<ArrayBuffer>,
	encoding: string | null,
	maxBytes: number,
): Promise<Uint8Array<ArrayBuffer>> {
	const name = encoding?.trim().toLowerCase() ?? 'identity';
	if (name === 'identity' || name === '' || bytes.length === 0) return bytes;
	if (name !== 'gzip' && name !== 'deflate' && name !== 'br') {
		throw serverErrors.create('unsupportedBody', {
			message: 'The body of the request is encoded in a way that is not understood here.',
			facts: { field: 'content-encoding' },
		});
	}
	try {
		return await unpack[name](bytes, { maxOutputLength: maxBytes });
	} catch (cause) {
		if ((cause as { code?: unknown }).code === 'ERR_BUFFER_TOO_LARGE') throw tooLarge(maxBytes);
		throw serverErrors.create('malformedRequest', {
			message: `The body of the request is not what its encoding ${name} says.`,
			facts: { field: 'body' },
			cause,
		});
	}
}

function parseJsonBody(text: string): Json {
	if (text.trim() === '') return {};
	let value: Json;
	try {
		value = JSON.parse(text) as Json;
	} catch (cause) {
		throw invalidJson('it is not JSON', cause);
	}
	if (typeof value !== 'object' || value === null) throw invalidJson('it is not an object');
	requireHarmless(value);
	return value;
}

/** Members named `__proto__` never reach the code behind; they can be written with escapes. */
function requireHarmless(root: Json): void {
	const waiting: Json[] = [root];
	for (let value = waiting.pop(); value !== undefined; value = waiting.pop()) {
		if (value === null || typeof value !== 'object') continue;
		if (!Array.isArray(value) && Object.hasOwn(value, '__proto__')) {
			throw invalidJson("it has a member named '__proto__'");
		}
		for (const member of Object.values(value)) if (typeof member === 'object') waiting.push(member);
	}
}

function invalidJson(reason: string, cause?: unknown): Error {
	return serverErrors.create('invalidJson', {
		message: `The body of the request cannot be used: ${reason}.`,
		facts: { field: 'body' },
		cause,
	});
}

function tooLarge(maxBytes: number): Error {
	return serverErrors.create('bodyTooLarge', {
		message: `The body of the request is larger than ${maxBytes} bytes.`,
		facts: { field: 'body', maxBytes },
	});
}
