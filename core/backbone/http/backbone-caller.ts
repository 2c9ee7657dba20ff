import type { z } from 'zod';
import type { Clock } from '../../base/clock';
import { GatewayError } from '../../base/errors';
import type { Logger } from '../../base/logger';
import type { Random } from '../../base/random';
import { parseUntrustedJson, readUntrustedJson } from '../../base/untrusted-json';
import type { AccessTokens } from './access-token';
import type { CallOptions } from '../port/backbone';
import { readPage, readResult, type WirePage } from './answer';
import { backboneErrors } from '../backbone-errors';
import type { ClockSkew } from './clock-skew';
import type { Deadlines } from './deadline';
import { FreedQuotas } from './freed-quotas';
import { type HttpAnswer, type HttpExchange, type HttpRequest } from './http-exchange';
import type { MultipartForm } from './multipart';
import { plainText } from '../plain-text';
import { mayBeOfDeletedIdentity, problemOf, type ProblemContext } from './problem';
import { rejectUnsent } from './network-failure';
import { AnswerFailure, repeat } from './repeat';
import { readRetryAfter, type RetryLimits } from './retry-policy';
import type { VersionGate } from './version';

/** Largest request body that a Backbone accepts: 20 MiB (`docs/protocol/backbone-api.md` 20). */
const maxRequestBytes = 20 * 1024 * 1024;

const mebibyte = 1024 * 1024;

/** Limits of answers in bytes, by their possible parts: contents are base64 of up to 10 MiB. */
export const answerLimits = {
	small: mebibyte,
	content: 16 * mebibyte,
	twoContents: 32 * mebibyte,
	page: 64 * mebibyte,
} as const;

export interface Call {
	readonly method: HttpRequest['method'];
	/** below `/api/v…`, for example `/Messages` */
	readonly path: string;
	readonly query?: ReadonlyArray<readonly [string, string]>;
	readonly json?: unknown;
	readonly form?: MultipartForm;
	readonly headers?: Readonly<Record<string, string>>;
	readonly anonymous?: boolean | undefined;
	/**
	 * For endpoints that also serve anonymous callers. They ignore an invalid token instead of
	 * answering with 401. Returns true if an anonymous caller would get the same answer; the token is
	 * then checked with another call.
	 */
	readonly allowsAnonymous?: (status: number, body: () => unknown) => boolean;
	/** default: true for GET */
	readonly isRepeatable?: boolean;
	/** default: `answerLimits.small` */
	readonly maxAnswerBytes?: number;
	readonly isPagedList?: boolean;
	/** values of the body that must not appear in a message */
	readonly secrets?: readonly string[];
}

export interface CallerOptions {
	readonly exchange: HttpExchange;
	readonly deadlines: Deadlines;
	readonly tokens: AccessTokens;
	readonly version: VersionGate;
	readonly skew: ClockSkew;
	readonly clock: Clock;
	readonly random: Random;
	readonly logger: Logger;
	readonly retry: RetryLimits;
	readonly clientSecret: string;
}

export interface SuccessBody {
	readonly body: unknown;
	readonly status: number;
	/** size of the body as received */
	readonly bytes: number;
}

/**
 * The smallest answer that requires a token. The Backbone answers "not found"
 * before the account is complete.
 */
const loginProbe: Call = {
	method: 'GET',
	path: '/Datawallet',
	headers: { 'x-supported-datawallet-version': '1' },
};

/**
 * Makes one call of the Consumer API: adds prefix and token, applies deadline and retries, maps
 * errors.
 */
export class BackboneCaller {
	private readonly freed = new FreedQuotas();

	constructor(private readonly options: CallerOptions) {}

	/** Returns the `result` of the envelope, validated. */
	async result<Schema extends z.ZodType>(
		call: Call,
		schema: Schema,
		options: CallOptions = {},
	): Promise<z.output<Schema>> {
		const { body, status } = await this.json(call, options);
		return readResult(body, schema, this.contextOf(call), status);
	}

	/**
	 * Reads one page of a list. The log names unreadable items and the place of
	 * the mismatch, never a value.
	 */
	async page<Schema extends z.ZodType>(
		call: Call,
		itemSchema: Schema,
		options: CallOptions = {},
	): Promise<WirePage<z.output<Schema>> & { readonly bytes: number }> {
		const { body, status, bytes } = await this.json(call, options);
		const page = readPage(body, itemSchema, this.contextOf(call), status);
		const [first] = page.unreadable;
		if (first !== undefined) {
			this.logger.warn('items of a list could not be read', {
				path: call.path,
				count: page.unreadable.length,
				place: first.problem.facts['place'],
			});
		}
		return { ...page, bytes };
	}

