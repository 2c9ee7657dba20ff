import type { Cancellable } from '../../base/abort';
import { isoInstant } from '../../base/clock';
import { isGatewayError, type GatewayError } from '../../base/errors';
import type { WireRelationship } from '../../backbone/dto';
import { readableItemsOnly } from '../../backbone/port/odd-answer';
import { appendEvent, type EventNameOf } from '../../events/outbox';
import { compareInstants } from '../../model/instant';
import type { RelationshipDto, RelationshipRecord } from '../../model/record/relationship';
import type { RelationshipField, WriteTransaction } from '../../store/store';
import { text, type QueryFields } from '../query/collection-query';
import { listOf } from '../query/list-with-query';
import { endCreation } from './creation-intents';
import { completeSecrets, openArrival, type StoredRelationship } from './relationship-arrival';
import type { RelationshipDependencies } from './relationship-dependencies';
import { isAlreadyDecomposed, notifyOfStatus } from './relationship-decomposition';
import { toRelationshipDto } from './relationship-dto';
import { relationshipErrors } from './relationship-errors';
import {
	decideUpdate,
	eventsForNewAuditEntries,
	type ReactivationEvent,
} from './relationship-rules';
import { stateOf } from './wire-relationship';

/** Query parameters of relationship lists (docs/protocol/transport.md 17.2). */
export const relationshipQueryFields: QueryFields<RelationshipField> = {
	peer: text('peer'),
	status: text('status'),
	'template.id': text('templateId'),
	templateId: text('templateId'),
	purpose: text('purpose'),
};

/**
 * first check of the Backbone, before it looks for an existing relationship
 * (docs/protocol/backbone-api.md 14.2)
 */
export const peerIsToBeDeleted = 'error.platform.validation.relationship.peerIsToBeDeleted';

/** Relationship as the Backbone returns it. */
export interface FetchedRelationship {
	readonly wire: WireRelationship;
	/**
	 * true when the account had it before the fetch: a relationship that was decomposed since must
	 * not come back
	 */
	readonly wasKnown: boolean;
}

/**
 * Reads relationships, and applies to them what syncs receive (docs/protocol/transport.md 5, 6,
 * 14).
 */
export class RelationshipService {
	constructor(readonly dependencies: RelationshipDependencies) {}

	/** @throws `error.runtime.recordNotFound` */
	async get(id: string, options: Cancellable = {}): Promise<RelationshipDto> {
		return this.toDto(await this.find(id, options));
	}

	readonly list = listOf(relationshipQueryFields, async (query, options) => {
		const entries = await this.dependencies.store.read(
			(tx) => tx.relationships.list(query),
			options,
		);
		return entries.map((entry) => this.toDto(entry));
	});

	/** Relationships in the order of the ids; unknown ids are left out. */
	async getMany(ids: readonly string[]): Promise<RelationshipDto[]> {
		if (ids.length === 0) return [];
		const entries = await this.dependencies.store.read((tx) => tx.relationships.getMany(ids));
		return entries.map((entry) => this.toDto(entry));
	}

	/** Fetches the current state of the relationship from the Backbone, for the steps of a sync. */
	async fetch(id: string, options: Cancellable): Promise<FetchedRelationship> {
		const { store, backbone } = this.dependencies;
		const known = await store.read((tx) => tx.relationships.get(id), options);
		try {
			const wire = await backbone.relationships.get(id, options);
			return { wire, wasKnown: known !== undefined };
		} catch (error) {
			if (known === undefined || !isAlreadyDecomposed(error)) throw error;
			if ((await store.read((tx) => tx.work.get(id), options)) !== undefined) throw error;
			// Decomposed by this account without a trace in this store, for example after a restored
			// backup; only the list still returns it.
			const [wire] = await backbone.relationships.list([id], {
				...options,
				...readableItemsOnly,
			});
			if (wire === undefined) throw error;
			return { wire, wasKnown: true };
		}
	}

