import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { FaultAction } from '../faults';
import { withServerTimes } from '../times';
import { BackboneError, unexpected, Unauthorized } from './backbone-error';
import type { Answer } from './context';

const json = 'application/json';

export function raw(status: number, body: string, type = 'text/plain'): Answer {
	return { status, raw: body, headers: { 'content-type': type } };
}

export const unsupportedType = raw(
	415,
	JSON.stringify({ title: 'Unsupported Media Type', status: 415 }),
	'application/problem+json',
);

/**
 * Converts an error to an answer: 401 has no body; an unexpected error is written to the terminal
 * and hidden from the client.
 */
export function failure(error: unknown): Answer {
	if (error instanceof Unauthorized) {
		return { status: 401, raw: '', headers: { 'www-authenticate': 'Bearer' } };
	}
	if (error instanceof BackboneError) return raw(error.status, JSON.stringify(error), json);
	process.stderr.write(`sandbox: ${String(error)}\n`);
	return raw(500, JSON.stringify(unexpected()), json);
}

/** Answer of a fault that replaces the normal handling. */
export function statusAnswer(fault: Extract<FaultAction, { kind: 'status' }>): Answer {
	const body = fault.body === undefined ? '' : JSON.stringify(fault.body);
	return { status: fault.status, raw: body, headers: { 'content-type': json, ...fault.headers } };
}

/** Applies a fault to an answer. */
export function distorted(
	answer: Answer,
	fault: FaultAction | undefined,
	majorVersion: 6 | 7,
): Answer {
	if (fault?.kind === 'malformedBody') return raw(answer.status, '<html>not JSON', 'text/html');
	if (fault?.kind === 'statusAfter') {
		return raw(fault.status, '<html>The proxy has no usable answer.</html>', 'text/html');
	}
	if (fault?.kind === 'rewritten' && 'result' in answer) {
		const body = fault.rewrite(JSON.parse(envelope(answer, majorVersion)) as never);
		return raw(answer.status, JSON.stringify(body), json);
	}
	if (fault?.kind !== 'oversizedPage') return answer;
	return { status: 200, result: Array.from({ length: fault.items }, () => ({})) };
}

/** Headers of every answer (docs/protocol/backbone-api.md 2.3). */
export function standardHeaders(
	{ headers }: IncomingMessage,
	startedAtMs: number,
	nowMs: number,
): Record<string, string | number> {
	const traceId = randomUUID();
	const requestTime = new Date(startedAtMs).toISOString();
	return {
		// Clients notice a wrong clock by this header.
		date: httpDate(nowMs),
		'x-request-time': requestTime,
		'x-response-time': nowMs === startedAtMs ? requestTime : new Date(nowMs).toISOString(),
		'x-response-duration-ms': Math.max(0, nowMs - startedAtMs),
		'x-trace-id': traceId,
		'x-correlation-id': echoed(headers['x-correlation-id']) ?? randomUUID().replaceAll('-', ''),
	};
}

function echoed(correlationId: string | string[] | undefined): string | undefined {
	if (correlationId === undefined) return undefined;
	const plain = String(correlationId)
		.replace(/[^ -~]/g, '')
		.trim();
	return plain === '' ? undefined : plain.slice(0, 100);
}

const lastDate = { second: NaN, text: '' };

function httpDate(nowMs: number): string {
	const second = Math.floor(nowMs / 1_000);
	if (lastDate.second !== second) {
		lastDate.second = second;
		lastDate.text = new Date(nowMs).toUTCString();
	}
	return lastDate.text;
}

export function send(
	response: ServerResponse,
	answer: Answer,
	headers: Record<string, string | number>,
	fault: FaultAction | undefined,
	majorVersion: 6 | 7,
): void {
	if (!('raw' in answer) && !('result' in answer)) {
		response.writeHead(answer.status, headers).end();
		return;
	}
	const body = 'raw' in answer ? answer.raw : envelope(answer, majorVersion);
	const own = 'raw' in answer ? answer.headers : { 'content-type': json };
	const length = Buffer.byteLength(body);
	response.writeHead(answer.status, { ...headers, ...own, 'content-length': length });
	if (fault?.kind !== 'truncatedBody') response.end(body);
	else response.write(Buffer.from(body).subarray(0, length / 2), () => response.destroy());
}

function envelope(
	{ status, result, pagination }: Extract<Answer, { result: unknown }>,
	majorVersion: 6 | 7,
): string {
	const body = JSON.stringify(pagination === undefined ? { result } : { result, pagination });
	return withServerTimes(body, { isNew: status === 201, majorVersion });
}
