import { backboneErrors } from './backbone-errors';
import { timeoutFailure } from './network-failure';

/** Runs one call under the caller's signal, the closing of the client and a deadline. */
export class Deadlines {
	private readonly closing = new AbortController();

	private readonly running = new Set<AbortController>();

	constructor(
		readonly timeoutMs: number,
		private readonly host: string,
	) {}

	get closed(): AbortSignal {
		return this.closing.signal;
	}

	close(): void {
		const closed = backboneErrors.create('closed', {
			message: 'The connection to the Backbone was closed during the call.',
		});
		this.closing.abort(closed);
		for (const call of this.running) call.abort(closed);
	}

	/**
	 * Rejects with the caller's reason, with `error.gateway.backbone.closed`, or with
	 * `error.transport.request.aborted` after the deadline: each is the reason of the work's signal.
	 */
	async run<Result>(
		call: { readonly method: string; readonly path: string },
		signal: AbortSignal | undefined,
		work: (signal: AbortSignal) => Promise<Result>,
	): Promise<Result> {
		signal?.throwIfAborted();
		this.closed.throwIfAborted();
		const own = new AbortController();
		const abortOwn = (): void => own.abort(signal?.reason);
		const timer = setTimeout(() => {
			own.abort(timeoutFailure({ ...call, host: this.host }, this.timeoutMs));
		}, this.timeoutMs);
		this.running.add(own);
		signal?.addEventListener('abort', abortOwn);
		try {
			return await work(own.signal);
		} finally {
			signal?.removeEventListener('abort', abortOwn);
			this.running.delete(own);
			clearTimeout(timer);
		}
	}
}

/** Waits for shared work without cancelling it for the others. */
export async function waitFor<Result>(
	shared: Promise<Result>,
	signal: AbortSignal,
): Promise<Result> {
	signal.throwIfAborted();
	let listener: (() => void) | undefined;
	const aborted = new Promise<never>((_resolve, reject) => {
		listener = () => reject(signal.reason as Error);
		signal.addEventListener('abort', listener, { once: true });
	});
	try {
		return await Promise.race([shared, aborted]);
	} finally {
		if (listener !== undefined) signal.removeEventListener('abort', listener);
	}
}
