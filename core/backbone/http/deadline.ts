import { backboneErrors } from '../backbone-errors';
import { timeoutFailure } from './network-failure';

/** Runs a call until the caller aborts it, the client closes or its deadline passes. */
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
	 * Rejects with the reason of the caller's signal, with `error.gateway.backbone.closed`, or
	 * with `error.transport.request.aborted` after the deadline. The signal of the work is
	 * aborted for the same reason.
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
