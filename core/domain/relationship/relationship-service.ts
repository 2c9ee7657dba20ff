import type { Cancellable } from '../../base/abort';
import { isoInstant } from '../../base/clock';
import { codeOf, GatewayError, isGatewayError } from '../../base/errors';
import type { WireRelationship, WireRelationshipMetadata } from '../../backbone/dto';
import { readRelationshipSecrets } from '../../crypto/relationship-secrets-schema';
import { appendEvent, type EventNameOf } from '../../events/outbox';
import type { RelationshipDto, RelationshipRecord } from '../../model/record/relationship';
import type { Query, RelationshipField, WriteTransaction } from '../../store/store';
import { completeSecrets, openArrival, type StoredRelationship } from './relationship-arrival';
import type { RelationshipContext } from './relationship-context';
import { toRelationshipDto } from './relationship-dto';
import { sealCreationResponse } from './relationship-envelope';
import { relationshipErrors } from './relationship-errors';
import { decideAction, decideUpdate } from './relationship-rules';
import { relationshipTransitions, type RelationshipAction } from './relationship-transitions';
import { stateOf } from './wire-relationship';

const wrongStatusAtBackbone =
	'error.platform.validation.relationship.relationshipIsNotInCorrectStatus';
/** how long an operation whose end was not seen may still be under way in another process */
const operationPatienceMs = 90_000;

type ReactivationEvent =
	'transport.relationshipReactivationRequested' | 'transport.relationshipReactivationCompleted';

