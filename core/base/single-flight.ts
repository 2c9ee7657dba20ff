import { isAbort, type Cancellable } from './abort';

/** Lets concurrent callers join the one running operation and share its outcome. */
export class SingleFlight<Result> {
	private running: Promise<Result> | undefined;

	get isRunning(): boolean {
		return this.running !== undefined;
	}

	/**
	 * Joins the running operation or starts one. If the caller that started an operation aborts it,
	 * the callers that joined it start it again.
	 */
	async run(work: () => Promise<Result>, { signal }: Cancellable = {}): Promise<Result> {
		while (this.running !== undefined) {
			try {
				return await this.running;
			} catch (error) {
				if (signal?.aborted === true || !isAbort(error)) throw error;
			}
		}
		return await this.start(work);
	}

	/** Resolves when no operation is running, whatever its outcome was. */
	async settled(): Promise<void> {
		while (this.running !== undefined) await this.running.catch(() => undefined);
	}

	private start(work: () => Promise<Result>): Promise<Result> {
		const started = work().finally(() => {
			if (this.running === started) this.running = undefined;
		});
		this.running = started;
		return started;
	}
}

/** Makes a value when it is first wanted. After a failure, the next caller tries it again. */
export function madeOnce<Value>(make: () => Promise<Value>): () => Promise<Value> {
	let made: Promise<Value> | undefined;
	return () => {
		made ??= make().catch((error: unknown) => {
			made = undefined;
			throw error;
		});
		return made;
	};
}
