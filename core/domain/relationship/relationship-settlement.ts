import type { Cancellable } from '../../base/abort';
import type { WireRelationship } from '../../backbone/dto';
import { readableItemsOnly } from '../../backbone/odd-answer';
import type { RelationshipRecord } from '../../model/record/relationship';
import type { WriteTransaction } from '../../store/store';
import { endOperation, type RelationshipActions } from './relationship-actions';
import type { RelationshipContext } from './relationship-context';
import { isOver, leaveRelationship, wasDecomposedBy } from './relationship-decomposition';
import type { UnfinishedAttempts } from '../unfinished/unfinished-attempts';
import type { RelationshipService } from './relationship-service';
import { stateOf } from './wire-relationship';

/** how long an operation whose end was not seen may still be under way in another process */
const operationPatienceMs = 90_000;

/** Finds out how our own operations ended whose answer was lost. */
export class RelationshipSettlement {
	constructor(
		private readonly context: RelationshipContext,
		private readonly relationships: RelationshipService,
		private readonly actions: Pick<RelationshipActions, 'isUnderWay'>,
	) {}

	/**
	 * Reads relationships again whose operation was begun and not seen to end, each by itself.
	 * Returns the ids of those that are other than before.
	 */
	async settle(
		options: Cancellable & {
			readonly attempts: UnfinishedAttempts;
		},
	): Promise<string[]> {
		const { store } = this.context;
		const { attempts } = options;
		const entries = await store.read((tx) =>
			tx.relationships.list({ where: [{ field: 'operation', op: 'exists' }] }),
		);
		const begun = entries
			.map(({ record }) => record)
			.filter(({ id }) => !this.actions.isUnderWay(id));
		const settled: string[] = [];
		for (const record of begun) {
			const { result: hasChanged } = await attempts.attempt(
				{ row: 'relationships', id: record.id },
				() =>
					isLeaving(record)
						? this.settleDecomposition(record.id, options)
						: this.settleOperation(record.id, options),
			);
			if (hasChanged === true) settled.push(record.id);
		}
		return settled;
	}

	/** Answers whether the relationship has changed. */
	private async settleOperation(id: string, options: Cancellable): Promise<boolean> {
		const { store, backbone } = this.context;
		const [wire] = await backbone.relationships.list([id], { ...options, ...readableItemsOnly });
		// Hidden from us: another process has left it, or the peer's leaving ended it.
		if (wire === undefined) {
			return await store.transact((tx) => this.forgetOldOperation(tx, id), options);
		}
		return await this.receiveEnd(wire, options);
	}

	private async receiveEnd(wire: WireRelationship, options: Cancellable): Promise<boolean> {
		return await this.context.store.transact(async (tx) => {
			const before = await lengthOfLog(tx, wire.id);
			await this.relationships.receive(tx, { wire, wasKnown: true });
			const isForgotten = await this.forgetOldOperation(tx, wire.id);
			return isForgotten || (await lengthOfLog(tx, wire.id)) !== before;
		}, options);
	}

	/** The Backbone refuses to show a relationship to the side that has decomposed it. */
	private async settleDecomposition(id: string, options: Cancellable): Promise<boolean> {
		const { store, backbone, account } = this.context;
		const leave = (): Promise<void> =>
			store.transact((tx) => leaveRelationship(tx, id, this.context), options);
		try {
			const wire = await backbone.relationships.get(id, options);
			if (!wasDecomposedBy(account.address, stateOf(wire).auditLog)) {
				return await this.receiveEnd(wire, options);
			}
		} catch (error) {
			if (!isOver(error)) throw error;
		}
		await leave();
		return true;
	}

	/** The operation never reached the Backbone if nothing has changed long after it was begun. */
	private async forgetOldOperation(tx: WriteTransaction, id: string): Promise<boolean> {
		const begun = (await tx.relationships.get(id))?.record.operation?.split('@')[1];
		if (begun === undefined) return false;
		if (this.context.clock.now() - Date.parse(begun) < operationPatienceMs) return false;
		await endOperation(tx, id);
		return true;
	}
}

async function lengthOfLog(tx: WriteTransaction, id: string): Promise<number | undefined> {
	return (await tx.relationships.get(id))?.record.auditLog.length;
}

function isLeaving({ operation }: RelationshipRecord): boolean {
	return operation?.startsWith('decompose@') === true;
}
