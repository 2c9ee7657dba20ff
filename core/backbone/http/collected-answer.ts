import type { Dispatcher } from 'undici';

type Headers = Dispatcher.ResponseData['headers'];

/**
 * size from which an answer is written into one buffer, instead of being kept in pieces and joined
 */
const largeBytes = 256 * 1024;

/** @returns the maximum number of body bytes to read */
export type BodyBound = (status: number) => number;

export interface AnswerRules {
	readonly boundOf: BodyBound;
	/** called when the connection is open; if it returns an error, the request is not sent */
	readonly refusal: () => Error | undefined;
}

export interface CollectedAnswer {
	readonly status: number;
	readonly headers: Headers;
	/** undefined if the body is larger than the limit */
	readonly body: Buffer | undefined;
}

/**
 * Sends a request and collects the whole answer. Most answers have a few hundred bytes, for which a
 * stream costs more than the answer itself, so the pieces are taken directly from the parser.
 *
 * @throws the reason of the signal, or the error of undici for the connection
 */
export async function collectAnswer(
	dispatcher: Dispatcher,
	options: Dispatcher.DispatchOptions,
	rules: AnswerRules,
	signal: AbortSignal,
): Promise<CollectedAnswer> {
	const collector = new AnswerCollector(rules);
	const abort = (): void => collector.abort(signal.reason);
	signal.addEventListener('abort', abort);
	try {
		dispatcher.dispatch(options, collector);
		return await collector.answer;
	} finally {
		signal.removeEventListener('abort', abort);
	}
}

class AnswerCollector implements Dispatcher.DispatchHandler {
	private readonly settled = Promise.withResolvers<CollectedAnswer>();

	private controller: Dispatcher.DispatchController | undefined;

	private abortReason: Error | undefined;

	private status = 0;

	private headers: Headers = {};

	private maxBytes = 0;

	private length = 0;

	private pieces: Buffer[] = [];

	/** buffer for a large answer whose size was declared */
	private whole: Buffer | undefined;

	constructor(private readonly rules: AnswerRules) {}

	get answer(): Promise<CollectedAnswer> {
		return this.settled.promise;
	}

	abort(reason: Error): void {
		this.abortReason = reason;
		this.controller?.abort(reason);
		// There is no controller before the connection is open, so the promise is rejected here.
		this.settled.reject(reason);
	}

	onRequestStart(controller: Dispatcher.DispatchController): void {
		this.controller = controller;
		const reason = this.abortReason ?? this.rules.refusal();
		if (reason !== undefined) controller.abort(reason);
	}

	onResponseStart(
		_controller: Dispatcher.DispatchController,
		status: number,
		headers: Headers,
	): void {
		this.status = status;
		this.headers = headers;
		this.maxBytes = this.rules.boundOf(status);
		// Discards the body of an interim answer (1xx).
		this.length = 0;
		this.pieces = [];
		this.whole = undefined;
		// The parser enforces the declared length.
		const declared = Number(headers['content-length'] ?? Number.NaN);
		if (declared > this.maxBytes) this.refuse();
		else if (declared >= largeBytes) this.whole = Buffer.allocUnsafeSlow(declared);
	}

	onResponseData(_controller: Dispatcher.DispatchController, piece: Buffer): void {
		const start = this.length;
		this.length += piece.length;
		if (this.length > this.maxBytes) this.refuse();
		else if (this.whole === undefined) this.pieces.push(piece);
		else piece.copy(this.whole, start);
	}

	onResponseEnd(): void {
		this.settled.resolve({ status: this.status, headers: this.headers, body: this.joined() });
	}

	onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
		this.settled.reject(error);
	}

	private refuse(): void {
		const { status, headers } = this;
		this.settled.resolve({ status, headers, body: undefined });
		this.controller?.abort(new Error('The answer is larger than its bound'));
	}

	private joined(): Buffer {
		if (this.whole !== undefined) return this.whole.subarray(0, this.length);
		const [first, ...others] = this.pieces;
		if (first === undefined) return Buffer.alloc(0);
		return others.length === 0 ? first : Buffer.concat(this.pieces, this.length);
	}
}
