import type { Cancellable } from '../base/abort';
import { startLeaseRenewal } from '../base/lease/lease-renewal';
import type { Logger } from '../base/logger';
import type { Lease, Store, WriteTransaction } from '../store/store';

const prefix = 'sync-run:';

/**
 * Durable mark of a process that asks the Backbone for sync runs. The Backbone may create a run
 * whose id never arrives here, and each event has three offers, of which the expiry of that run
 * costs one. A process that finds the mark of another process that is gone therefore compares with
 * the Backbone's lists. The mark is set with the first sync, prolonged while the process lives, and
 * removed when the process ends normally, so that a sync without new events writes nothing.
 */
export class SyncRunMarker {
	private stopRenewal: (() => void) | undefined;

	constructor(
		private readonly store: Store,
		private readonly holder: string,
		private readonly logger: Logger,
		private readonly markMs: number,
	) {}

	async set(options: Cancellable): Promise<void> {
		if (this.stopRenewal !== undefined) return;
		const take = (tx: WriteTransaction): Promise<boolean> =>
			tx.leases.take(prefix + this.holder, this.holder, this.markMs);
		await this.store.transact(take, options);
		this.stopRenewal ??= startLeaseRenewal({
			leaseMs: this.markMs,
			renew: () => this.store.transact(take),
			onFailure: (error) =>
				this.logger.debug('the mark of the sync was not prolonged', { reason: String(error) }),
		});
	}

	/**
	 * Removes the mark.
	 *
	 * @param before runs in the transaction that removes the mark
	 */
	async remove(before: (tx: WriteTransaction) => Promise<void>): Promise<void> {
		if (this.stopRenewal === undefined) return;
		this.stopRenewal();
		this.stopRenewal = undefined;
		await this.store.transact(async (tx) => {
			await before(tx);
			await tx.leases.drop(prefix + this.holder, this.holder);
		});
	}
}

/**
 * Returns the marks of other processes that did not end normally. The own mark is excluded, because
 * it looks the same after a long suspension.
 */
export function abandonedMarks(leases: readonly Lease[], ownHolder: string): Lease[] {
	return leases.filter(
		({ name, holder, isExpired }) => isExpired && holder !== ownHolder && name.startsWith(prefix),
	);
}
