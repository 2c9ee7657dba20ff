import { isoInstant } from '../../base/clock';
import { codeOf } from '../../base/errors';
import { appendEvent } from '../../events/outbox';
import type { AuditLogEntry, RelationshipRecord } from '../../model/record/relationship';
import type { WriteTransaction } from '../../store/store';
import { markOfPeer, rememberLeftPeer } from '../left-peer';
import type { RelationshipContext } from './relationship-context';
import { transmitCounter } from './transmit-counter';

const alreadyDecomposed = 'error.platform.validation.relationship.relationshipAlreadyDecomposed';

/** The Backbone says that we have decomposed the relationship before. */
export function isAlreadyDecomposed(error: unknown): boolean {
	return codeOf(error) === alreadyDecomposed;
}

/** The same for who wants to decompose: a relationship that the Backbone has forgotten is over, too. */
export function isOver(error: unknown): boolean {
	return isAlreadyDecomposed(error) || codeOf(error) === 'error.runtime.recordNotFound';
}

/** Whether the relationship was decomposed by this side. */
export function wasDecomposedBy(address: string, auditLog: readonly AuditLogEntry[]): boolean {
	return auditLog.some(
		({ reason, createdBy }) => reason === 'Decomposition' && createdBy === address,
	);
}

/**
 * Removes a relationship that we have decomposed, with its keys and all that is kept because of it,
 * and says so. One that is gone already changes nothing (docs/protocol/transport.md 6.4).
 *
 * @param auditLog as the Backbone has answered it, where it did; otherwise the last known one says a time
 * that is rather too early: a message of a new relationship is never taken for one of this
 */
export async function leaveRelationship(
	tx: WriteTransaction,
	id: string,
	{ holdings, clock }: Pick<RelationshipContext, 'holdings' | 'clock'>,
	auditLog?: readonly AuditLogEntry[],
): Promise<void> {
	const entry = await tx.relationships.get(id);
	if (entry === undefined) return;
	await tx.relationships.delete(id);
	await tx.counters.delete(transmitCounter(id));
	await dropExternalEvents(tx, entry.record);
	const { peer, createdAt } = entry.record;
	const leftAt = (auditLog ?? entry.record.auditLog).at(-1)?.createdAt ?? createdAt;
	await rememberLeftPeer(tx, peer, leftAt, isoInstant(clock.now()));
	for (const holding of holdings) await holding.release(tx, entry.record);
	await tx.outbox.erase(id);
	await appendEvent(tx, {
		name: 'transport.relationshipDecomposedBySelf',
		createdAt: isoInstant(clock.now()),
		subject: id,
		data: { relationshipId: id },
	});
}

/**
 * Tells the nouns when a change says that the relationship was accepted, has come to nothing, or that
 * the peer has left it (docs/protocol/consumption.md 8.14, 11).
 */
export async function tellHoldings(
	tx: WriteTransaction,
	relationship: RelationshipRecord,
	before: RelationshipRecord | undefined,
	{ holdings, account }: Pick<RelationshipContext, 'holdings' | 'account'>,
): Promise<void> {
	const { status, auditLog } = relationship;
	if (status === before?.status) return;
	const name = effects[status];
	if (name === undefined) return;
	if (name === 'peerLeft' && wasDecomposedBy(account.address, auditLog)) return;
	if (name === 'accepted' && auditLog.at(-1)?.reason !== 'AcceptanceOfCreation') return;
	for (const holding of holdings) await holding[name]?.(tx, relationship);
}

const effects: Readonly<
	Partial<Record<RelationshipRecord['status'], 'accepted' | 'ended' | 'peerLeft'>>
> = {
	Active: 'accepted',
	Rejected: 'ended',
	Revoked: 'ended',
	DeletionProposed: 'peerLeft',
};

/**
 * News about the relationship that waits for another try would fail for ever, and so would messages of
 * the peer; but who has sent a message is known only when it is fetched.
 */
async function dropExternalEvents(
	tx: WriteTransaction,
	{ id: relationshipId, peer }: RelationshipRecord,
): Promise<void> {
	const open = await tx.inbox.list({
		where: [{ field: 'state', op: 'in', value: ['pending', 'parked'] }],
	});
	for (const { record } of open) {
		const { lastFailure: _lastFailure, notBefore: _notBefore, ...rest } = record;
		const isNews = record.payload['relationshipId'] === relationshipId;
		if (!isNews && record.type !== 'MessageReceived') continue;
		// That it was given up was told with words about the peer.
		if (record.state === 'parked') await tx.outbox.erase(record.id);
		if (isNews) {
			await tx.inbox.update({ ...rest, payload: {}, state: 'done' });
		} else {
			const leftPeers = [...new Set([...(record.leftPeers ?? []), markOfPeer(peer)])];
			await tx.inbox.update({ ...rest, state: 'pending', leftPeers });
		}
	}
}
