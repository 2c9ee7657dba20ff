import type { Cancellable } from '../../../base/abort';
import { isoInstant } from '../../../base/clock';
import { newLeaseHolder } from '../../../base/lease/lease-holder';
import { systemRandom } from '../../../base/random';
import type { SendIntentRecord } from '../../../model/record/message';
import type { ReadTransaction } from '../../../store/store';
import type { MessageDependencies } from '../message-dependencies';
import { isDue, postponeWork } from '../../unfinished/ledger';
import { outcomeUnknown } from '../message-failures';
import type { LocalSends } from './local-sends';
import { claimedAt, isSameClaim, sendStateOf, type SendIntent } from './send-states';
import { sendTransitions, transitionFrom, type ClaimGuard } from './send-transitions';

type ClaimTransition = 'renewClaim' | 'claim' | 'claimRequested';

type Leases = Pick<ReadTransaction, 'leases'>;

/**
 * Manages claims on the calls for prepared messages, so that one process at a time calls the
 * Backbone for a message. Each call sends the same bytes, so that no counter is used for a second
 * content.
 */
export class SendClaims {
	/** identity of this process as the holder of claims */
	private readonly owner = newLeaseHolder(systemRandom);

	constructor(
		private readonly dependencies: Pick<
			MessageDependencies,
			'backbone' | 'clock' | 'store' | 'timings'
		>,
		private readonly local: LocalSends,
	) {}

	/** Returns the fields of a claim that begins now. */
	newClaim(tx: Leases): Pick<SendIntentRecord, 'triedAt' | 'caller'> {
		const triedAt = isoInstant(this.dependencies.store.clock.now());
		return { triedAt, caller: tx.leases.mark(this.owner) };
	}

	/**
	 * True when a search can let a repetition claim the call: neither this process nor another works
	 * on the send, nor does the Backbone.
	 */
	async mayClaim(record: SendIntentRecord, options: Cancellable): Promise<boolean> {
		if (this.local.isActive(record.id)) return false;
		const { backbone, clock, store } = this.dependencies;
		const { absentSince } = record;
		if (absentSince !== undefined) {
			const now = clock.now();
			if (this.isOver(absentSince, backbone.serverTimeMs ?? now)) return true;
			const work = (await store.read((tx) => tx.work.get(record.id), options))?.record;
			return work === undefined || isDue(work, now);
		}
		return await store.read((tx) => this.meets(tx, 'ownOrFree', record), options);
	}

	/**
	 * Decides by a list of the Backbone that lacks the message whether the latest call has no effect
	 * any more. The first such list after the end of the call starts a period, in which proxies and
	 * the Backbone may still carry the call out; a list that was read after this period proves that
	 * the message was not sent.
	 *
	 * @param searched row that was read before the search
	 * @param readAtMs time of the list, by the clock of the Backbone
	 */
	async isProvenAbsent(searched: SendIntentRecord, readAtMs: number): Promise<boolean> {
		const { clock, store, timings } = this.dependencies;
		return await store.transact(async (tx) => {
			const record = (await tx.sendIntents.get(searched.id))?.record;
			if (record === undefined || !isSameClaim(record, searched)) return false;
			if (!(await this.meets(tx, 'ownOrFree', record))) return false;
			const { absentSince = isoInstant(readAtMs) } = record;
			if (this.isOver(absentSince, readAtMs)) return true;
			const leftMs = Date.parse(absentSince) + timings.lateArrivalMs - readAtMs;
			await tx.sendIntents.update({ ...record, absentSince });
			await postponeWork(tx, record.id, Math.max(leftMs, 0), clock.now());
			return false;
		});
	}

	private isOver(absentSince: string, backboneNowMs: number): boolean {
		return backboneNowMs - Date.parse(absentSince) >= this.dependencies.timings.lateArrivalMs;
	}

	/**
	 * Claims the call, which has to begin at once. The caller must be the only one in this process
	 * that works on the send: then the call of an earlier claim of this process has ended.
	 *
	 * @returns undefined when the state of the send, or the claim of another process, forbids the
	 * call
	 */
	async claim(
		{ id }: SendIntentRecord,
		transition: Exclude<ClaimTransition, 'renewClaim'>,
	): Promise<SendIntent | undefined> {
		return await this.take(id, transition, () => true);
	}

	/**
	 * Renews a claim right before its call, if the process has waited or was suspended.
	 *
	 * @throws `error.gateway.messages.outcomeUnknown` when the claim was lost
	 */
	async renew(intent: SendIntent): Promise<SendIntent> {
		const { record } = intent;
		if (this.ageMs(record) <= this.dependencies.timings.renewClaimAfterMs) return intent;
		const renewed = await this.take(record.id, 'renewClaim', (stored) =>
			isSameClaim(stored, record),
		);
		if (renewed === undefined) throw outcomeUnknown(record);
		return renewed;
	}

	/**
	 * Time by which the call must have begun, in milliseconds since the epoch, by this host's clock.
	 */
	beginBefore(record: SendIntentRecord): number {
		const { clock, timings } = this.dependencies;
		return clock.now() + timings.firstByteDeadlineMs - this.ageMs(record);
	}

	/** Commits the claim before the call, so that all other processes wait until it ends. */
	private async take(
		id: string,
		name: ClaimTransition,
		isExpected: (stored: SendIntentRecord) => boolean,
	): Promise<SendIntent | undefined> {
		return await this.dependencies.store.transact(async (tx) => {
			const entry = await tx.sendIntents.get(id);
			const isAllowed = transitionFrom(name, sendStateOf(entry?.record)) !== undefined;
			if (entry === undefined || !isAllowed || !isExpected(entry.record)) return undefined;
			const { claim } = sendTransitions[name];
			if (!(await this.meets(tx, claim, entry.record))) return undefined;
			const { absentSince: _absentSince, ...rest } = entry.record;
			const record: SendIntentRecord = { ...rest, ...this.newClaim(tx) };
			await tx.sendIntents.update(record);
			return { record, secrets: entry.secrets };
		});
	}

	private async meets(
		tx: Leases,
		guard: Exclude<ClaimGuard, 'unchanged'>,
		record: SendIntentRecord,
	): Promise<boolean> {
		const isOwn = record.caller === tx.leases.mark(this.owner);
		if (guard === 'own') return isOwn;
		return (guard === 'ownOrFree' && isOwn) || (await this.isFree(tx, record));
	}

	/** True when no process can still be calling. */
	private async isFree(tx: Leases, record: SendIntentRecord): Promise<boolean> {
		const { claimTtlMs, deadOwnerGraceMs } = this.dependencies.timings;
		if (this.ageMs(record) >= claimTtlMs) return true;
		if (record.caller !== undefined && (await tx.leases.isGone(record.caller))) {
			// A grace period applies, because the call may have begun long before its process died, and
			// because a process looks dead while it has lost its connection to the store.
			return this.local.ownerDeadForMs(record) >= deadOwnerGraceMs;
		}
		this.local.ownerLives(record.id);
		return false;
	}

	private ageMs(record: SendIntentRecord): number {
		return this.dependencies.store.clock.now() - Date.parse(claimedAt(record));
	}
}
