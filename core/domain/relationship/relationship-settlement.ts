import type { Cancellable } from '../../base/abort';
import type { WireRelationship } from '../../backbone/dto';
import { readableItemsOnly } from '../../backbone/port/odd-answer';
import type { WorkRecord } from '../../model/record/work';
import type { WriteTransaction } from '../../store/store';
import type { RelationshipDependencies } from './relationship-dependencies';
import { isGone, leaveRelationship, wasDecomposedBy } from './relationship-decomposition';
import type { RelationshipService } from './relationship-service';
import { stateOf } from './wire-relationship';

/** time in which an operation with an unseen end may still be in progress in another process */
const operationPatienceMs = 90_000;

/** Determines the outcome of operations of this account whose answer was lost. */
export class RelationshipSettlement {
	constructor(
		private readonly dependencies: RelationshipDependencies,
		private readonly relationships: RelationshipService,
	) {}

	/** Reads the relationship again; true when it has changed. */
	async settle({ id, kind }: WorkRecord, options: Cancellable): Promise<boolean> {
		return kind === 'decomposeRelationship'
			? await this.settleDecomposition(id, options)
			: await this.settleOperation(id, options);
	}

	/** Settles an operation; true when the relationship has changed. */
	private async settleOperation(id: string, options: Cancellable): Promise<boolean> {
		const { store, backbone } = this.dependencies;
		const [wire] = await backbone.relationships.list([id], { ...options, ...readableItemsOnly });
		// Hidden from this account: another process has decomposed the relationship, or the peer's
		// decomposition ended it.
		if (wire === undefined) {
			return await store.transact((tx) => this.forgetOldOperation(tx, id), options);
		}
		return await this.receiveEnd(wire, options);
	}

	private async receiveEnd(wire: WireRelationship, options: Cancellable): Promise<boolean> {
		return await this.dependencies.store.transact(async (tx) => {
			const before = await lengthOfLog(tx, wire.id);
			await this.relationships.receive(tx, { wire, wasKnown: true });
			const isForgotten = await this.forgetOldOperation(tx, wire.id);
			return isForgotten || (await lengthOfLog(tx, wire.id)) !== before;
		}, options);
	}

	/**
	 * Settles a decomposition: the Backbone refuses to show a relationship to the side that has
	 * decomposed it.
	 */
	private async settleDecomposition(id: string, options: Cancellable): Promise<boolean> {
		const { store, backbone, account } = this.dependencies;
		const leave = (): Promise<void> =>
			store.transact((tx) => leaveRelationship(tx, id, this.dependencies), options);
		try {
			const wire = await backbone.relationships.get(id, options);
			if (!wasDecomposedBy(account.address, stateOf(wire).auditLog)) {
				return await this.receiveEnd(wire, options);
			}
		} catch (error) {
			if (!isGone(error)) throw error;
		}
		await leave();
		return true;
	}

	/**
	 * Closes the work of an operation that never reached the Backbone: nothing has changed long after
	 * it began.
	 */
	private async forgetOldOperation(tx: WriteTransaction, id: string): Promise<boolean> {
		const work = (await tx.work.get(id))?.record;
		if (work === undefined) return false;
		if (this.dependencies.clock.now() - Date.parse(work.since) < operationPatienceMs) return false;
		await tx.work.delete(id);
		return true;
	}
}

async function lengthOfLog(tx: WriteTransaction, id: string): Promise<number | undefined> {
	return (await tx.relationships.get(id))?.record.auditLog.length;
}
