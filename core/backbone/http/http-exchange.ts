import type { Dispatcher } from 'undici';
import { isGatewayError, type GatewayError } from '../../base/errors';
import type { Clock } from '../../base/clock';
import { noInstruments, type Instruments } from '../../base/observation/instruments';
import { backboneErrors } from '../backbone-errors';
import type { ClockSkew } from './clock-skew';
import { collectAnswer } from './collected-answer';
import { judgeExchange, resourceOf } from './exchange-result';
import type { HttpAgent } from './http-agent';
import {
	asUnsent,
	describeNetworkFailure,
	withFacts,
	type NetworkFailure,
} from './network-failure';

/** Limit for reading an error answer, whose text is cut to a few hundred characters anyway. */
const maxErrorBodyBytes = 256 * 1024;

export interface HttpRequest {
	readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
	/** absolute path below the base address, with query */
	readonly target: string;
	readonly headers: Readonly<Record<string, string>>;
	/** pieces are sent in order; the headers declare their total length */
	readonly body?: string | readonly Uint8Array[] | undefined;
	readonly maxAnswerBytes: number;
	/** milliseconds since the epoch */
	readonly sendBefore?: number | undefined;
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

/** Failure below HTTP, with the details that the retry decision needs. */
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

/** Returns the path without the query, which may contain passwords. */
export function pathOf(target: string): string {
	const question = target.indexOf('?');
	return question < 0 ? target : target.slice(0, question);
}

/**
 * Sends one request and reads its answer, up to a limit. Never retries and never follows redirects.
 */
export class HttpExchange {
	private readonly origin: string;

	private readonly basePath: string;

	readonly host: string;

	constructor(
		baseUrl: string,
		private readonly agent: HttpAgent,
		private readonly clock: Clock,
		private readonly skew: ClockSkew,
		/** sent with every call; headers of the call take precedence */
		private readonly additionalHeaders: Readonly<Record<string, string>> = {},
		private readonly instruments: Instruments = noInstruments,
	) {
		const url = new URL(baseUrl);
		this.origin = url.origin;
		this.host = url.host;
		this.basePath = url.pathname === '/' ? '' : url.pathname;
	}

	/**
	 * @throws the signal's reason, `ExchangeFailure`, or a `GatewayError` for a redirect or
	 * an answer that is too large
	 */
	async run(request: HttpRequest, signal: AbortSignal): Promise<HttpAnswer> {
		signal.throwIfAborted();
		const { method, target } = request;
		const call = { kind: 'backboneCall', method, resource: resourceOf(target) } as const;
		return await this.instruments.observe(call, () => this.send(request, signal), judgeExchange);
	}

	private async send(request: HttpRequest, signal: AbortSignal): Promise<HttpAnswer> {
		const sentAtMs = this.clock.now();
		const boundOf = (status: number): number =>
			status >= 300 ? maxErrorBodyBytes : request.maxAnswerBytes;
		let isSent = false;
		const refusal = (): GatewayError | undefined => {
			const refused = this.refusalOf(request);
			isSent = refused === undefined;
			return refused;
		};
		try {
			const dispatcher = await this.agent.dispatcher();
			const answer = await collectAnswer(
				dispatcher,
				this.optionsOf(request),
				{ boundOf, refusal },
				signal,
			);
			const { status, body } = answer;
			const header = this.look(request, answer, sentAtMs);
			if (body !== undefined) return { status, header, body };
			// An error status stays that error, however long its body is.
			if (status >= 400) return { status, header, body: Buffer.alloc(0) };
			throw tooLarge(request);
		} catch (error) {
			const failure = this.failureOf(error, request, signal);
			throw isSent ? failure : unsent(failure);
		}
	}

	/** Resolves when the headers have arrived; the caller reads or destroys the body. */
	async open(request: HttpRequest, signal: AbortSignal): Promise<HttpStream> {
		signal.throwIfAborted();
		const sentAtMs = this.clock.now();
		try {
			const answer = await this.agent.request({ ...this.optionsOf(request), signal });
			const { statusCode: status, headers, body } = answer;
			try {
				return { status, header: this.look(request, { status, headers }, sentAtMs), body };
			} catch (error) {
				discard(body);
				throw error;
			}
		} catch (error) {
			throw this.failureOf(error, request, signal);
		}
	}

	/** Called when the connection is open and before any byte is sent. */
	private refusalOf({ method, target, sendBefore }: HttpRequest): GatewayError | undefined {
		if (sendBefore === undefined || this.clock.now() <= sendBefore) return undefined;
		const path = pathOf(target);
		return backboneErrors.create('tooLate', {
			message: `This process was suspended for too long to make the call ${method} ${path}.`,
			facts: { method, path },
		});
	}

	private optionsOf(request: HttpRequest): Dispatcher.DispatchOptions {
		return {
			origin: this.origin,
			path: this.basePath + request.target,
			method: request.method,
			headers: {
				...this.additionalHeaders,
				'user-agent': 'n8n-nodes-enmeshed',
				...request.headers,
			},
			// eslint-disable-next-line @typescript-eslint/no-unsafe-type-assertion -- undici accepts any iterable, and an array can be sent again; its type does not say so
			body: (request.body ?? null) as string | null,
			// The signal of the call carries the deadline.
			headersTimeout: 0,
			bodyTimeout: 0,
		};
	}

	/** @throws `error.gateway.backbone.redirected` */
	private look(
		request: HttpRequest,
		{ status, headers }: { readonly status: number; readonly headers: Headers },
		sentAtMs: number,
	): HttpAnswer['header'] {
		const header = headerReader(headers);
		this.skew.record(header('date'), sentAtMs);
		const isKnown = status === 304 && request.headers['if-none-match'] !== undefined;
		if (status < 300 || status >= 400 || isKnown) return header;
		throw this.redirected(request, status, header('location'));
	}

	/** Translates an error of reading a stream, also of streams that stay open. */
	failureOf(error: unknown, request: HttpRequest, signal: AbortSignal): unknown {
		if (signal.aborted) return signal.reason;
		if (isGatewayError(error) || error instanceof ExchangeFailure) return error;
		const { host, agent } = this;
		const { method, target } = request;
		const context = { method, path: pathOf(target), host, proxy: agent.proxy };
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

/** Closes an unread body and ignores its later errors. */
export function discard(body: Dispatcher.ResponseData['body']): void {
	body.on('error', () => undefined);
	body.destroy();
}

function unsent(error: unknown): unknown {
	if (!(error instanceof ExchangeFailure)) return asUnsent(error);
	const { failure } = error;
	return new ExchangeFailure({
		...failure,
		error: withFacts(failure.error, { sent: false }),
		reach: 'notSent',
	});
}

function tooLarge({ method, target, maxAnswerBytes: maxBytes }: HttpRequest): GatewayError {
	const path = pathOf(target);
	return backboneErrors.create('answerTooLarge', {
		message: `The Backbone's answer to ${method} ${path} is larger than ${maxBytes} bytes.`,
		facts: { method, path, maxBytes },
	});
}
