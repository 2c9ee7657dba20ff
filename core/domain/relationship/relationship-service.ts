import type { Cancellable } from '../../base/abort';
import { isoInstant } from '../../base/clock';
import { isGatewayError, type GatewayError } from '../../base/errors';
import type { WireRelationship } from '../../backbone/dto';
import { readableItemsOnly } from '../../backbone/odd-answer';
import { appendEvent, type EventNameOf } from '../../events/outbox';
import { compareInstants } from '../../model/instant';
import type { RelationshipDto, RelationshipRecord } from '../../model/record/relationship';
import type { Query, RelationshipField, WriteTransaction } from '../../store/store';
import { endCreation } from './creation-intents';
import { completeSecrets, openArrival, type StoredRelationship } from './relationship-arrival';
import type { RelationshipContext } from './relationship-context';
import { isAlreadyDecomposed, tellHoldings } from './relationship-decomposition';
import { toRelationshipDto } from './relationship-dto';
import { relationshipErrors } from './relationship-errors';
import { decideUpdate, newsOf, type ReactivationEvent } from './relationship-rules';
import { stateOf } from './wire-relationship';

/** first of the Backbone's checks, before it looks for an existing relationship (backbone-api 14.2) */
export const peerIsToBeDeleted = 'error.platform.validation.relationship.peerIsToBeDeleted';

/** A relationship as the Backbone has it. */
export interface FetchedRelationship {
	readonly wire: WireRelationship;
	/** Whether we had it when it was fetched: one that we have left since must not come back. */
	readonly wasKnown: boolean;
}

/** Reading relationships, and what syncs do to them (docs/protocol/transport.md 5, 6, 14). */
export class RelationshipService {
	constructor(readonly context: RelationshipContext) {}

	/** @throws `error.runtime.recordNotFound` */
	async get(id: string, options: Cancellable = {}): Promise<RelationshipDto> {
		return this.toDto(await this.find(id, options));
	}

	async list(
		query: Query<RelationshipField> = {},
		options: Cancellable = {},
	): Promise<RelationshipDto[]> {
		const entries = await this.context.store.read((tx) => tx.relationships.list(query), options);
		return entries.map((entry) => this.toDto(entry));
	}

	/** In the order of the ids; unknown ones are left out. */
	async getMany(ids: readonly string[]): Promise<RelationshipDto[]> {
		if (ids.length === 0) return [];
		const entries = await this.context.store.read((tx) => tx.relationships.getMany(ids));
		return entries.map((entry) => this.toDto(entry));
	}

	/** For sync steps: the relationship as the Backbone has it now. */
	async fetch(id: string, options: Cancellable): Promise<FetchedRelationship> {
		const { store, backbone } = this.context;
		const known = await store.read((tx) => tx.relationships.get(id), options);
		try {
			const wire = await backbone.relationships.get(id, options);
			return { wire, wasKnown: known !== undefined };
		} catch (error) {
			const isLeaving = known?.record.operation !== undefined;
			if (known === undefined || isLeaving || !isAlreadyDecomposed(error)) throw error;
			// We have left it in a life that this store does not know of; the list goes on showing it.
			const [wire] = await backbone.relationships.list([id], {
				...options,
				...readableItemsOnly,
			});
			if (wire === undefined) throw error;
			return { wire, wasKnown: true };
		}
	}

	/** Stores a new relationship or brings a known one up to date; older states change nothing. */
	async receive(
		tx: WriteTransaction,
		{ wire, wasKnown }: FetchedRelationship,
		announcement?: ReactivationEvent,
	): Promise<void> {
		const stored = await tx.relationships.get(wire.id);
		if (stored === undefined) {
			if (!wasKnown) await this.receiveNew(tx, wire);
			return;
		}
		const record: RelationshipRecord = { ...stored.record, ...stateOf(wire) };
		const secrets = completeSecrets(stored, wire);
		const change = decideUpdate(stored.record, record);
		if (change === 'unchanged' && secrets === undefined) return;
		const next = {
			record: change === 'changed' ? this.withoutEndedOperation(record) : stored.record,
			secrets: secrets ?? stored.secrets,
		};
		await tx.relationships.update(next.record, secrets);
		if (change === 'unchanged') return;
		await this.publishChange(tx, next, stored.record.auditLog.length, announcement);
		await tellHoldings(tx, next.record, stored.record, this.context);
		await this.noteDeletionOfPeer(tx, next.record);
	}

	/** The audit log tells that the peer's identity is gone, even when no `PeerDeleted` comes. */
	private async noteDeletionOfPeer(
		tx: WriteTransaction,
		{ id, auditLog }: RelationshipRecord,
	): Promise<void> {
		const end = auditLog.find(({ reason }) => reason === 'DecompositionDueToIdentityDeletion');
		if (end === undefined) return;
		const info = { deletionStatus: 'Deleted', deletionDate: end.createdAt } as const;
		await this.applyPeerDeletion(tx, id, info);
	}

