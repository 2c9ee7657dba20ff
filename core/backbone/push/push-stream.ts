import { sleep } from '../../base/abort';
import { drawJitter } from '../../base/back-off';
import { isGatewayError, type GatewayError } from '../../base/errors';
import type { Clock } from '../../base/clock';
import type { Logger } from '../../base/logger';
import type { Random } from '../../base/random';
import type { AccessTokens } from '../http/access-token';
import type { CallOptions } from '../port/backbone';
import { backboneErrors } from '../backbone-errors';
import type { ClockSkew } from '../http/clock-skew';
import type { Deadlines } from '../http/deadline';
import {
	discard,
	ExchangeFailure,
	type HttpExchange,
	type HttpStream,
} from '../http/http-exchange';
import { problemOf } from '../http/problem';
import { readPushEvents, silenceError } from './push-connection';
import type { PushSignal } from '../port/backbone';
import { waitBeforeReconnecting, type PushTimings } from './push-timings';

export interface PushStreamOptions {
	readonly exchange: HttpExchange;
	readonly deadlines: Deadlines;
	readonly tokens: AccessTokens;
	readonly skew: ClockSkew;
	readonly clock: Clock;
	readonly random: Random;
	readonly logger: Logger;
	readonly clientSecret: string;
	readonly timings: PushTimings;
}

/** Current Backbones serve both paths, older 6.x only the first (backbone-api 19.1). */
const paths = ['/api/v1/sse', '/api/v2/sse'] as const;

const superseded = Symbol('superseded');

const accepted = { accept: 'text/event-stream', 'cache-control': 'no-cache' };

/** Push stream of one identity (`docs/protocol/backbone-api.md` 19). */
export class PushStream {
	private current:
		{ readonly abort: AbortController; readonly released: Promise<void> } | undefined;

	constructor(private readonly options: PushStreamOptions) {}

	/** Implements `PushResource.subscribe`. */
	async *subscribe({ signal }: CallOptions = {}): AsyncGenerator<PushSignal> {
		const previous = this.current;
		const abort = new AbortController();
		const { promise: released, resolve: release } = Promise.withResolvers<void>();
		const stop = AbortSignal.any(
			[signal, this.options.deadlines.closed, abort.signal].filter((one) => one !== undefined),
		);
		const own = { abort, released };
		this.current = own;
		try {
			// Ends the previous stream first, because two streams of one identity silence each other.
			previous?.abort.abort(superseded);
			await previous?.released;
			yield* this.reconnecting(stop);
		} catch (error) {
			if (error === superseded) return;
			throw error;
		} finally {
			abort.abort(superseded);
			if (this.current === own) this.current = undefined;
			release();
		}
	}

	private async *reconnecting(stop: AbortSignal): AsyncGenerator<PushSignal> {
		const { random, logger, clock, timings } = this.options;
		for (let failures = 0; ;) {
			stop.throwIfAborted();
			let error: GatewayError;
			let openedAt = Number.POSITIVE_INFINITY;
			try {
				for await (const signal of this.connection(stop)) {
					if (signal.kind === 'opened') openedAt = clock.now();
					yield signal;
				}
				error = backboneErrors.create('pushEnded', {
					message: 'The push service ended the connection.',
				});
			} catch (thrown) {
				stop.throwIfAborted();
				error = codedError(thrown);
			}
			// Another attempt cannot help against a refused password or client.
			if (error.kind === 'forbidden') throw error;
			failures = clock.now() - openedAt >= timings.stableMs ? 0 : failures + 1;
			const isAbsent = error.code === backboneErrors.pushNotAvailable.code;
			const jitter = drawJitter(random);
			const retryInMs = waitBeforeReconnecting(timings, { failures, isAbsent }, jitter);
			logger.debug('push stream lost', { code: error.code, retryInMs });
			yield { kind: 'lost', error, retryInMs };
			await sleep(retryInMs, { signal: stop, background: true });
		}
	}

	/** Runs one connection from its opening to its end. */
	private async *connection(stop: AbortSignal): AsyncGenerator<PushSignal> {
		const { silenceMs } = this.options.timings;
		const lifetime = new AbortController();
		const life = AbortSignal.any([stop, lifetime.signal]);
		const stream = await this.open(life);
		try {
			yield { kind: 'opened' };
			const watchdog = { silenceMs, onSilence: () => lifetime.abort(silenceError(silenceMs)) };
			for await (const name of readPushEvents(stream, watchdog)) yield { kind: 'event', name };
		} catch (error) {
			throw life.aborted ? life.reason : error;
		} finally {
			discard(stream.body);
		}
	}

	private async open(life: AbortSignal): Promise<HttpStream> {
		const { exchange } = this.options;
		for (const target of paths) {
			let stream = await this.connect(target, life);
			if (stream.status === 401) {
				discard(stream.body);
				stream = await this.connect(target, life);
			}
			if (stream.status === 404) {
				discard(stream.body);
				continue;
			}
			return this.checked(stream, target);
		}
		throw backboneErrors.create('pushNotAvailable', {
			message: `There is no push service at ${exchange.host}: it answers 404 for it.`,
			facts: { status: 404 },
		});
	}

	/** Applies the deadline to connecting only; `life` ends the open stream. */
	private async connect(target: string, life: AbortSignal): Promise<HttpStream> {
		const { deadlines, exchange, tokens } = this.options;
		const opening = new AbortController();
		const both = AbortSignal.any([life, opening.signal]);
		const call = { method: 'GET', path: target };
		return deadlines.run(call, life, async (signal) => {
			signal.addEventListener('abort', () => opening.abort(signal.reason), { once: true });
			const token = await tokens.get(signal);
			const headers = { ...accepted, authorization: `Bearer ${token}` };
			const request = { method: 'GET', target, headers, maxAnswerBytes: 0 } as const;
			const stream = await exchange.open(request, both);
			if (stream.status === 401) tokens.drop(token);
			return stream;
		});
	}

	private checked(stream: HttpStream, path: string): HttpStream {
		const { skew, tokens, clientSecret } = this.options;
		if (stream.status !== 200) {
			discard(stream.body);
			const secrets = [clientSecret, ...tokens.secrets];
			const context = { method: 'GET', path, isPagedList: false, skew, secrets };
			throw problemOf(stream.status, undefined, context);
		}
		const type = stream.header('content-type') ?? '';
		if (/^text\/event-stream\b/i.test(type)) return stream;
		discard(stream.body);
		throw backboneErrors.create('pushNotAvailable', {
			message: 'The server at the push address does not answer with a stream of events.',
			facts: { status: stream.status, path },
		});
	}
}

function codedError(thrown: unknown): GatewayError {
	if (isGatewayError(thrown)) return thrown;
	if (thrown instanceof ExchangeFailure) return thrown.failure.error;
	return backboneErrors.create('pushEnded', {
		message: 'The push stream was cut.',
		cause: thrown,
	});
}
