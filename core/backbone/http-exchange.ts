import type { Dispatcher } from 'undici';
import { isGatewayError, type GatewayError } from '../base/errors';
import type { Clock } from '../base/clock';
import { backboneErrors } from './backbone-errors';
import type { ClockSkew } from './clock-skew';
import type { HttpAgent } from './http-agent';
import { describeNetworkFailure, type NetworkFailure } from './network-failure';

/** What we read of an error answer; its text is cut to some hundred characters anyway. */
const maxErrorBodyBytes = 256 * 1024;

/** answers from this size on are read in place */
const largeBytes = 256 * 1024;

export interface HttpRequest {
	readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
	/** absolute path below the base address, with query */
	readonly target: string;
	readonly headers: Readonly<Record<string, string>>;
	/** pieces are sent one after the other; their headers say how long they are together */
	readonly body?: string | readonly Uint8Array[] | undefined;
	readonly maxAnswerBytes: number;
}

export interface HttpAnswer {
	readonly status: number;
	readonly header: (name: string) => string | undefined;
	readonly body: Buffer;
}

export interface HttpStream {
	readonly status: number;
	readonly header: (name: string) => string | undefined;
	readonly body: Dispatcher.ResponseData['body'];
}

/** A failure below HTTP, with what the retry decision needs. */
export class ExchangeFailure extends Error {
	constructor(readonly failure: NetworkFailure) {
		super(failure.error.message, { cause: failure.error });
		this.name = 'ExchangeFailure';
	}
}

type Headers = Dispatcher.ResponseData['headers'];

const headerReader =
	(headers: Headers) =>
	(name: string): string | undefined => {
		const value = headers[name];
		return Array.isArray(value) ? value[0] : value;
	};

/** The path of a target without its query: passwords travel there. */
export function pathOf(target: string): string {
	const question = target.indexOf('?');
	return question < 0 ? target : target.slice(0, question);
}

/** One request and its answer: bounded, without retries, redirects refused. */
export class HttpExchange {
	private readonly origin: string;

	private readonly basePath: string;

	readonly host: string;

	constructor(
		baseUrl: string,
		private readonly agent: Pick<HttpAgent, 'request'>,
		private readonly clock: Clock,
		private readonly skew: ClockSkew,
	) {
		const url = new URL(baseUrl);
		this.origin = url.origin;
		this.host = url.host;
		this.basePath = url.pathname === '/' ? '' : url.pathname;
	}

	/**
	 * @throws the signal's reason, `ExchangeFailure`, or a `GatewayError` for an answer that is
	 * too large or a redirect
	 */
	async run(request: HttpRequest, signal: AbortSignal): Promise<HttpAnswer> {
		const stream = await this.open(request, signal);
		try {
			const body = await readBounded(stream, request);
			return { status: stream.status, header: stream.header, body };
		} catch (error) {
			throw this.failureOf(error, request, signal);
		}
	}

	/** Resolves at the headers; the caller reads or destroys the body. */
	async open(request: HttpRequest, signal: AbortSignal): Promise<HttpStream> {
		signal.throwIfAborted();
		const sentAtMs = this.clock.now();
		try {
			const answer = await this.agent.request({
				origin: this.origin,
				path: this.basePath + request.target,
				method: request.method,
				headers: { 'user-agent': 'n8n-nodes-enmeshed', ...request.headers },
				// Any iterable is taken, and an array can be sent again; the type does not say so.
				body: (request.body ?? null) as string | null,
				signal,
				// The caller's signal carries the deadline.
				headersTimeout: 0,
				bodyTimeout: 0,
			});
			const header = headerReader(answer.headers);
			this.skew.record(header('date'), sentAtMs);
			const isKnown = answer.statusCode === 304 && request.headers['if-none-match'] !== undefined;
			if (answer.statusCode >= 300 && answer.statusCode < 400 && !isKnown) {
				discard(answer.body);
				throw this.redirected(request, answer.statusCode, header('location'));
			}
			return { status: answer.statusCode, header, body: answer.body };
		} catch (error) {
			throw this.failureOf(error, request, signal);
		}
	}

	/** Translates what a read of the stream threw; also used for streams that stay open. */
	failureOf(error: unknown, request: HttpRequest, signal: AbortSignal): unknown {
		if (signal.aborted) return signal.reason;
		if (isGatewayError(error) || error instanceof ExchangeFailure) return error;
		const context = { method: request.method, path: pathOf(request.target), host: this.host };
		return new ExchangeFailure(describeNetworkFailure(error, context));
	}

	private redirected(
		request: HttpRequest,
		status: number,
		location: string | undefined,
	): GatewayError {
		const target = location === undefined ? undefined : this.placeOf(location);
		return backboneErrors.create('redirected', {
			message:
				`The Backbone at ${this.host} did not answer itself but pointed ` +
				`to ${target ?? 'another place'} (${status}). Redirects are not followed.`,
			facts: {
				status,
				method: request.method,
				path: pathOf(request.target),
				...(target === undefined ? {} : { location: target }),
			},
		});
	}

	private placeOf(location: string): string | undefined {
		try {
			const url = new URL(location, this.origin);
			return (url.origin + url.pathname).slice(0, 200);
		} catch {
			return undefined;
		}
	}
}

/** Lets go of a body that nobody reads; its late errors are nobody's. */
export function discard(body: Dispatcher.ResponseData['body']): void {
	body.on('error', () => undefined);
	body.destroy();
}

/** Files have megabytes: their pieces go to their place at once, instead of being kept and joined. */
async function readAnnounced(stream: HttpStream, announced: number): Promise<Buffer> {
	if (announced < largeBytes) return Buffer.from(await stream.body.arrayBuffer());
	const body = Buffer.allocUnsafeSlow(announced);
	let length = 0;
	for await (const chunk of stream.body as AsyncIterable<Buffer>) {
		length += chunk.copy(body, length);
	}
	return body.subarray(0, length);
}

async function readBounded(stream: HttpStream, request: HttpRequest): Promise<Buffer> {
	const isError = stream.status >= 400;
	const maxBytes = isError ? maxErrorBodyBytes : request.maxAnswerBytes;
	const announced = Number(stream.header('content-length') ?? Number.NaN);
	// The parser holds the server to what it announced.
	if (announced <= maxBytes) return await readAnnounced(stream, announced);
	const chunks: Buffer[] = [];
	let length = 0;
	if (Number.isNaN(announced)) {
		for await (const chunk of stream.body as AsyncIterable<Buffer>) {
			length += chunk.length;
			if (length > maxBytes) break;
			chunks.push(chunk);
		}
		if (length <= maxBytes) return Buffer.concat(chunks, length);
	}
	discard(stream.body);
	// An error stays that error, whatever it says at length.
	if (isError) return Buffer.alloc(0);
	throw backboneErrors.create('answerTooLarge', {
		message: `The Backbone's answer to ${request.method} ${pathOf(request.target)} is larger than ${maxBytes} bytes.`,
		facts: { method: request.method, path: pathOf(request.target), maxBytes },
	});
}
