import type { Cancellable } from '../../base/abort';
import { GatewayError, isGatewayError } from '../../base/errors';
import type { WireRelationship, WireRelationshipMetadata } from '../../backbone/dto';
import { readRelationshipSecrets } from '../../crypto/relationship-secrets-schema';
import type {
	AuditLogEntry,
	RelationshipDto,
	RelationshipRecord,
} from '../../model/record/relationship';
import type { WriteTransaction } from '../../store/store';
import type { StoredRelationship } from './relationship-arrival';
import type { RelationshipDependencies } from './relationship-dependencies';
import {
	isAlreadyDecomposed,
	isGone,
	leaveRelationship,
	notifyOfStatus,
} from './relationship-decomposition';
import { sealCreationResponse } from './relationship-envelope';
import { isOutcomeUnknown } from '../unfinished/outcome';
import { decideAction, decideUpdate } from './relationship-rules';
import { unknownRelationship, type RelationshipService } from './relationship-service';
import {
	relationshipTransitions,
	type RelationshipAction,
	type StatusAction,
} from './relationship-transitions';
import { reserveTransmitCounter } from './transmit-counter';
import { endUnopened, isUnopened } from './unopened-relationship';
import { stateOf } from './wire-relationship';

const refusalPrefix = 'error.platform.validation.relationship.';

interface Begun {
	readonly before: RelationshipRecord;
	readonly call: () => Promise<WireRelationshipMetadata>;
}

/**
 * Actions of this account on relationships (docs/protocol/transport.md 6.2): decides by the table,
 * opens the work, calls the Backbone, and commits its answer. An action of this account causes no
 * external event, so the ledger is what recovers a lost answer: see `RelationshipSettlement`.
 */
export class RelationshipActions {
	constructor(
		private readonly dependencies: RelationshipDependencies,
		private readonly relationships: RelationshipService,
	) {}

	/**
	 * Carries out an action that leaves a relationship in another state.
	 *
	 * @throws `error.runtime.recordNotFound`,
	 * `error.transport.relationships.wrongRelationshipStatus`,
	 * `error.transport.relationships.operationOnlyAllowedForPeer`,
	 * `error.transport.relationships.reactivationNotRequested`,
	 * `error.transport.relationships.reactivationAlreadyRequested`
	 */
	take(action: StatusAction, id: string, options: Cancellable = {}): Promise<RelationshipDto> {
		const { ledger } = this.dependencies;
		return ledger.whileClaimed(id, async () => {
			const { before, call } = await this.begin(action, id, options);
			let wire: WireRelationshipMetadata;
			try {
				wire = await call();
			} catch (error) {
				return await this.afterFailure(action, before, error, options);
			}
			return await this.commit(action, id, wire);
		});
	}

	/**
	 * Decomposes the relationship: removes it and all its data from this account; the peer sees it as
	 * `DeletionProposed`. A relationship that is listed as a problem, because this account cannot
	 * open it, is rejected or terminated first.
	 *
	 * @throws `error.runtime.recordNotFound`, `error.transport.relationships.wrongRelationshipStatus`
	 */
	decompose(id: string, options: Cancellable = {}): Promise<void> {
		return this.leaveAfterCall(id, decideAction, options);
	}

	/**
	 * Decomposes the relationship as `decompose` does, also a rejected or revoked one, which
	 * official clients keep: so the Backbone does not report it any more
	 * (docs/protocol/transport.md 6.2).
	 *
	 * @throws see `decompose`
	 */
	decomposeEnded(id: string, options: Cancellable = {}): Promise<void> {
		const decide: typeof decideAction = (action, relationship) =>
			isRefused(relationship)
				? relationshipTransitions[action]
				: decideAction(action, relationship);
		return this.leaveAfterCall(id, decide, options);
	}

	private leaveAfterCall(
		id: string,
		decide: typeof decideAction,
		options: Cancellable,
	): Promise<void> {
		const { ledger } = this.dependencies;
		return ledger.whileClaimed(id, async () => {
			if (await isUnopened(this.dependencies.store, id, options)) {
				await endUnopened(this.dependencies, id, options);
				return;
			}
			const { before, call } = await this.begin('decompose', id, options, decide);
			let auditLog: AuditLogEntry[] | undefined;
			try {
				({ auditLog } = stateOf(await call()));
			} catch (error) {
				if (!isGone(error)) await this.afterFailure('decompose', before, error, options);
			}
			await this.leave(id, auditLog);
		});
	}

