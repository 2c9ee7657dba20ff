import { isGatewayError } from '../../base/errors';
import type { AuditChainSecrets } from '../../model/record/http/audit';
import type { ReadTransaction } from '../../store/store';
import type { FoundRow } from './audit-chain';

export type AuditReading = Pick<ReadTransaction, 'auditEntries' | 'auditChain'>;

/** Id of the one record that seals the ends. */
export const chainId = 'chain';

/**
 * Reads the sealed ends; undefined if there are none.
 *
 * @throws `error.crypto.sealing.cannotOpen` if the record was altered
 */
export async function readChain(tx: AuditReading): Promise<AuditChainSecrets | undefined> {
	return (await tx.auditChain.get(chainId))?.secrets;
}

/**
 * Reads the rows with the numbers from `first` to `last`. The ids are the numbers, so that neither
 * the order in the table nor a column decides what stands where.
 */
export async function readRows(tx: AuditReading, first: number, last: number): Promise<FoundRow[]> {
	const ids = Array.from({ length: Math.max(0, last - first + 1) }, (_, at) => String(first + at));
	try {
		const entries = await tx.auditEntries.getMany(ids);
		const byId = new Map(entries.map(({ record }) => [record.id, record]));
		return ids.map((id) => byId.get(id) ?? 'missing');
	} catch (error) {
		if (!isGatewayError(error, 'error.gateway.store.corruptRow')) throw error;
	}
	// One of them cannot be read: find out which.
	const rows: FoundRow[] = [];
	for (const id of ids) rows.push(await readRow(tx, id));
	return rows;
}

async function readRow(tx: AuditReading, id: string): Promise<FoundRow> {
	try {
		return (await tx.auditEntries.get(id))?.record ?? 'missing';
	} catch (error) {
		if (!isGatewayError(error, 'error.gateway.store.corruptRow')) throw error;
		return 'unreadable';
	}
}
