import { throwIfAborted, type Cancellable } from '../../base/abort';
import { isoInstant, type Clock } from '../../base/clock';
import { isGatewayError, type GatewayError } from '../../base/errors';
import type { Logger } from '../../base/logger';
import type { Backbone } from '../../backbone/backbone';
import { isOddAnswer } from '../../backbone/odd-answer';
import { appendEvent } from '../../events/outbox';
import type { RetryState } from '../../model/record/retry-state';
import type { Store, WriteTransaction } from '../../store/store';
import { afterFailure, isDue } from './retry-rules';
import { nameOf, readPiece, writeRetry, type UnfinishedPiece } from './unfinished-rows';

/** Pieces of one pass that the Backbone leaves without an answer: each costs a deadline. */
const patience = 3;

/** Stands for the failure of a send, which is its cause. */
const outcomeUnknownCode = 'error.gateway.messages.outcomeUnknown';

export interface UnfinishedAttemptsDependencies {
	readonly store: Store;
	readonly backbone: Backbone;
	readonly clock: Clock;
	readonly logger: Logger;
}

/** The end of one attempt; `isOpen` when the piece waits for another one. */
export interface AttemptOutcome<Result> {
	readonly isOpen: boolean;
	readonly result?: Result;
}

/**
 * One pass over what interrupted actions left open. Each piece is tried under its own guard: a failure
 * is counted in its row, with the time of the next try, and never in the way of other pieces. Only an
 * unreachable Backbone, or a store that is away, ends the pass; neither counts as a failure of a piece.
 */
export class UnfinishedAttempts {
	private unanswered = 0;

	private reachable: Promise<boolean> | undefined;

	constructor(
		private readonly deps: UnfinishedAttemptsDependencies,
		private readonly options: Cancellable,
	) {}

	/** Whether the time of the next try has come. */
	isDue(retry: RetryState | undefined): boolean {
		return isDue(retry, this.deps.clock.now());
	}

	/**
	 * Does the work of a piece when its time has come.
	 *
	 * @throws the failure of `work` when the Backbone or the store is away
	 */
	async attempt<Result>(
		piece: UnfinishedPiece,
		work: () => Promise<Result>,
	): Promise<AttemptOutcome<Result>> {
		const { store } = this.deps;
		const before = await store.read((tx) => readPiece(tx, piece), this.options);
		const isDue = piece.isAlwaysDue === true || this.isDue(before?.retry);
		if (!isDue || this.unanswered >= patience) return { isOpen: true };
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
	 * Counts a failure of the piece; answers whether the piece is still open.
	 *
	 * @throws the error when the Backbone or the store is away
	 */
	async recordFailure(piece: UnfinishedPiece, error: unknown): Promise<boolean> {
		throwIfAborted(this.options);
		const reason = rootOf(error);
		if (isStoreAway(reason)) throw error;
		if (isUnanswered(reason)) {
			this.unanswered++;
			if (!(await this.isReachable())) throw error;
		}
		const { store, clock, logger } = this.deps;
		const failed = await store.transact(async (tx) => {
			const current = await readPiece(tx, piece);
			// The deletion of our identity has no row of its own: its first failure opens the piece.
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

	/** Two lists with nothing in common: one of them may be what the Backbone cannot answer. */
	private async isReachable(): Promise<boolean> {
		const { backbone } = this.deps;
		const probe = async (call: () => Promise<unknown>): Promise<boolean> => {
			try {
				await call();
				return true;
			} catch (error) {
				throwIfAborted(this.options);
				return isGatewayError(error) && !isUnanswered(error);
			}
		};
		this.reachable ??= probe(() => backbone.deletionProcesses.list(this.options)).then(
			async (isThere) =>
				isThere ||
				(await probe(() => backbone.messages.page({ pageNumber: 1, pageSize: 1 }, this.options))),
		);
		return await this.reachable;
	}
}

/** The work itself may have planned its next try. */
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

/** What the Backbone said, where an unknown outcome is reported in its place. */
function rootOf(error: unknown): unknown {
	if (!isGatewayError(error) || error.code !== outcomeUnknownCode) return error;
	return error.cause ?? error;
}

function isStoreAway(error: unknown): boolean {
	return (
		isGatewayError(error) &&
		error.kind === 'unavailable' &&
		error.code.startsWith('error.gateway.store.')
	);
}

function isUnanswered(error: unknown): error is GatewayError {
	return isGatewayError(error) && error.kind === 'unavailable' && !isOddAnswer(error);
}
