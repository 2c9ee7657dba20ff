import type { IncomingMessage, ServerResponse } from 'node:http';

import { WalletError } from './wallet-error';

interface Schema<Output> {
	safeParse(value: unknown): { readonly success: boolean; readonly data?: Output | undefined };
}

const usualMaxBytes = 100_000;

/** Reads and checks the body of a call. */
export async function readBody<Output>(
	request: IncomingMessage,
	schema: Schema<Output>,
	maxBytes = usualMaxBytes,
): Promise<Output> {
	// Forms and foreign pages cannot send this type without a preflight, which fails.
	if (request.headers['content-type'] !== 'application/json') {
		throw new WalletError(415, 'The wallet takes JSON only.');
	}
	const { success, data } = schema.safeParse(await readJson(request, maxBytes));
	if (success && data !== undefined) return data;
	throw new WalletError(400, 'Something is missing or too long.');
}

async function readJson(request: IncomingMessage, maxBytes: number): Promise<unknown> {
	const chunks: Buffer[] = [];
	let size = 0;
	for await (const chunk of request as AsyncIterable<Buffer>) {
		size += chunk.length;
		if (size > maxBytes) throw new WalletError(413, 'This is too large for the wallet.');
		chunks.push(chunk);
	}
	try {
		return JSON.parse(Buffer.concat(chunks).toString());
	} catch {
		throw new WalletError(400, 'The wallet takes JSON only.');
	}
}

export function sendJson(response: ServerResponse, body: unknown, status = 200): void {
	response.writeHead(status, { 'content-type': 'application/json' });
	response.end(JSON.stringify(body));
}
