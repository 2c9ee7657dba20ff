import { throwIfAborted, type Cancellable } from '../../base/abort';
import { isoInstant, type Clock } from '../../base/clock';
import { isGatewayError } from '../../base/errors';
import { appendEvent } from '../../events/outbox';
import type { WorkRecord } from '../../model/record/work';
import type { WriteTransaction } from '../../store/store';
import { failed, type Ledger } from './ledger';
import { isStoreAway, isUnanswered, Reachability } from './reachability';
import type { Needs } from '../needs';

/** Number of unanswered attempts after which a pass tries no more: each costs a deadline. */
const mostUnanswered = 3;

/** Code that wraps the failure of a send, which is its cause. */
const outcomeUnknownCode = 'error.gateway.messages.outcomeUnknown';

export interface WorkAttemptsDependencies extends Needs<'store' | 'backbone' | 'clock' | 'logger'> {
	readonly ledger: Ledger;
}

/** Result of one attempt; `isOpen` if the work needs another attempt. */
export interface AttemptOutcome<Result> {
	readonly isOpen: boolean;
	readonly result?: Result;
}

/**
 * One pass over unfinished work. Each attempt is independent: a failure is counted in the ledger,
 * with the time of the next attempt, and does not affect other work. Only an unreachable Backbone
 * or store ends the pass; neither counts as a failure.
 */
export class WorkAttempts {
	private unanswered = 0;

	private readonly backbone: Reachability;

	constructor(
		private readonly dependencies: WorkAttemptsDependencies,
		private readonly options: Cancellable,
	) {
		this.backbone = new Reachability(dependencies.backbone, options);
	}

	/**
	 * Makes an attempt if it is due and no other process makes one.
	 *
	 * @param isAlwaysDue true if the attempt costs nothing and does not wait for its time
	 * @throws the failure of `work` when the Backbone or the store is unreachable
	 */
	async attempt<Result>(
		id: string,
		work: (row: WorkRecord) => Promise<Result>,
		{ isAlwaysDue = false }: { readonly isAlwaysDue?: boolean } = {},
	): Promise<AttemptOutcome<Result>> {
		const { ledger } = this.dependencies;
		if (this.unanswered >= mostUnanswered) return { isOpen: true };
		const row = await ledger.claim(id, { ...this.options, isAlwaysDue });
		if (row === undefined) return { isOpen: true };
		try {
			const result = await work(row);
			await ledger.succeed(id, this.options);
			return { isOpen: false, result };
		} catch (error) {
			const count = () => this.recordFailure(id, error);
			return { isOpen: await ledger.whileClaimed(id, count) };
		}
	}

	/**
	 * Counts a failure; returns true if the work is still open.
	 *
	 * @throws the error when the Backbone or the store is unreachable
	 */
	async recordFailure(id: string, error: unknown): Promise<boolean> {
		throwIfAborted(this.options);
		const reason = rootOf(error);
		if (isStoreAway(reason)) throw error;
		if (isUnanswered(reason)) {
			this.unanswered++;
			if (!(await this.backbone.isReachable())) throw error;
		}
		const { store, clock, logger } = this.dependencies;
		const work = await store.transact(async (tx) => {
			const before = (await tx.work.get(id))?.record;
			if (before === undefined) return undefined;
			const work = failed(before, reason, clock.now());
			await tx.work.update(work);
			if (work.isReported !== before.isReported) await publishUnfinished(tx, work, clock);
			return work;
		}, this.options);
		logger.warn('an interrupted change could not be finished', {
			id,
			change: work?.kind,
			code: isGatewayError(reason) ? reason.code : undefined,
			reason: String(reason),
			nextTryAt: work?.dueAt,
		});
		return work !== undefined;
	}
}

async function publishUnfinished(
	tx: WriteTransaction,
	{ id, kind: change, failure }: WorkRecord,
	clock: Clock,
): Promise<void> {
	const { since = '', code = '', message = '' } = failure ?? {};
	await appendEvent(tx, {
		name: 'gateway.changeUnfinished',
		createdAt: isoInstant(clock.now()),
		subject: id,
		data: { id, change, since, code, message },
	});
}

/** Returns the Backbone's error behind an error that reports an unknown outcome. */
function rootOf(error: unknown): unknown {
	if (!isGatewayError(error, outcomeUnknownCode)) return error;
	return error.cause ?? error;
}
