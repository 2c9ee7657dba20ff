import type { Cancellable } from '../../base/abort';
import { isoInstant } from '../../base/clock';
import { newLeaseHolder } from '../../base/lease-holder';
import { systemRandom } from '../../base/random';
import type { SendIntentRecord } from '../../model/record/message';
import type { ReadTransaction } from '../../store/store';
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

	/** intents whose caller was gone at the last look, the time of its call and of the first such look */
	private readonly gone = new Map<string, { readonly call: string; readonly seenMs: number }>();

	/** this process */
	private readonly holder = newLeaseHolder(systemRandom);

	constructor(private readonly context: Pick<MessageContext, 'clock' | 'store' | 'timings'>) {}

	/** What an intent says of a call that begins now. */
	newCall(tx: Pick<ReadTransaction, 'leases'>): Pick<SendIntentRecord, 'triedAt' | 'caller'> {
		const triedAt = isoInstant(this.context.store.clock.now());
		return { triedAt, caller: tx.leases.mark(this.holder) };
	}

	/** Whether the last call is over: it was one of this process, or nobody can be making it any more. */
	async mayClaim(record: SendIntentRecord, options: Cancellable): Promise<boolean> {
		if (this.hasEnded(record)) return true;
		return await this.context.store.read((tx) => this.isAbandoned(tx, record), options);
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
		if (this.ageMs(record) <= this.context.timings.startWithinMs) return intent;
		const claimed = await this.claim(record.id, { held: record });
		if (claimed === undefined) throw outcomeUnknown(record);
		return claimed;
	}

	/** Until when the confirmed call may begin, in milliseconds since the epoch, by this host's clock. */
	beginBefore(record: SendIntentRecord): number {
		const { clock, timings } = this.context;
		return clock.now() + timings.goneOutWithinMs - this.ageMs(record);
	}

	/** A call of this process has ended, and nobody knows whether the Backbone took the message. */
	callEnded(record: SendIntentRecord): void {
		this.ended.set(record.id, lastCallAt(record));
	}

	forget({ id }: SendIntentRecord): void {
		this.ended.delete(id);
		this.gone.delete(id);
	}

	private hasEnded(record: SendIntentRecord): boolean {
		return this.ended.get(record.id) === lastCallAt(record);
	}

	private async isAbandoned(
		tx: Pick<ReadTransaction, 'leases'>,
		record: SendIntentRecord,
	): Promise<boolean> {
		if (this.ageMs(record) >= this.context.timings.patienceMs) return true;
		if (record.caller !== undefined && (await tx.leases.isGone(record.caller))) {
			return this.goneForMs(record) >= this.context.timings.patienceWithDeadMs;
		}
		this.gone.delete(record.id);
		return false;
	}

	/**
	 * Counted from our first look: the call may have begun long before its process died, and a process
	 * that has lost its connection to the store looks gone until it has it again.
	 */
	private goneForMs(record: SendIntentRecord): number {
		const [call, nowMs] = [lastCallAt(record), performance.now()];
		const known = this.gone.get(record.id);
		const seenMs = known?.call === call ? known.seenMs : nowMs;
		this.gone.set(record.id, { call, seenMs });
		return nowMs - seenMs;
	}

	private ageMs(record: SendIntentRecord): number {
		return this.context.store.clock.now() - Date.parse(lastCallAt(record));
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
		return await this.context.store.transact(async (tx) => {
			const entry = await tx.sendIntents.get(id);
			if (entry?.record.state !== 'prepared') {
				this.gone.delete(id);
				return undefined;
			}
			if (isAsked === true && entry.record.again !== true) return undefined;
			const isHeld = held !== undefined && lastCallAt(held) === lastCallAt(entry.record);
			if (!isHeld && !(await this.isAbandoned(tx, entry.record))) return undefined;
			const record: SendIntentRecord = { ...entry.record, ...this.newCall(tx) };
			await tx.sendIntents.update(record);
			this.gone.delete(id);
			return { record, secrets: entry.secrets };
		});
	}
}

/** When the Backbone was last called for it, as far as anybody knows, by the store's clock. */
export function lastCallAt({ triedAt, createdAt }: SendIntentRecord): string {
	return triedAt ?? createdAt;
}