	get logger(): Logger {
		return this.options.logger;
	}

	/**
	 * Like `result`, with its entity tag. Undefined if the Backbone answers a call with
	 * `if-none-match` with 304: the object is unchanged.
	 */
	async resultUnlessKnown<Schema extends z.ZodType>(
		call: Call,
		schema: Schema,
		options: CallOptions = {},
	): Promise<{ result: z.output<Schema>; etag: string | undefined } | undefined> {
		const answer = await this.answer(call, options);
		if (answer.status === 304) return undefined;
		const body = this.parse(answer, call);
		const result = readResult(body, schema, this.contextOf(call), answer.status);
		return { result, etag: answer.header('etag') };
	}

	/** For calls whose answer is 204, or a body that no caller needs. */
	async nothing(call: Call, options: CallOptions = {}): Promise<void> {
		await this.answer(call, options);
	}

	async bytes(call: Call, options: CallOptions = {}): Promise<Uint8Array> {
		const { body } = await this.answer(call, options);
		return new Uint8Array(body.buffer, body.byteOffset, body.byteLength);
	}

	/** Returns the parsed body of a success. */
	async json(call: Call, options: CallOptions = {}): Promise<SuccessBody> {
		const answer = await this.answer(call, options);
		const body = this.parse(answer, call);
		return { body, status: answer.status, bytes: answer.body.byteLength };
	}

	contextOf(call: Call): ProblemContext {
		const { skew, tokens, clientSecret } = this.options;
		return {
			method: call.method,
			path: call.path,
			isPagedList: call.isPagedList === true,
			skew,
			secrets: [clientSecret, ...tokens.secrets, ...(call.secrets ?? [])],
		};
	}

	private async answer(call: Call, options: CallOptions): Promise<HttpAnswer> {
		const { deadlines, random, retry, logger } = this.options;
		const body = call.json === undefined ? undefined : JSON.stringify(call.json);
		if (body !== undefined && Buffer.byteLength(body) > maxRequestBytes) {
			throw backboneErrors.create('bodyLengthExceeded', {
				message: `The body of ${call.method} ${call.path} is larger than ${maxRequestBytes} bytes.`,
				facts: { method: call.method, path: call.path, maxRequestBytes },
			});
		}
		const isRepeatable = call.isRepeatable ?? call.method === 'GET';
		const onRetry = (error: GatewayError, waitMs: number): void => {
			logger.debug('call is repeated', { path: call.path, code: error.code, waitMs });
		};
		return deadlines.run({ method: call.method, path: call.path }, options.signal, (linked) =>
			repeat(
				(signal) => this.attempt(call, body, options, signal),
				{ isRepeatable, limits: retry, random, onRetry },
				linked,
			),
		);
	}

	private async attempt(
		call: Call,
		body: string | undefined,
		{ correlationId, sendBefore }: CallOptions,
		signal: AbortSignal,
	): Promise<HttpAnswer> {
		const { api } = await this.options.version.get(signal).catch(rejectUnsent);
		const request = { ...buildRequest(call, api, body, correlationId), sendBefore };
		let { answer, token } = await this.send(call, request, signal);
		if (token !== undefined && (await this.isRefused(token, answer, call, signal))) {
			this.options.logger.debug('access token was refused, renewing it', { path: call.path });
			this.options.tokens.drop(token);
			({ answer, token } = await this.send(call, request, signal));
			if (answer.status === 401 && token !== undefined) this.options.tokens.drop(token);
		}
		if (answer.status >= 200 && answer.status < 300) {
			this.freed.note(call, this.options.clock.now());
			return answer;
		}
		// Calls without `if-none-match` never get here with a 304: it is refused as a redirect.
		if (answer.status === 304) return answer;
		const problem = problemOf(answer.status, bodyOf(answer), this.contextOf(call));
		const error = isPageOfProxy(answer) ? asUnavailable(problem) : problem;
		if (token !== undefined && mayBeOfDeletedIdentity(call.path, error)) {
			const deleted = await this.options.tokens.deletionBehind(token, error);
			if (deleted !== undefined) throw deleted;
		}
		throw new AnswerFailure(error, answer.status, this.retryAfterMs(answer, error));
	}

