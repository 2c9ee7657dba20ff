/** One event as brokers get it: the data only, without an envelope (docs/protocol/http-api.md 12). */
export interface BrokerMessage {
	/** name of the event */
	readonly namespace: string;
	/** JSON in UTF-8 */
	readonly body: Buffer;
}

/**
 * Both mean that the broker has acknowledged the message; `unheard` that it also said that nobody
 * listens, so that the message is gone.
 */
export type Publication = 'heard' | 'unheard';

/** A connection that was logged in to; it does not come back once it is over. */
export interface BrokerConnection {
	/**
	 * Resolves with the broker's acknowledgement. Never called again before that.
	 *
	 * @throws `error.gateway.brokers.eventRefused` for this message; anything else when the connection
	 * is of no use any more
	 */
	publish(message: BrokerMessage): Promise<Publication>;
	/** Resolves with the reason when the connection is over. */
	readonly over: Promise<unknown>;
	/** Takes leave, or cuts the connection when the broker does not answer; does not throw. */
	close(): Promise<void>;
}

export interface ConnectOptions {
	/** aborts while connecting; afterwards only `close` counts */
	readonly signal: AbortSignal;
	/** what the settings of this broker are called */
	readonly setting: string;
}

/**
 * Connects and logs in, once.
 *
 * @throws `error.gateway.brokers.loginRefused`, `error.gateway.brokers.exchangeNotFound`, or anything
 * else for a broker that cannot be reached
 */
export type ConnectBroker<Configuration> = (
	configuration: Configuration,
	options: ConnectOptions,
) => Promise<BrokerConnection>;

/** How long a broker may take to say goodbye. */
const leaveMs = 1_000;

/** Waits for the broker's goodbye, but not for long; does not throw. */
export async function takeLeave(sayGoodbye: () => Promise<unknown>): Promise<void> {
	const tooLong = Promise.withResolvers<void>();
	const timer = setTimeout(tooLong.resolve, leaveMs);
	try {
		await Promise.race([sayGoodbye(), tooLong.promise]);
	} catch {
		// What cannot be closed properly is cut by the caller.
	} finally {
		clearTimeout(timer);
	}
}

/** When a connection ends, and what has to fail then: clients may leave it unanswered. */
export class Lifetime {
	readonly over: Promise<unknown>;

	private readonly resolveOver: (reason: unknown) => void;

	private readonly pending = new Set<(reason: unknown) => void>();

	private ended: { readonly reason: unknown } | undefined;

	constructor() {
		const { promise, resolve } = Promise.withResolvers<unknown>();
		this.over = promise;
		this.resolveOver = resolve;
	}

	/** The first reason counts: what follows from it says less. */
	end(reason: unknown): void {
		if (this.ended !== undefined) return;
		this.ended = { reason };
		this.resolveOver(reason);
		for (const fail of this.pending) fail(reason);
	}

	/** The work's own outcome, or the reason when the connection ends before. */
	during<Result>(work: Promise<Result>): Promise<Result> {
		return new Promise((resolve, reject) => {
			if (this.ended !== undefined) reject(this.ended.reason as Error);
			this.pending.add(reject);
			work.then(resolve, reject).finally(() => this.pending.delete(reject));
		});
	}
}

/** The number that protocols give to what went wrong. */
export function codeNumberOf(error: unknown): number | undefined {
	const code = (error as { code?: unknown } | undefined)?.code;
	return typeof code === 'number' ? code : undefined;
}
