import { throwIfAborted, type Cancellable } from '../../base/abort';
import { isoInstant, type Clock } from '../../base/clock';
import { isGatewayError } from '../../base/errors';
import type { Logger } from '../../base/logger';
import type { Backbone } from '../../backbone/port/backbone';
import { appendEvent } from '../../events/outbox';
import type { RetryState } from '../../model/record/retry-state';
import type { Store, WriteTransaction } from '../../store/store';
import { isStoreAway, isUnanswered, Reachability } from './reachability';
import { afterFailure, isDue } from './retry-rules';
import { nameOf, readPiece, writeRetry, type UnfinishedPiece } from './unfinished-rows';

/** Number of unanswered pieces after which a pass tries no more: each costs a deadline. */
const mostUnanswered = 3;

/** Code that wraps the failure of a send, which is its cause. */
const outcomeUnknownCode = 'error.gateway.messages.outcomeUnknown';

export interface UnfinishedAttemptsDependencies {
	readonly store: Store;
	readonly backbone: Backbone;
	readonly clock: Clock;
	readonly logger: Logger;
}

/** Result of one attempt; `isOpen` if the piece needs another attempt. */
export interface AttemptOutcome<Result> {
	readonly isOpen: boolean;
	readonly result?: Result;
}

/**
 * One pass over the unfinished work of interrupted actions. Pieces are tried independently: a failure
 * is counted in the row of its piece, with the time of the next attempt, and does not affect other
 * pieces. Only an unreachable Backbone or store ends the pass; neither counts as a failure of a
 * piece.
 */
export class UnfinishedAttempts {
	private unanswered = 0;

	private readonly backbone: Reachability;

	constructor(
		private readonly dependencies: UnfinishedAttemptsDependencies,
		private readonly options: Cancellable,
	) {
		this.backbone = new Reachability(dependencies.backbone, options);
	}

	/** Checks whether the next attempt is due. */
	isDue(retry: RetryState | undefined): boolean {
		return isDue(retry, this.dependencies.clock.now());
	}

	/**
	 * Runs the work of a piece if its next attempt is due.
	 *
	 * @throws the failure of `work` when the Backbone or the store is unreachable
	 */
	async attempt<Result>(
		piece: UnfinishedPiece,
		work: () => Promise<Result>,
	): Promise<AttemptOutcome<Result>> {
		const { store } = this.dependencies;
		const before = await store.read((tx) => readPiece(tx, piece), this.options);
		const isDue = piece.isAlwaysDue === true || this.isDue(before?.retry);
		if (!isDue || this.unanswered >= mostUnanswered) return { isOpen: true };
		try {
			const result = await work();
			if (before?.retry !== undefined) {
				const { retry } = before;
				await store.transact((tx) => clearRetry(tx, piece, retry), this.options);
			}
			return { isOpen: false, result };
		} catch (error) {
			return { isOpen: await this.recordFailure(piece, error) };
		}
	}

	/**
	 * Counts a failure of the piece; returns true if the piece is still open.
	 *
	 * @throws the error when the Backbone or the store is unreachable
	 */
	async recordFailure(piece: UnfinishedPiece, error: unknown): Promise<boolean> {
		throwIfAborted(this.options);
		const reason = rootOf(error);
		if (isStoreAway(reason)) throw error;
		if (isUnanswered(reason)) {
			this.unanswered++;
			if (!(await this.backbone.isReachable())) throw error;
		}
		const { store, clock, logger } = this.dependencies;
		const failed = await store.transact(async (tx) => {
			const current = await readPiece(tx, piece);
			// The deletion of the identity has no row of its own: its first failure opens the piece.
			if (current === undefined && piece.row !== 'syncState') return undefined;
			const { change, retry: before } = current ?? { change: 'deleteIdentity', retry: undefined };
			const retry = afterFailure(before, reason, clock.now());
			await writeRetry(tx, piece, retry);
			if (retry.isReported === true && before?.isReported !== true) {
				await publishUnfinished(tx, { id: nameOf(piece), change }, retry, clock);
			}
			return { change, retry };
		}, this.options);
		logger.warn('an interrupted change could not be finished', {
			id: piece.id,
			change: failed?.change ?? piece.row,
			code: isGatewayError(reason) ? reason.code : undefined,
			reason: String(reason),
			nextTryAt: failed?.retry.notBefore,
		});
		return failed !== undefined;
	}
}

/** Clears the retry state, unless the work itself has planned its next attempt. */
async function clearRetry(
	tx: WriteTransaction,
	piece: UnfinishedPiece,
	before: RetryState,
): Promise<void> {
	const retry = (await tx[piece.row].get(piece.id))?.record.retry;
	if (retry === undefined || retry.notBefore !== before.notBefore) return;
	await writeRetry(tx, piece, undefined);
}

async function publishUnfinished(
	tx: WriteTransaction,
	{ id, change }: { readonly id: string; readonly change: string },
	{ firstFailedAt, lastFailure }: RetryState,
	clock: Clock,
): Promise<void> {
	await appendEvent(tx, {
		name: 'gateway.changeUnfinished',
		createdAt: isoInstant(clock.now()),
		subject: id,
		data: {
			id,
			change,
			since: firstFailedAt,
			code: lastFailure?.code ?? '',
			message: lastFailure?.message ?? '',
		},
	});
}

/** Returns the Backbone's error behind an error that reports an unknown outcome. */
function rootOf(error: unknown): unknown {
	if (!isGatewayError(error, outcomeUnknownCode)) return error;
	return error.cause ?? error;
}
