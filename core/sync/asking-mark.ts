import type { Cancellable } from '../base/abort';
import type { Logger } from '../base/logger';
import type { Lease, Store, WriteTransaction } from '../store/store';

const prefix = 'asking:';

/**
 * The durable trace of a process that asks the Backbone for sync runs. A run may be created whose id
 * nobody sees any more, and its expiry costs its events one of three offers; so whoever finds the
 * mark of a process that is gone compares with the Backbone's lists. Set with the first sync, prolonged
 * while the process lives, removed when it ends in order: a sync that finds nothing writes nothing.
 */
export class AskingMark {
	private renewal: NodeJS.Timeout | undefined;

	constructor(
		private readonly store: Store,
		private readonly holder: string,
		private readonly logger: Logger,
		private readonly markMs: number,
	) {}

	async set(options: Cancellable): Promise<void> {
		if (this.renewal !== undefined) return;
		const take = (tx: WriteTransaction): Promise<boolean> =>
			tx.leases.take(prefix + this.holder, this.holder, this.markMs);
		await this.store.transact(take, options);
		this.renewal ??= setInterval(() => {
			this.store.transact(take).catch((error: unknown) => {
				this.logger.debug('the mark of the sync was not prolonged', { reason: String(error) });
			});
		}, this.markMs / 3);
		this.renewal.unref();
	}

	/** @param before runs in the transaction that removes the mark */
	async remove(before: (tx: WriteTransaction) => Promise<void>): Promise<void> {
		if (this.renewal === undefined) return;
		clearInterval(this.renewal);
		this.renewal = undefined;
		await this.store.transact(async (tx) => {
			await before(tx);
			await tx.leases.drop(prefix + this.holder, this.holder);
		});
	}
}

/** Marks of other processes that did not end in order; after a long sleep our own looks like one. */
export function abandonedMarks(leases: readonly Lease[], ownHolder: string): Lease[] {
	return leases.filter(
		({ name, holder, isOver }) => isOver && holder !== ownHolder && name.startsWith(prefix),
	);
}
