import { isoInstant, type Clock } from '../../base/clock';
import {
	activeDeletionStatuses,
	type DeletionProcessRecord,
} from '../../model/record/deletion-process';
import type { ReadTransaction, WriteTransaction } from '../../store/store';
import { openWork } from '../unfinished/ledger';
import { finalStatuses, type DeletionStatus } from './deletion-rules';
import { matching } from '../query/conditions';

export async function listIn(
	tx: ReadTransaction,
	statuses: readonly DeletionStatus[],
): Promise<DeletionProcessRecord[]> {
	const entries = await tx.deletionProcesses.list({ where: matching({ status: statuses }) });
	return entries.map(({ record }) => record);
}

export async function listOpen(tx: ReadTransaction): Promise<DeletionProcessRecord[]> {
	const entries = await tx.deletionProcesses.list({
		where: [{ field: 'status', op: 'notIn', value: finalStatuses }],
	});
	return entries.map(({ record }) => record);
}

/** Lists the processes that may end in more than one way. */
export async function listUnsettled(tx: ReadTransaction): Promise<DeletionProcessRecord[]> {
	return (await listOpen(tx)).filter(({ status }) => status !== 'Deleting');
}

const workId = 'identityDeletion';

/**
 * Lets every sync refresh while a process is active: no event reports that it was ended elsewhere.
 */
export async function watchDeletion(
	tx: WriteTransaction,
	{ status }: DeletionProcessRecord,
	clock: Clock,
): Promise<void> {
	const since = isoInstant(clock.now());
	const isActive = activeDeletionStatuses.some((active) => active === status);
	if (isActive) await openWork(tx, { id: workId, kind: 'deleteIdentity', since });
	else if ((await listIn(tx, activeDeletionStatuses)).length === 0) await tx.work.delete(workId);
}
