/** Call that the sandbox has answered, for assertions and diagnosis. */
export interface RecordedCall {
	readonly method: string;
	/** includes the query */
	readonly path: string;
	readonly status: number;
}

const kept = 5_000;

/** Keeps the newest calls in order, and counts calls by kind. */
export class CallLog {
	readonly entries: RecordedCall[] = [];

	add(call: RecordedCall): void {
		this.entries.push(call);
		if (this.entries.length > kept) this.entries.splice(0, kept / 2);
	}

	clear(): void {
		this.entries.length = 0;
	}

	count(method: string, path: RegExp): number {
		return this.entries.filter((call) => call.method === method && path.test(call.path)).length;
	}
}