	/** The mark is taken away when the newest entry is ours; what the peer does says nothing of it. */
	private withoutEndedOperation(record: RelationshipRecord): RelationshipRecord {
		if (record.auditLog.at(-1)?.createdBy !== this.context.account.address) return record;
		const { operation: _operation, retry: _retry, ...rest } = record;
		return rest;
	}

	/**
	 * Whether the peer's identity is to be deleted as of now: its events may change places. Unknown
	 * relationships answer undefined.
	 */
	async isPeerToBeDeleted(id: string, options: Cancellable): Promise<boolean | undefined> {
		const { store, backbone } = this.context;
		const stored = await store.read((tx) => tx.relationships.get(id), options);
		if (stored === undefined) return undefined;
		try {
			const { code } = await backbone.relationships.canCreate(stored.record.peer, options);
			return code === peerIsToBeDeleted;
		} catch (error) {
			// Deleted already: its own event follows.
			if (!isGatewayError(error) || error.kind === 'unavailable') throw error;
			return true;
		}
	}

	/** The peer's deletion was announced, cancelled (no info) or done (transport 14). */
	async applyPeerDeletion(
		tx: WriteTransaction,
		id: string,
		info: RelationshipRecord['peerDeletionInfo'],
	): Promise<void> {
		const stored = await tx.relationships.get(id);
		if (stored === undefined) {
			throw relationshipErrors.create('transportRecordNotFound', {
				message: `The peer of the unknown relationship ${id} changed its deletion state.`,
				facts: { relationshipId: id },
			});
		}
		const { peerDeletionInfo: former, ...rest } = stored.record;
		if (!isNewsOfPeer(former, info)) return;
		const record = info === undefined ? rest : { ...rest, peerDeletionInfo: info };
		await tx.relationships.update(record);
		const names = {
			ToBeDeleted: 'transport.peerToBeDeleted',
			Deleted: 'transport.peerDeleted',
		} as const;
		const name =
			info === undefined ? 'transport.peerDeletionCancelled' : names[info.deletionStatus];
		await this.publish(tx, name, { record, secrets: stored.secrets });
	}

	toDto(entry: StoredRelationship): RelationshipDto {
		return toRelationshipDto(entry.record, entry.secrets, this.context.account.backboneBaseUrl);
	}

	/** @throws `error.runtime.recordNotFound` */
	async find(id: string, options: Cancellable): Promise<StoredRelationship> {
		const entry = await this.context.store.read((tx) => tx.relationships.get(id), options);
		if (entry !== undefined) return entry;
		throw unknownRelationship(id);
	}

	async publish(
		tx: WriteTransaction,
		name: EventNameOf<RelationshipDto>,
		entry: StoredRelationship,
	): Promise<void> {
		await appendEvent(tx, {
			name,
			createdAt: isoInstant(this.context.clock.now()),
			peer: entry.record.peer,
			subject: entry.record.id,
			data: this.toDto(entry),
		});
	}

	/** Tells what the audit log has gained; `known` entries were there before. */
	async publishChange(
		tx: WriteTransaction,
		entry: StoredRelationship,
		known: number,
		announcement?: ReactivationEvent,
	): Promise<void> {
		for (const name of newsOf(entry.record.auditLog, known, announcement)) {
			await this.publish(tx, name, entry);
		}
	}

	private async receiveNew(tx: WriteTransaction, wire: WireRelationship): Promise<void> {
		const { arrived: opened, intentId } = await openArrival(tx, wire, this.context);
		let arrived = opened;
		const completed = completeSecrets(arrived, wire);
		if (completed !== undefined) arrived = { record: arrived.record, secrets: completed };
		await tx.relationships.insert(arrived.record, arrived.secrets);
		await this.publishChange(tx, arrived, 0);
		if (intentId === undefined) {
			await this.context.onRelationshipArrived(tx, arrived.record);
		} else {
			await endCreation(tx, intentId);
			await this.context.onRelationshipCreated?.(tx, arrived.record);
		}
		await tellHoldings(tx, arrived.record, undefined, this.context);
		await this.noteDeletionOfPeer(tx, arrived.record);
	}
}

/**
 * Events repeat themselves and change places: after a deletion comes nothing but its end, which the
 * Backbone was asked about, and a later plan replaces an earlier one.
 */
function isNewsOfPeer(
	former: RelationshipRecord['peerDeletionInfo'],
	info: RelationshipRecord['peerDeletionInfo'],
): boolean {
	if (former === undefined) return info !== undefined;
	if (former.deletionStatus === 'Deleted') return info === undefined;
	if (info?.deletionStatus !== 'ToBeDeleted') return true;
	return compareInstants(info.deletionDate, former.deletionDate) > 0;
}

export function unknownRelationship(id: string): GatewayError {
	return relationshipErrors.create('notFound', {
		message: `There is no relationship with the ID '${id}' in this account.`,
		facts: { relationshipId: id },
	});
}
