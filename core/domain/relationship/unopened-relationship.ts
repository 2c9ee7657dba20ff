import type { Cancellable } from '../../base/abort';
import { isoInstant } from '../../base/clock';
import type { WireRelationshipMetadata } from '../../backbone/dto';
import type { Store } from '../../store/store';
import { rememberLeftPeer } from '../left-peer';
import type { RelationshipDependencies } from './relationship-dependencies';
import { dropExternalEvents, isGone } from './relationship-decomposition';
import { relationshipErrors } from './relationship-errors';
import { matching } from '../query/conditions';

/*
 * Relationships of peers that this account cannot open, because a restored backup lacks their
 * templates. They have no record; their external events, which wait for a person, name them.
 */

export async function isUnopened(store: Store, id: string, options: Cancellable): Promise<boolean> {
	return await store.read(async (tx) => {
		if ((await tx.relationships.get(id)) !== undefined) return false;
		const open = await tx.inbox.list({ where: matching({ state: ['pending', 'parked'] }) });
		return open.some(
			({ record: { payload, lastFailure } }) =>
				payload['relationshipId'] === id &&
				lastFailure?.code === relationshipErrors.unknownTemplate.code,
		);
	}, options);
}

/**
 * Ends the relationship at the Backbone, whatever its status, and removes what waits here because
 * of it. Each call leads to a status from which a repetition continues.
 */
export async function endUnopened(
	{ store, backbone, clock, account }: RelationshipDependencies,
	id: string,
	options: Cancellable,
): Promise<void> {
	const { relationships } = backbone;
	let current: WireRelationshipMetadata | undefined;
	let peer: string | undefined;
	try {
		const wire = await relationships.get(id, options);
		peer = wire.from === account.address ? wire.to : wire.from;
		current = wire;
		if (current.status === 'Pending') current = await relationships.reject(id, options);
		if (current.status === 'Active') current = await relationships.terminate(id, options);
		const isLeft = current.status === 'Rejected' || current.status === 'Revoked';
		if (!isLeft) current = await relationships.decompose(id, options);
	} catch (error) {
		if (!isGone(error)) throw error;
	}
	const leftAt = current?.auditLog.at(-1)?.createdAt;
	await store.transact(async (tx) => {
		await dropExternalEvents(tx, { id, peer: peer ?? '' });
		if (peer === undefined || leftAt === undefined) return;
		await rememberLeftPeer(tx, peer, leftAt, isoInstant(clock.now()));
	}, options);
}
