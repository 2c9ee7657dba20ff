import { isoInstant } from '../../base/clock';
import { codeOf } from '../../base/errors';
import { appendEvent } from '../../events/outbox';
import type { AuditLogEntry, RelationshipRecord } from '../../model/record/relationship';
import type { WriteTransaction } from '../../store/store';
import { hashPeerAddress, rememberLeftPeer } from '../left-peer';
import type { RelationshipDependencies } from './relationship-dependencies';
import { transmitCounter } from './transmit-counter';
import { matching } from '../query/conditions';

const alreadyDecomposed = 'error.platform.validation.relationship.relationshipAlreadyDecomposed';

/** True when the Backbone reports that this account has decomposed the relationship before. */
export function isAlreadyDecomposed(error: unknown): boolean {
	return codeOf(error) === alreadyDecomposed;
}

/**
 * True when nothing is left to decompose: the relationship was decomposed before, or the Backbone
 * has forgotten it.
 */
export function isGone(error: unknown): boolean {
	return isAlreadyDecomposed(error) || codeOf(error) === 'error.runtime.recordNotFound';
}

/** True when the identity with this address has decomposed the relationship. */
export function wasDecomposedBy(address: string, auditLog: readonly AuditLogEntry[]): boolean {
	return auditLog.some(
		({ reason, createdBy }) => reason === 'Decomposition' && createdBy === address,
	);
}

/**
 * Removes a relationship that this account has decomposed, with its keys and all data that depends
 * on it, and publishes that. A relationship that is gone already changes nothing
 * (docs/protocol/transport.md 6.4).
 *
 * @param auditLog answer of the Backbone, where there is one; otherwise the last known audit log
 * gives a time that is rather too early, so that a message of a new relationship is never
 * attributed to this one
 */
export async function leaveRelationship(
	tx: WriteTransaction,
	id: string,
	{ observers, clock }: Pick<RelationshipDependencies, 'observers' | 'clock'>,
	auditLog?: readonly AuditLogEntry[],
): Promise<void> {
	const entry = await tx.relationships.get(id);
	if (entry === undefined) return;
	await tx.relationships.delete(id);
	await tx.work.delete(id);
	await tx.counters.delete(transmitCounter(id));
	await dropExternalEvents(tx, entry.record);
	const { peer, createdAt } = entry.record;
	const leftAt = (auditLog ?? entry.record.auditLog).at(-1)?.createdAt ?? createdAt;
	await rememberLeftPeer(tx, peer, leftAt, isoInstant(clock.now()));
	await observers.notify('relationshipDecomposed', tx, entry.record);
	await tx.outbox.erase(id);
	await appendEvent(tx, {
		name: 'transport.relationshipDecomposedBySelf',
		createdAt: isoInstant(clock.now()),
		subject: id,
		data: { relationshipId: id },
	});
}

/**
 * Notifies the observers when the status says that the relationship was accepted, that it ended
 * without acceptance, or that the peer has left it (docs/protocol/consumption.md 8.14, 11).
 */
export async function notifyOfStatus(
	tx: WriteTransaction,
	relationship: RelationshipRecord,
	before: RelationshipRecord | undefined,
	{ observers, account }: Pick<RelationshipDependencies, 'observers' | 'account'>,
): Promise<void> {
	const { status, auditLog } = relationship;
	if (status === before?.status) return;
	const name = meanings[status];
	if (name === undefined) return;
	if (wasDecomposedBy(account.address, auditLog)) return;
	if (name === 'relationshipAccepted' && auditLog.at(-1)?.reason !== 'AcceptanceOfCreation') return;
	await observers.notify(name, tx, relationship);
}

const meanings: Readonly<
	Partial<
		Record<
			RelationshipRecord['status'],
			'relationshipAccepted' | 'relationshipEnded' | 'relationshipLeftByPeer'
		>
	>
> = {
	Active: 'relationshipAccepted',
	Rejected: 'relationshipEnded',
	Revoked: 'relationshipEnded',
	DeletionProposed: 'relationshipLeftByPeer',
};

/**
 * Drops external events about the relationship that wait for another attempt, because they would
 * fail permanently. Messages of the peer would fail, too, but their sender is known only after
 * fetching; so message events are marked with the peer.
 */
export async function dropExternalEvents(
	tx: WriteTransaction,
	{ id: relationshipId, peer }: Pick<RelationshipRecord, 'id' | 'peer'>,
): Promise<void> {
	const open = await tx.inbox.list({ where: matching({ state: ['pending', 'parked'] }) });
	for (const { record } of open) {
		const { lastFailure: _lastFailure, notBefore: _notBefore, ...rest } = record;
		const isNews = record.payload['relationshipId'] === relationshipId;
		if (!isNews && record.type !== 'MessageReceived') continue;
		// The event of the failure mentions the peer, so it is erased too.
		if (record.state === 'parked') await tx.outbox.erase(record.id);
		if (isNews) {
			await tx.inbox.update({ ...rest, payload: {}, state: 'done' });
		} else {
			const leftPeers = [...new Set([...(record.leftPeers ?? []), hashPeerAddress(peer)])];
			await tx.inbox.update({ ...rest, state: 'pending', leftPeers });
		}
	}
}
