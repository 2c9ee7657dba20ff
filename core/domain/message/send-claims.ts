import { isoInstant } from '../../base/clock';
import { isDeadHolder, newLeaseHolder } from '../../base/lease-holder';
import { systemRandom } from '../../base/random';
import type { SendIntentRecord } from '../../model/record/message';
import type { MessageContext } from './message-context';
import { outcomeUnknown } from './message-failures';
import type { SendIntent } from './message-sending';

/**
 * Who may call the Backbone for a message that was prepared: one process at a time. The very same
 * bytes are sent each time, so that no counter is used for a second content.
 */
export class SendClaims {
	/** intents whose last call was one of this process and has ended without an answer, and its time */
	private readonly ended = new Map<string, string>();

	/** this process, as intents name it */
	readonly caller = newLeaseHolder(systemRandom);

	constructor(private readonly context: Pick<MessageContext, 'clock' | 'store' | 'timings'>) {}

	/** Whether the last call is over: it was one of this process, or nobody can be making it any more. */
	mayClaim(record: SendIntentRecord): boolean {
		return this.hasEnded(record) || this.isAbandoned(record);
	}

	/** Claims a call after one of this process, or one that nobody can be making any more. */
	async claimNext(record: SendIntentRecord): Promise<SendIntent | undefined> {
		return await this.claim(record.id, { held: this.hasEnded(record) ? record : undefined });
	}

	/** Claims a call that a person still wants, when nobody can be making one any more. */
	async claimAsked({ id }: SendIntentRecord): Promise<SendIntent | undefined> {
		return await this.claim(id, { isAsked: true });
	}

	/**
	 * To be asked right before the call: what waited in a line, or in a process that stood still, may
	 * have been taken over by another.
	 *
	 * @throws `error.gateway.messages.outcomeUnknown`
	 */
	async confirm(intent: SendIntent): Promise<SendIntent> {
		const { record } = intent;
		const ageMs = this.context.clock.now() - Date.parse(lastCallAt(record));
		if (ageMs <= this.context.timings.startWithinMs) return intent;
		const claimed = await this.claim(record.id, { held: record });
		if (claimed === undefined) throw outcomeUnknown(record);
		return claimed;
	}

	/** Until when the confirmed call may begin, in milliseconds since the epoch. */
	beginBefore(record: SendIntentRecord): number {
		return Date.parse(lastCallAt(record)) + this.context.timings.goneOutWithinMs;
	}

	/** A call of this process has ended, and nobody knows whether the Backbone took the message. */
	callEnded(record: SendIntentRecord): void {
		this.ended.set(record.id, lastCallAt(record));
	}

	forget({ id }: SendIntentRecord): void {
		this.ended.delete(id);
	}

	private hasEnded(record: SendIntentRecord): boolean {
		return this.ended.get(record.id) === lastCallAt(record);
	}

	private isAbandoned(record: SendIntentRecord): boolean {
		const { clock, timings } = this.context;
		const ageMs = clock.now() - Date.parse(lastCallAt(record));
		if (ageMs >= timings.patienceMs) return true;
		const { caller } = record;
		return ageMs >= timings.patienceWithDeadMs && caller !== undefined && isDeadHolder(caller);
	}

	/**
	 * Committed before the call, so that everybody else waits for its end.
	 *
	 * @param held the intent as this process knows it, when the last call was its own
	 * @param isAsked only while somebody wants it sent
	 */
	private async claim(
		id: string,
		{ held, isAsked }: { readonly held?: SendIntentRecord | undefined; readonly isAsked?: true },
	): Promise<SendIntent | undefined> {
		const { store, clock } = this.context;
		return await store.transact(async (tx) => {
			const entry = await tx.sendIntents.get(id);
			if (entry?.record.state !== 'prepared') return undefined;
			if (isAsked === true && entry.record.again !== true) return undefined;
			const isHeld = held !== undefined && lastCallAt(held) === lastCallAt(entry.record);
			if (!isHeld && !this.isAbandoned(entry.record)) return undefined;
			const triedAt = isoInstant(clock.now());
			const record: SendIntentRecord = { ...entry.record, triedAt, caller: this.caller };
			await tx.sendIntents.update(record);
			return { record, secrets: entry.secrets };
		});
	}
}

/** When the Backbone was last called for it, as far as anybody knows. */
export function lastCallAt({ triedAt, createdAt }: SendIntentRecord): string {
	return triedAt ?? createdAt;
}