	private retryAfterMs(answer: HttpAnswer, error: GatewayError): number | undefined {
		const { clock, retry } = this.options;
		const now = clock.now();
		const asked = readRetryAfter(answer.header('retry-after'), now);
		if (asked !== undefined || answer.status !== 429) return asked;
		return this.freed.waitMs(error, now, retry.maxWaitMs);
	}

	/** Finds out whether the Backbone rejected the token that was sent. */
	private async isRefused(
		token: string,
		answer: HttpAnswer,
		call: Call,
		signal: AbortSignal,
	): Promise<boolean> {
		if (answer.status === 401) return true;
		if (call.allowsAnonymous?.(answer.status, () => bodyOf(answer)) !== true) return false;
		const { api } = await this.options.version.get(signal);
		const probe = buildRequest(loginProbe, api, undefined, undefined);
		try {
			const probed = await this.options.exchange.run(withToken(probe, token), signal);
			return probed.status === 401;
		} catch {
			// The original answer explains more than the failure of this extra call.
			return false;
		}
	}

	private async send(
		call: Call,
		request: HttpRequest,
		signal: AbortSignal,
	): Promise<{ answer: HttpAnswer; token: string | undefined }> {
		const { exchange, tokens } = this.options;
		if (call.anonymous === true) {
			return { answer: await exchange.run(request, signal), token: undefined };
		}
		const token = await tokens.get(signal).catch(rejectUnsent);
		return { answer: await exchange.run(withToken(request, token), signal), token };
	}

	private parse(answer: HttpAnswer, call: Call): unknown {
		const type = answer.header('content-type');
		const refuse = (reason: string): never => {
			throw backboneErrors.create('resultUndefined', {
				message: `The answer to ${call.method} ${call.path} (${answer.status}) is not usable: ${reason}.`,
				facts: { status: answer.status, method: call.method, path: call.path },
			});
		};
		if (type !== undefined && !/[/+]json\b/i.test(type)) {
			return refuse(`expected JSON, got ${plainText(type, [], 80)}`);
		}
		try {
			return parseUntrustedJson(answer.body.toString('utf8'));
		} catch {
			return refuse('it is not valid JSON');
		}
	}
}

function bodyOf(answer: HttpAnswer): unknown {
	return readUntrustedJson(answer.body.toString('utf8'));
}

/** Recognizes a proxy's page: the Backbone refuses with JSON or without a body, never with HTML. */
function isPageOfProxy({ status, header }: HttpAnswer): boolean {
	if (![400, 403, 404].includes(status)) return false;
	return /^text\/html\b/i.test(header('content-type') ?? '');
}

/** Keeps the code but makes the error temporary, because the Backbone did not decide it. */
function asUnavailable({ code, message, facts }: GatewayError): GatewayError {
	const { remedy } = backboneErrors.resultUndefined;
	return new GatewayError({ code, kind: 'unavailable', message, remedy, facts });
}

function withToken(request: HttpRequest, token: string): HttpRequest {
	return { ...request, headers: { ...request.headers, authorization: `Bearer ${token}` } };
}

/** Text of one header line: trimmed, printable ASCII, at most 100 characters (backbone-api 2.2). */
function headerText(text: string): string {
	return text
		.replace(/[^\x20-\x7e]+/g, ' ')
		.trim()
		.slice(0, 100);
}

function buildRequest(
	call: Call,
	api: 'v1' | 'v2',
	body: string | undefined,
	correlationId: string | undefined,
): HttpRequest {
	const query = (call.query ?? [])
		.map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
		.join('&');
	const target = `/api/${api}${call.path}${query === '' ? '' : `?${query}`}`;
	const correlation = correlationId === undefined ? '' : headerText(correlationId);
	return {
		method: call.method,
		target,
		headers: {
			accept: 'application/json',
			...(body === undefined ? {} : { 'content-type': 'application/json' }),
			...(call.form === undefined
				? {}
				: {
						'content-type': call.form.contentType,
						'content-length': String(call.form.contentLength),
					}),
			...(correlation === '' ? {} : { 'x-correlation-id': correlation }),
			...call.headers,
		},
		body: body ?? call.form?.pieces,
		maxAnswerBytes: call.maxAnswerBytes ?? answerLimits.small,
	};
}
