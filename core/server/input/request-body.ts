import type { IncomingMessage } from 'node:http';
import { promisify } from 'node:util';
import { brotliDecompress, gunzip, inflate } from 'node:zlib';
import { JsonRefusal, parseUntrustedJson } from '../../base/untrusted-json';
import type { Json } from '../../model/json';
import { readPairs } from './query-string';
import { invalidPart, serverErrors } from '../server-errors';
import { errorCodeOf } from '../../base/members';

const maxJsonBytes = 2 * 1024 * 1024;
/** More values than this, each as small as can be, would take megabytes out of kilobytes. */
const jsonRules = {
	maxDepth: 64,
	maxValues: 100_000,
	refusesPrototypes: true,
	refusesLossyValues: true,
};
const maxFormBytes = 100 * 1024;
/** Size of the largest file that the Backbone takes, plus the multipart overhead. */
const maxUploadBytes = 10 * 1024 * 1024 + 256 * 1024;

const unpack = {
	gzip: promisify(gunzip),
	deflate: promisify(inflate),
	br: promisify(brotliDecompress),
} as const;

/**
 * Parses a JSON or form body as an object. A missing body is an empty object, because official
 * clients send none in several ways (docs/protocol/http-api.md 2.5, 20).
 *
 * @throws `error.connector.validation.invalidJsonInPayload`, `error.gateway.http.bodyTooLarge`,
 * `error.gateway.http.unsupportedBody`, `error.gateway.http.malformedRequest`
 */
export async function readBody(request: IncomingMessage): Promise<Json> {
	const type = mediaType(request);
	if (type === 'application/json') {
		return parseJsonBody(textOf(request, await readBytes(request, maxJsonBytes)));
	}
	if (type === 'application/x-www-form-urlencoded') {
		return readPairs(textOf(request, await readBytes(request, maxFormBytes)), 'body');
	}
	if ((await readBytes(request, maxFormBytes)).length === 0) return {};
	const message = 'The content type of the request body is not supported.';
	throw invalidPart('unsupportedBody', 'content-type', message);
}

export function isMultipart(request: IncomingMessage): boolean {
	return mediaType(request) === 'multipart/form-data';
}

/**
 * @throws `error.gateway.http.bodyTooLarge`, `error.gateway.http.malformedRequest`,
 * `error.gateway.http.unsupportedBody`
 */
export async function readMultipart(request: IncomingMessage): Promise<FormData> {
	const bytes = await readBytes(request, maxUploadBytes);
	const headers = { 'content-type': request.headers['content-type'] ?? '' };
	try {
		return await new Response(bytes, { headers }).formData();
	} catch (cause) {
		const message = 'The body of the request is not a multipart form.';
		throw invalidPart('malformedRequest', 'body', message, cause);
	}
}

function mediaType({ headers }: IncomingMessage): string {
	return (headers['content-type'] ?? '').split(';')[0]?.trim().toLowerCase() ?? '';
}

function textOf({ headers }: IncomingMessage, bytes: Uint8Array): string {
	const charset = /charset\s*=\s*"?([\w-]+)/i.exec(headers['content-type'] ?? '')?.[1];
	if (charset !== undefined && !/^(utf-?8|us-ascii)$/i.test(charset)) {
		throw invalidJson(`the character set '${charset.slice(0, 20)}' is not supported`);
	}
	try {
		return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
	} catch (cause) {
		throw invalidJson('it is not UTF-8', cause);
	}
}

/**
 * Reads a body and stops as soon as it exceeds the limit. Reads it from Node's own request: a web
 * stream around it would cost more than the rest of a small call.
 */
async function readBytes(
	request: IncomingMessage,
	maxBytes: number,
): Promise<Uint8Array<ArrayBuffer>> {
	const declared = Number(request.headers['content-length'] ?? 0);
	if (declared > maxBytes) throw tooLarge(maxBytes);
	const chunks: Uint8Array[] = [];
	let length = 0;
	// The connection stays open after too large a body, so that its answer can be sent.
	for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
		length += chunk.length;
		if (length > maxBytes) throw tooLarge(maxBytes);
		chunks.push(chunk);
	}
	return await unpacked(Buffer.concat(chunks), request.headers['content-encoding'], maxBytes);
}

async function unpacked(
	bytes: Buffer<ArrayBuffer>,
	encoding: string | undefined,
	maxBytes: number,
): Promise<Uint8Array<ArrayBuffer>> {
	const name = encoding?.trim().toLowerCase() ?? 'identity';
	if (name === 'identity' || name === '' || bytes.length === 0) return bytes;
	if (name !== 'gzip' && name !== 'deflate' && name !== 'br') {
		const message = 'The content encoding of the request body is not supported.';
		throw invalidPart('unsupportedBody', 'content-encoding', message);
	}
	try {
		return await unpack[name](bytes, { maxOutputLength: maxBytes });
	} catch (cause) {
		if (errorCodeOf(cause) === 'ERR_BUFFER_TOO_LARGE') throw tooLarge(maxBytes);
		const message = `The body of the request is not valid ${name} data.`;
		throw invalidPart('malformedRequest', 'body', message, cause);
	}
}

function parseJsonBody(text: string): Json {
	if (text.trim() === '') return {};
	let value: Json;
	try {
		value = parseUntrustedJson(text, jsonRules);
	} catch (cause) {
		if (cause instanceof JsonRefusal) throw invalidJson(cause.message);
		throw invalidJson('it is not JSON', cause);
	}
	if (typeof value !== 'object' || value === null) throw invalidJson('it is not an object');
	return value;
}

const invalidJson = (reason: string, cause?: unknown): Error =>
	invalidPart('invalidJson', 'body', `The body of the request cannot be used: ${reason}.`, cause);

function tooLarge(maxBytes: number): Error {
	return serverErrors.create('bodyTooLarge', {
		message: `The body of the request is larger than ${maxBytes} bytes.`,
		facts: { field: 'body', maxBytes },
	});
}
