import type { Cancellable } from '../../base/abort';
import { isGatewayError } from '../../base/errors';
import type { WireRelationship } from '../../backbone/dto';
import type { RelationshipRecord } from '../../model/record/relationship';
import type { WriteTransaction } from '../../store/store';
import { endOperation, type RelationshipActions } from './relationship-actions';
import type { RelationshipContext } from './relationship-context';
import { isOver, leaveRelationship, wasDecomposedBy } from './relationship-decomposition';
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
	 * Reads relationships again whose operation was begun and not seen to end, and with `reconcile`
	 * all of them. Returns the ids that were looked at.
	 */
	async settle(options: Cancellable & { readonly reconcile: boolean }): Promise<string[]> {
		const { store, backbone } = this.context;
		const entries = await store.read((tx) =>
			tx.relationships.list(
				options.reconcile ? {} : { where: [{ field: 'operation', op: 'exists' }] },
			),
		);
		const records = entries
			.map(({ record }) => record)
			.filter(({ id }) => !this.actions.isUnderWay(id));
		const leaving = records.filter(isLeaving);
		const others = records.filter((record) => !isLeaving(record)).map(({ id }) => id);
		for (const { id } of leaving) await this.settleDecomposition(id, options);
		const wires = await backbone.relationships.list(others, options);
		for (const wire of wires) await this.apply(wire, options);
		const shown = new Set(wires.map(({ id }) => id));
		const hidden = others.filter((id) => !shown.has(id));
		for (const id of hidden) await store.transact((tx) => this.forgetOldOperation(tx, id), options);
		return records.map(({ id }) => id);
	}

	/** The Backbone refuses to show a relationship to the side that has decomposed it. */
	private async settleDecomposition(id: string, options: Cancellable): Promise<void> {
		const { store, backbone, account } = this.context;
		const leave = (): Promise<void> =>
			store.transact((tx) => leaveRelationship(tx, id, this.context), options);
		try {
			const wire = await backbone.relationships.get(id, options);
			if (wasDecomposedBy(account.address, stateOf(wire).auditLog)) await leave();
			else await this.apply(wire, options);
		} catch (error) {
			if (!isOver(error)) throw error;
			await leave();
		}
	}

	/** One that cannot be used must not hold up the others: it is reported and stays as it was. */
	private async apply(wire: WireRelationship, options: Cancellable): Promise<void> {
		const { store, logger } = this.context;
		try {
			await store.transact(async (tx) => {
				await this.relationships.receive(tx, { wire, wasKnown: true });
				await this.forgetOldOperation(tx, wire.id);
			}, options);
		} catch (error) {
			if (!isGatewayError(error) || error.kind === 'unavailable') throw error;
			const { code, message } = error;
			logger.warn('a relationship could not be brought up to date', {
				relationshipId: wire.id,
				code,
				reason: message,
			});
		}
	}

	/** The operation never reached the Backbone if nothing has changed long after it was begun. */
	private async forgetOldOperation(tx: WriteTransaction, id: string): Promise<void> {
		const begun = (await tx.relationships.get(id))?.record.operation?.split('@')[1];
		if (begun === undefined) return;
		if (this.context.clock.now() - Date.parse(begun) < operationPatienceMs) return;
		await endOperation(tx, id);
	}
}

function isLeaving({ operation }: RelationshipRecord): boolean {
	return operation?.startsWith('decompose@') === true;
}
