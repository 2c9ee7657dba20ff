import { errorCodeOf } from '../../base/members';
/**
 * Event in the form that brokers receive: the data only, without an envelope
 * (docs/protocol/http-api.md 12).
 */
export interface BrokerMessage {
	/** name of the event */
	readonly namespace: string;
	/** JSON in UTF-8 */
	readonly body: Buffer;
}

/**
 * Outcome of an acknowledged message. `unroutable` means that the broker also reported that no
 * subscriber or queue took it, so the message is lost.
 */
export type Publication = 'routed' | 'unroutable';

/** Authenticated connection; it is not reusable once it has ended. */
export interface BrokerConnection {
	/**
	 * Resolves with the broker's acknowledgement. Callers wait for it before they publish again.
	 *
	 * @throws `error.gateway.brokers.eventRefused` for this message; any other error means that the
	 * connection is unusable
	 */
	publish(message: BrokerMessage): Promise<Publication>;
	/** Resolves with the reason when the connection ends. */
	readonly over: Promise<unknown>;
	/** Closes the connection, and cuts it when the broker does not answer in time; does not throw. */
	close(): Promise<void>;
}

export interface ConnectOptions {
	/** aborts connecting only; an open connection ends with `close` */
	readonly signal: AbortSignal;
	/** path of this broker's entry in the settings */
	readonly setting: string;
}

/**
 * Connects and logs in once, without retries.
 *
 * @throws `error.gateway.brokers.loginRefused`, `error.gateway.brokers.exchangeNotFound`, or any
 * other error when the broker cannot be reached
 */
export type ConnectBroker<Configuration> = (
	configuration: Configuration,
	options: ConnectOptions,
) => Promise<BrokerConnection>;

/** Time that a broker has for the closing handshake. */
const closeTimeoutMs = 1_000;

/** Runs the closing handshake with a time limit; does not throw. */
export async function closeWithTimeout(close: () => Promise<unknown>): Promise<void> {
	const tooLong = Promise.withResolvers<void>();
	const timer = setTimeout(tooLong.resolve, closeTimeoutMs);
	try {
		await Promise.race([close(), tooLong.promise]);
	} catch {
		// The caller cuts the socket afterwards, so a failed handshake has no consequence.
	} finally {
		clearTimeout(timer);
	}
}

/**
 * Tracks the end of a connection and rejects work in progress, because clients may never settle
 * their promises.
 */
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

	/** Ends the lifetime. Only the first reason is kept: later ones are its consequences. */
	end(reason: unknown): void {
		if (this.ended !== undefined) return;
		this.ended = { reason };
		this.resolveOver(reason);
		for (const fail of this.pending) fail(reason);
	}

	/** Settles like the work, or rejects with the reason when the connection ends first. */
	during<Result>(work: Promise<Result>): Promise<Result> {
		return new Promise((resolve, reject) => {
			if (this.ended !== undefined) reject(this.ended.reason);
			this.pending.add(reject);
			work.then(resolve, reject).finally(() => this.pending.delete(reject));
		});
	}
}

/** Numeric error code of the protocol, where the client reports one. */
export function codeNumberOf(error: unknown): number | undefined {
	const code = errorCodeOf(error);
	return typeof code === 'number' ? code : undefined;
}