	/** Stores what must be durable before the call: the work, and the counter of an acceptance. */
	private async begin(
		action: RelationshipAction,
		id: string,
		options: Cancellable,
		decide = decideAction,
	): Promise<Begun> {
		const { store, ledger, backbone } = this.dependencies;
		const { relationships } = backbone;
		if (action === 'accept') await this.dependencies.beforeSealing(options);
		return await store.transact(async (tx) => {
			const entry = await this.require(tx, id);
			const decision = decide(action, entry.record);
			if (decision instanceof Error) throw decision;
			const before = entry.record;
			await ledger.begin(tx, id, `${action}Relationship`);
			if (action !== 'accept') return { before, call: () => relationships[action](id, options) };
			const response = await this.sealAcceptance(tx, entry);
			return { before, call: () => relationships.accept(id, response, options) };
		}, options);
	}

	private async sealAcceptance(
		tx: WriteTransaction,
		{ record, secrets }: StoredRelationship,
	): Promise<string> {
		return sealCreationResponse({
			relationshipId: record.id,
			secrets: readRelationshipSecrets(secrets.established),
			devicePrivateKey: this.dependencies.account.deviceKeys.privateKey,
			counter: await reserveTransmitCounter(tx, record.id, this.dependencies),
		});
	}

	private async commit(
		action: StatusAction,
		id: string,
		wire: WireRelationshipMetadata,
	): Promise<RelationshipDto> {
		const dto = await this.dependencies.store.transact(async (tx) => {
			const entry = await this.require(tx, id);
			const before = entry.record;
			await tx.work.delete(id);
			const record: RelationshipRecord = { ...before, ...stateOf(wire) };
			const next = { record, secrets: entry.secrets };
			// A sync that saw the result first has also published it.
			if (decideUpdate(before, record) === 'changed') {
				await tx.relationships.update(record);
				await this.relationships.publishChange(tx, next, before.auditLog.length);
				await notifyOfStatus(tx, record, before, this.dependencies);
			}
			return this.relationships.toDto(next);
		});
		this.wakeIfActive(action);
		return dto;
	}

	/**
	 * Handles a failed call. A refusal may mean that an earlier call of this account succeeded: the
	 * relationship is read again, and if its state is the result of the action, it is returned. An
	 * unknown outcome keeps the work open.
	 */
	private async afterFailure(
		action: RelationshipAction,
		before: RelationshipRecord,
		error: unknown,
		options: Cancellable,
	): Promise<RelationshipDto> {
		if (!isGatewayError(error) || isOutcomeUnknown(error)) throw error;
		let refusal: GatewayError = error;
		if (error.code.startsWith(refusalPrefix)) {
			const wire = await this.readAgain(before.id, options);
			const last = stateOf(wire).auditLog.at(-1);
			const { reason } = relationshipTransitions[action];
			if (last?.reason === reason && last.createdBy === this.dependencies.account.address) {
				this.wakeIfActive(action);
				return await this.relationships.get(before.id, options);
			}
			// The peer's action in the meantime explains the refusal better than the code of the
			// Backbone.
			const decision = decideAction(action, { ...before, ...stateOf(wire) });
			if (decision instanceof GatewayError) refusal = decision;
		}
		await this.dependencies.store.transact((tx) => tx.work.delete(before.id));
		throw refusal;
	}

	/**
	 * Reads the relationship from the Backbone and stores it.
	 *
	 * @throws `error.runtime.recordNotFound` when this account has decomposed the relationship in the
	 * meantime
	 */
	private async readAgain(id: string, options: Cancellable): Promise<WireRelationship> {
		try {
			const wire = await this.dependencies.backbone.relationships.get(id, options);
			await this.dependencies.store.transact((tx) =>
				this.relationships.receive(tx, { wire, wasKnown: true }),
			);
			return wire;
		} catch (error) {
			if (!isAlreadyDecomposed(error)) throw error;
			await this.leave(id);
			throw unknownRelationship(id);
		}
	}

	private async leave(id: string, auditLog?: readonly AuditLogEntry[]): Promise<void> {
		await this.dependencies.store.transact((tx) =>
			leaveRelationship(tx, id, this.dependencies, auditLog),
		);
	}

	/**
	 * Starts a sync after an activation, because the Backbone then releases withheld messages without
	 * any push.
	 */
	private wakeIfActive(action: RelationshipAction): void {
		if (relationshipTransitions[action].to === 'Active') this.dependencies.wakeSync();
	}

	/** @throws `error.runtime.recordNotFound` */
	private async require(tx: WriteTransaction, id: string): Promise<StoredRelationship> {
		const entry = await tx.relationships.get(id);
		if (entry === undefined) throw unknownRelationship(id);
		return entry;
	}
}

/** A relationship that ended without an acceptance. */
function isRefused({ status }: Pick<RelationshipRecord, 'status'>): boolean {
	return status === 'Rejected' || status === 'Revoked';
}
