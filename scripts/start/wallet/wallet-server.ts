import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { join } from 'node:path';
import { z } from 'zod';

import { parseReference, writeTruncatedReference } from '../../../core/model/reference';
import { PeerError, type Peer } from '../../../test/support/peer/peer';
import { decisionItems, requestItems, type FieldAnswer } from './request-form';
import { readWalletState } from './wallet-state';

const maxBodyBytes = 100_000;

const loadSchema = z.object({ reference: z.string().trim().min(1) });
const decisionSchema = z.object({
	requestId: z.string(),
	answers: z.record(
		z.string(),
		z.object({ accept: z.boolean(), value: z.string().trim().optional() }),
	),
});
const mailSchema = z.object({
	to: z.string(),
	subject: z.string().min(1),
	body: z.string().min(1),
});

/** Error that the person at the page can correct. */
class BadInput extends Error {}

type Action = (peer: Peer, input: unknown) => Promise<void>;

const actions: Readonly<Record<string, Action>> = {
	'/api/load': async (peer, input) => {
		const { reference } = loadSchema.parse(input);
		await peer.loadTemplate(truncated(reference));
	},
	'/api/accept': async (peer, input) => {
		const { requestId, answers } = decisionSchema.parse(input);
		const items = requestItems(await findRequest(peer, requestId));
		const answerAt = (path: readonly number[]): FieldAnswer => {
			const { accept, value } = answers[path.join('.')] ?? { accept: false };
			return { accept, ...(value === undefined ? {} : { value }) };
		};
		await peer.acceptRequest(requestId, decisionItems(items, answerAt, peer.address));
	},
	'/api/reject': async (peer, input) => {
		const { requestId } = decisionSchema.pick({ requestId: true }).parse(input);
		const items = requestItems(await findRequest(peer, requestId));
		await peer.rejectRequest(
			requestId,
			decisionItems(items, () => ({ accept: false }), ''),
		);
	},
	'/api/mail': async (peer, input) => {
		const { to, subject, body } = mailSchema.parse(input);
		await peer.sendMail(to, subject, body);
	},
};

/** Serves the page and its calls, on this machine only. */
export function createWalletServer(peer: Peer): Server {
	return createServer((request, response) => {
		answer(peer, request, response).catch((error: unknown) => refuse(response, error));
	});
}

async function answer(
	peer: Peer,
	request: IncomingMessage,
	response: ServerResponse,
): Promise<void> {
	// Refuses foreign host names, under which other pages in the browser could reach the wallet.
	if (!/^(127\.0\.0\.1|localhost)(:\d+)?$/.test(request.headers.host ?? '')) {
		response.writeHead(403).end('Open this page as 127.0.0.1');
		return;
	}
	const path = request.url ?? '/';
	if (request.method === 'GET' && path === '/') {
		response.setHeader('content-type', 'text/html; charset=utf-8');
		response.end(readFileSync(join(__dirname, 'page.html')));
		return;
	}
	if (request.method === 'GET' && path === '/api/state') {
		sendJson(response, 200, await readWalletState(peer));
		return;
	}
	const action = request.method === 'POST' ? actions[path] : undefined;
	if (action === undefined) {
		response.writeHead(404).end();
		return;
	}
	// Requires a type that a foreign page cannot send without a preflight.
	if (request.headers['content-type'] !== 'application/json') {
		response.writeHead(415).end();
		return;
	}
	await action(peer, await readJson(request));
	sendJson(response, 200, {});
}

async function findRequest(peer: Peer, id: string) {
	const [request] = await peer.incomingRequests({ id });
	if (request === undefined) throw new BadInput('This request does not exist any more.');
	return request;
}

/** Converts a link or the text of a QR code to the truncated reference, which the runtime expects. */
function truncated(text: string): string {
	try {
		return writeTruncatedReference(parseReference(text));
	} catch {
		throw new BadInput('This is not a complete reference. Copy it from the workflow again.');
	}
}

async function readJson(request: IncomingMessage): Promise<unknown> {
	const chunks: Buffer[] = [];
	let size = 0;
	for await (const chunk of request as AsyncIterable<Buffer>) {
		size += chunk.length;
		if (size > maxBodyBytes) throw new BadInput('The text is too long.');
		chunks.push(chunk);
	}
	return JSON.parse(Buffer.concat(chunks).toString());
}

function refuse(response: ServerResponse, error: unknown): void {
	const isExpected =
		error instanceof PeerError || error instanceof BadInput || error instanceof z.ZodError;
	const message = error instanceof z.ZodError ? 'Something is missing.' : messageOf(error);
	if (!response.headersSent) sendJson(response, isExpected ? 400 : 500, { message });
	else response.destroy();
}

function messageOf(error: unknown): string {
	return error instanceof Error ? error.message : String(error);
}

function sendJson(response: ServerResponse, status: number, body: object): void {
	response.writeHead(status, { 'content-type': 'application/json' });
	response.end(JSON.stringify(body));
}
