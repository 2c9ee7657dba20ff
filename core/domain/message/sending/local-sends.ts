import type { SendIntentRecord } from '../../../model/record/message';
import { isSameClaim } from './send-states';

/** State of a send that only this process keeps; losing it does no harm. */
interface LocalSend {
	/** set while a caller or a sync of this process works on the send */
	readonly isActive?: true | undefined;
	/** row of a prepared message for which no call has begun yet */
	readonly queued?: SendIntentRecord | undefined;
	/** row whose claim belongs to a dead process, and the time when this process first saw that */
	readonly deadOwner?: { readonly record: SendIntentRecord; readonly seenMs: number } | undefined;
	/** time of the newest message at the Backbone when a search did not find this message */
	readonly searchedUpTo?: string | undefined;
}

/** Sends that this process works on or waits for, by the ids of their intents. */
export class LocalSends {
	private readonly sends = new Map<string, LocalSend>();

	/** Marks the send as in progress; false when this process works on it already. */
	begin(id: string): boolean {
		if (this.isActive(id)) return false;
		this.note(id, { isActive: true });
		return true;
	}

	end(id: string): void {
		this.note(id, { isActive: undefined });
	}

	isActive(id: string): boolean {
		return this.sends.get(id)?.isActive === true;
	}

	/**
	 * Runs the work if no other work on the send is in progress in this process; undefined otherwise.
	 */
	async alone<Result>(id: string, work: () => Promise<Result>): Promise<Result | undefined> {
		if (!this.begin(id)) return undefined;
		try {
			return await work();
		} finally {
			this.end(id);
		}
	}

	/** Records that no call for the prepared message has begun. */
	queue(record: SendIntentRecord): void {
		this.note(record.id, { queued: record });
	}

	/**
	 * Removes the message from the queue; true when it was queued and no process has claimed it
	 * since.
	 */
	takeQueued(record: SendIntentRecord): boolean {
		const queued = this.sends.get(record.id)?.queued;
		this.note(record.id, { queued: undefined });
		return queued !== undefined && isSameClaim(queued, record);
	}

	/** Milliseconds since this process first saw that the owner of the claim is dead. */
	ownerDeadForMs(record: SendIntentRecord): number {
		const nowMs = performance.now();
		const known = this.sends.get(record.id)?.deadOwner;
		if (known !== undefined && isSameClaim(known.record, record)) return nowMs - known.seenMs;
		this.note(record.id, { deadOwner: { record, seenMs: nowMs } });
		return 0;
	}

	ownerLives(id: string): void {
		this.note(id, { deadOwner: undefined });
	}

	searchedUpTo(id: string): string | undefined {
		return this.sends.get(id)?.searchedUpTo;
	}

	noteSearch(id: string, newestAt: string): void {
		this.note(id, { searchedUpTo: newestAt });
	}

	/** Drops the observations about a finished send; work in progress goes on. */
	forget(id: string): void {
		this.note(id, { queued: undefined, deadOwner: undefined, searchedUpTo: undefined });
	}

	/** Forgets all sends that are no longer open. */
	forgetAllBut(openIds: readonly string[]): void {
		const open = new Set(openIds);
		for (const id of [...this.sends.keys()]) if (!open.has(id)) this.forget(id);
	}

	private note(id: string, changes: LocalSend): void {
		const send = { ...this.sends.get(id), ...changes };
		if (Object.values(send).every((value) => value === undefined)) this.sends.delete(id);
		else this.sends.set(id, send);
	}
}