/** Use cases and sync effects of relationships (docs/protocol/transport.md 5, 6, 14). */
export class RelationshipService {
	/** operations of this process that are under way */
	private readonly underWay = new Set<string>();

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
		const entries = await this.context.store.read((tx) => tx.relationships.getMany(ids));
		return entries.map((entry) => this.toDto(entry));
	}

	/**
	 * @throws `error.runtime.recordNotFound`, `error.transport.relationships.wrongRelationshipStatus`,
	 * `error.transport.relationships.operationOnlyAllowedForPeer`
	 */
	accept(id: string, options: Cancellable = {}): Promise<RelationshipDto> {
		return this.act('accept', id, options);
	}

	/** @throws as `accept` */
	reject(id: string, options: Cancellable = {}): Promise<RelationshipDto> {
		return this.act('reject', id, options);
	}

	/** @throws as `accept` */
	revoke(id: string, options: Cancellable = {}): Promise<RelationshipDto> {
		return this.act('revoke', id, options);
	}

	/** For sync steps: the relationship as the Backbone has it now. */
	fetch(id: string, options: Cancellable): Promise<WireRelationship> {
		return this.context.backbone.relationships.get(id, options);
	}

	/** Stores a new relationship or brings a known one up to date; older states change nothing. */
	async receive(
		tx: WriteTransaction,
		wire: WireRelationship,
		announcement?: ReactivationEvent,
	): Promise<void> {
		const stored = await tx.relationships.get(wire.id);
		if (stored === undefined) {
			await this.receiveNew(tx, wire);
			return;
		}
		const record: RelationshipRecord = { ...stored.record, ...stateOf(wire) };
		const secrets = completeSecrets(stored, wire, this.context);
		const change = decideUpdate(stored.record, record);
		if (change === 'unchanged' && secrets === undefined) {
			if (announcement !== undefined) await this.publish(tx, announcement, stored);
			return;
		}
		const { operation: _operation, ...settled } = change === 'changed' ? record : stored.record;
		const next = { record: settled, secrets: secrets ?? stored.secrets };
		await tx.relationships.update(next.record, secrets);
		if (announcement !== undefined) await this.publish(tx, announcement, next);
		if (change === 'changed') await this.publish(tx, 'transport.relationshipChanged', next);
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
		const { peerDeletionInfo: _former, ...rest } = stored.record;
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

	/**
	 * Reads relationships again whose operation was begun and not seen to end, and with `reconcile`
	 * all that may still change. Returns the ids that were looked at.
	 */
	async settle(options: Cancellable & { readonly reconcile: boolean }): Promise<string[]> {
		const { store, backbone } = this.context;
		const entries = await store.read((tx) =>
			tx.relationships.list(
				options.reconcile ? {} : { where: [{ field: 'operation', op: 'exists' }] },
			),
		);
		const ids = entries.map(({ record }) => record.id).filter((id) => !this.underWay.has(id));
		if (ids.length === 0) return [];
		for (const wire of await backbone.relationships.list(ids, options)) {
			await store.transact(async (tx) => {
				await this.receive(tx, wire);
				await this.forgetOldOperation(tx, wire.id);
			}, options);
		}
		return ids;
	}

	toDto(entry: StoredRelationship): RelationshipDto {
		return toRelationshipDto(entry.record, entry.secrets, this.context.account.backboneBaseUrl);
	}

	/** @throws `error.runtime.recordNotFound` */
	async find(id: string, options: Cancellable): Promise<StoredRelationship> {
		const entry = await this.context.store.read((tx) => tx.relationships.get(id), options);
		if (entry !== undefined) return entry;
		throw relationshipErrors.create('notFound', {
			message: `There is no relationship with the ID '${id}' in this account.`,
			facts: { relationshipId: id },
		});
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

	private async receiveNew(tx: WriteTransaction, wire: WireRelationship): Promise<void> {
		let arrived = await openArrival(tx, wire, this.context);
		const completed = completeSecrets(arrived, wire, this.context);
		if (completed !== undefined) arrived = { record: arrived.record, secrets: completed };
		await tx.relationships.insert(arrived.record, arrived.secrets);
		await this.publish(tx, 'transport.relationshipChanged', arrived);
		if (arrived.record.createdByUs) await tx.relationshipIntents.delete(arrived.record.templateId);
		else await this.context.onRelationshipArrived(tx, arrived.record);
	}

	/**
	 * Decides, marks the operation, calls the Backbone and commits what it answers. Our own actions
	 * come back with no external event, so the mark is what makes a lost answer converge.
	 */
	private async act(
		action: RelationshipAction,
		id: string,
		options: Cancellable,
	): Promise<RelationshipDto> {
		this.underWay.add(id);
		try {
			const { record, call } = await this.begin(action, id, options);
			let wire: WireRelationshipMetadata;
			try {
				wire = await call();
			} catch (error) {
				return await this.afterFailure(action, record, error, options);
			}
			return await this.commit(action, id, wire);
		} finally {
			this.underWay.delete(id);
		}
	}

	/** Everything that must be durable before the call: the mark, and the counter of an acceptance. */
	private async begin(
		action: RelationshipAction,
		id: string,
		options: Cancellable,
	): Promise<{ record: RelationshipRecord; call: () => Promise<WireRelationshipMetadata> }> {
		const { store, account, clock, backbone } = this.context;
		await this.find(id, options);
		return await store.transact(async (tx) => {
			const entry = await tx.relationships.get(id);
			if (entry === undefined) throw new TypeError('A relationship vanished while being changed');
			const decision = decideAction(action, entry.record);
			if (decision instanceof Error) throw decision;
			const operation = `${action}@${isoInstant(clock.now())}`;
			await tx.relationships.update({ ...entry.record, operation });
			const relationships = backbone.relationships;
			if (action !== 'accept') {
				return { record: entry.record, call: () => relationships[action](id, options) };
			}
			const counter = await tx.counters.reserve(transmitCounter(id));
			const response = sealCreationResponse({
				relationshipId: id,
				secrets: readRelationshipSecrets(entry.secrets.established),
				devicePrivateKey: account.deviceKeys.privateKey,
				counter,
			});
			return { record: entry.record, call: () => relationships.accept(id, response, options) };
		}, options);
	}

	private async commit(
		action: RelationshipAction,
		id: string,
		wire: WireRelationshipMetadata,
	): Promise<RelationshipDto> {
		const dto = await this.context.store.transact(async (tx) => {
			const entry = await tx.relationships.get(id);
			if (entry === undefined) throw new TypeError('A relationship vanished while being changed');
			const { operation: _operation, ...before } = entry.record;
			const record: RelationshipRecord = { ...before, ...stateOf(wire) };
			const next = { record, secrets: entry.secrets };
			// A sync may have seen the result first: then it has also told it.
			if (decideUpdate(before, record) === 'changed') {
				await tx.relationships.update(record);
				for (const name of relationshipTransitions[action].events) {
					await this.publish(tx, name, next);
				}
			} else {
				await tx.relationships.update(before);
			}
			return this.toDto(next);
		});
		if (action === 'accept') this.context.onAccepted();
		return dto;
	}

	/**
	 * A refusal for the status may mean that our own earlier call went through: the relationship is
	 * read again and, if it is where the action leads, that is the answer. An unknown outcome keeps
	 * the mark.
	 */
	private async afterFailure(
		action: RelationshipAction,
		before: RelationshipRecord,
		error: unknown,
		options: Cancellable,
	): Promise<RelationshipDto> {
		const { store } = this.context;
		if (!isGatewayError(error) || error.kind === 'unavailable') throw error;
		let refusal: GatewayError = error;
		if (codeOf(error) === wrongStatusAtBackbone) {
			const wire = await this.fetch(before.id, options);
			const last = stateOf(wire).auditLog.at(-1);
			const row = relationshipTransitions[action];
			await store.transact((tx) => this.receive(tx, wire));
			if (last?.reason === row.reason && last.createdBy === this.context.account.address) {
				return await this.get(before.id, options);
			}
			// What the peer did meanwhile says more than the code of the Backbone.
			const decision = decideAction(action, { ...before, ...stateOf(wire) });
			if (decision instanceof GatewayError) refusal = decision;
		}
		await store.transact(async (tx) => {
			const entry = await tx.relationships.get(before.id);
			if (entry === undefined) return;
			const { operation: _operation, ...rest } = entry.record;
			await tx.relationships.update(rest);
		});
		throw refusal;
	}

	/** The operation never reached the Backbone if nothing has changed long after it was begun. */
	private async forgetOldOperation(tx: WriteTransaction, id: string): Promise<void> {
		const entry = await tx.relationships.get(id);
		const begun = entry?.record.operation?.split('@')[1];
		if (entry === undefined || begun === undefined) return;
		if (this.context.clock.now() - Date.parse(begun) < operationPatienceMs) return;
		const { operation: _operation, ...rest } = entry.record;
		await tx.relationships.update(rest);
	}
}

/** Name of the counter of what we send in a relationship (docs/protocol/crypto-and-identity.md 7). */
function transmitCounter(relationshipId: string): string {
	return `transmit:${relationshipId}`;
}
