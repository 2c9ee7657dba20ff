import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { canonicalJson } from '../base/canonical-json';
import { readUntrustedJson } from '../base/untrusted-json';
import type { StoredAnswer } from '../facade/gateway-facade';
import { ownText, type Json } from '../model/json';
import { jsonAnswer } from './route-answer';
import type { AnyCall, Route } from './routes/route';
import { invalidPart } from './server-errors';

/** Headers of an answer that a repetition has again. */
const keptHeaders = ['content-type', 'content-disposition'];

export interface RepeatableRequest {
	readonly route: Route;
	readonly call: AnyCall;
	/** method, path with query, and type of the answer */
	readonly request: readonly string[];
	readonly incoming: IncomingMessage;
	/** name of the header with the API key, in lower case */
	readonly keyHeader: string;
}

/**
 * Answers a call. A call that creates something and has the header Idempotency-Key runs once: its
 * repetitions get the same answer (docs/adr/0049).
 *
 * @throws `error.gateway.idempotency.keyReused`, `error.gateway.idempotency.inProgress`
 */
export async function answerOnce(
	{ route, call, request, incoming, keyHeader }: RepeatableRequest,
	answer: (call: AnyCall) => Promise<Response>,
): Promise<Response> {
	const key = keyOf(incoming);
	const isCreating = route.method === 'POST' && route.status === 201;
	if (!isCreating || key === undefined) return await answer(call);
	const { facade, options } = call;
	const body = await fingerprintOf(call.body);
	const work = {
		run: async (idempotencyKey: string) =>
			await stored(await answer({ ...call, options: { ...options, idempotencyKey } })),
		repeat: async (created: ReadonlyArray<{ collection: string; id: string }>) => {
			const { repeated } = route;
			// A picture shows a token that only its call knows.
			if (request.at(-1) === 'image/png') return undefined;
			const record = created.find(({ collection }) => collection === repeated?.collection);
			if (repeated === undefined || record === undefined) return undefined;
			const result = await repeated.answer(call, record.id);
			return await stored(jsonAnswer({ result }, route.status));
		},
	};
	const caller = callerOf(incoming, keyHeader);
	const text = JSON.stringify([...request, body]);
	const once = await facade.idempotency.once({ caller, key, request: text }, work, options);
	return restored(once.answer, once.isRepeated);
}

/** Key of a client, with or without the quotes that structured headers have. */
function keyOf({ headers }: IncomingMessage): string | undefined {
	const given = headers['idempotency-key'];
	if (given === undefined) return undefined;
	const text = String(given).trim();
	const key = /^".*"$/.test(text) ? text.slice(1, -1) : text;
	if (/^[\x21\x23-\x5b\x5d-\x7e]{1,255}$/.test(key)) return key;
	const rule = 'must have 1 to 255 visible characters without quotes';
	throw invalidPart('invalidInput', 'Idempotency-Key', `Idempotency-Key ${rule}`);
}

/**
 * Identity of the client that was authenticated before: its API key, or issuer and subject of its
 * token, which another token of the same client also has.
 */
function callerOf({ headers }: IncomingMessage, keyHeader: string): string {
	const apiKey = headers[keyHeader];
	if (apiKey !== undefined && apiKey !== '') return `key:${digest(String(apiKey))}`;
	const { authorization } = headers;
	if (authorization === undefined) return 'anyone';
	const payload = authorization.split('.')[1] ?? '';
	const claims = readUntrustedJson(Buffer.from(payload, 'base64url').toString('utf8'));
	const subject = ownText(claims, 'sub') ?? ownText(claims, 'client_id') ?? ownText(claims, 'azp');
	if (subject === undefined) return `token:${digest(authorization)}`;
	return `subject:${JSON.stringify([ownText(claims, 'iss'), subject])}`;
}

/** Equal texts for equal bodies; a file counts with its content. */
async function fingerprintOf(body: Json): Promise<string> {
	const members: Record<string, unknown> = { ...Object(body) };
	for (const [name, value] of Object.entries(members)) {
		if (!(value instanceof File)) continue;
		const content = digest(new Uint8Array(await value.arrayBuffer()));
		members[name] = { name: value.name, type: value.type, content };
	}
	const plain: Parameters<typeof canonicalJson>[0] = JSON.parse(JSON.stringify(members));
	return digest(canonicalJson(plain));
}

const digest = (value: string | Uint8Array): string =>
	createHash('sha256').update(value).digest('base64url');

async function stored(answer: Response): Promise<StoredAnswer> {
	const headers = keptHeaders.flatMap((name) => {
		const value = answer.headers.get(name);
		return value === null ? [] : [[name, value]];
	});
	const body = Buffer.from(await answer.arrayBuffer()).toString('base64');
	return { status: answer.status, headers: Object.fromEntries(headers), body };
}

function restored({ status, headers, body }: StoredAnswer, isRepeated: boolean): Response {
	const bytes = Buffer.from(body, 'base64');
	return new Response(new Uint8Array(bytes), {
		status,
		headers: {
			...headers,
			'content-length': String(bytes.length),
			...(isRepeated ? { 'idempotency-replayed': 'true' } : {}),
		},
	});
}
