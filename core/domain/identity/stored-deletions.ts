import type { DeletionProcessRecord } from '../../model/record/deletion-process';
import type { ReadTransaction } from '../../store/store';
import { finalStatuses, type DeletionStatus } from './deletion-rules';

export async function listIn(
	tx: ReadTransaction,
	statuses: readonly DeletionStatus[],
): Promise<DeletionProcessRecord[]> {
	const entries = await tx.deletionProcesses.list({
		where: [{ field: 'status', op: 'in', value: statuses }],
	});
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