	/** Stores a new relationship or updates a known one; older states change nothing. */
	async receive(
		tx: WriteTransaction,
		{ wire, wasKnown }: FetchedRelationship,
		reported?: ReactivationEvent,
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
			record: change === 'changed' ? record : stored.record,
			secrets: secrets ?? stored.secrets,
		};
		await tx.relationships.update(next.record, secrets);
		if (change === 'unchanged') return;
		// An action of the peer does not end an operation of this account.
		const isOwn = record.auditLog.at(-1)?.createdBy === this.dependencies.account.address;
		if (isOwn) await tx.work.delete(wire.id);
		await this.publishChange(tx, next, stored.record.auditLog.length, reported);
		await notifyOfStatus(tx, next.record, stored.record, this.dependencies);
		await this.noteDeletionOfPeer(tx, next.record);
	}

	/**
	 * Reads from the audit log that the peer's identity is deleted, also without a `PeerDeleted`
	 * event.
	 */
	private async noteDeletionOfPeer(
		tx: WriteTransaction,
		{ id, auditLog }: RelationshipRecord,
	): Promise<void> {
		const end = auditLog.find(({ reason }) => reason === 'DecompositionDueToIdentityDeletion');
		if (end === undefined) return;
		const info = { deletionStatus: 'Deleted', deletionDate: end.createdAt } as const;
		await this.applyPeerDeletion(tx, id, info);
	}

	/**
	 * True when the peer's identity is currently marked for deletion. The Backbone is asked, because
	 * events may arrive in another order. Undefined for unknown relationships.
	 */
	async isPeerToBeDeleted(id: string, options: Cancellable): Promise<boolean | undefined> {
		const { store, backbone } = this.dependencies;
		const stored = await store.read((tx) => tx.relationships.get(id), options);
		if (stored === undefined) return undefined;
		try {
			const { code } = await backbone.relationships.canCreate(stored.record.peer, options);
			return code === peerIsToBeDeleted;
		} catch (error) {
			// The identity is deleted already; a separate event follows.
			if (!isGatewayError(error) || error.kind === 'unavailable') throw error;
			return true;
		}
	}

	/**
	 * Stores that the peer's deletion was planned, cancelled (no info) or carried out
	 * (docs/protocol/transport.md 14).
	 */
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
		return toRelationshipDto(
			entry.record,
			entry.secrets,
			this.dependencies.account.backboneBaseUrl,
		);
	}

	/** @throws `error.runtime.recordNotFound` */
	async find(id: string, options: Cancellable): Promise<StoredRelationship> {
		const entry = await this.dependencies.store.read((tx) => tx.relationships.get(id), options);
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
			createdAt: isoInstant(this.dependencies.clock.now()),
			peer: entry.record.peer,
			subject: entry.record.id,
			data: this.toDto(entry),
		});
	}

	/**
	 * Publishes the events for the new entries of the audit log.
	 *
	 * @param known number of entries that were stored before
	 */
	async publishChange(
		tx: WriteTransaction,
		entry: StoredRelationship,
		known: number,
		reported?: ReactivationEvent,
	): Promise<void> {
		for (const name of eventsForNewAuditEntries(entry.record.auditLog, known, reported)) {
			await this.publish(tx, name, entry);
		}
	}

	private async receiveNew(tx: WriteTransaction, wire: WireRelationship): Promise<void> {
		const { arrived: opened, intentId } = await openArrival(tx, wire, this.dependencies);
		let arrived = opened;
		const completed = completeSecrets(arrived, wire);
		if (completed !== undefined) arrived = { record: arrived.record, secrets: completed };
		await tx.relationships.insertIfNew(arrived.record, arrived.secrets);
		await this.publishChange(tx, arrived, 0);
		if (intentId === undefined) {
			await this.dependencies.observers.notify('relationshipArrived', tx, arrived.record);
		} else {
			await endCreation(tx, intentId);
			await this.dependencies.observers.notify('relationshipCreated', tx, arrived.record);
		}
		await notifyOfStatus(tx, arrived.record, undefined, this.dependencies);
		await this.noteDeletionOfPeer(tx, arrived.record);
	}
}

/**
 * True when the info changes the known state, because events repeat and arrive in another order.
 * After a deletion, only its cancellation changes the state, because the Backbone was asked about
 * it; a later plan replaces an earlier one.
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
