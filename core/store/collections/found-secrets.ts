import { sql } from '../kysely';
import type { AnyCollection } from './collection-declaration';
import { collections } from './collections';
import type { SqlExecutor } from '../sql/executor';
import { CollectionShape } from './sql-collection';
import { isSealed, type Sealer } from '../sql/sealer';
import { rowCount, type CompiledStatementCache } from '../sql/compiled-statement-cache';

const rowsAtOnce = 200;

/** Database connection with the statements and the sealer for writing rows. */
export interface RowTarget {
	readonly executor: SqlExecutor;
	readonly compiled: CompiledStatementCache;
	readonly sealer: Sealer;
}

/**
 * Seals texts that contain keys or passwords and that versions before schema version 6 stored
 * unencrypted.
 */
export async function sealFoundSecrets(target: RowTarget): Promise<void> {
	for (const declaration of Object.values(collections)) await sealRecords(target, declaration);
	await sealEvents(target);
}

async function sealRecords(
	{ executor, compiled, sealer }: RowTarget,
	declaration: AnyCollection,
): Promise<void> {
	const shape = new CollectionShape(declaration, sealer, compiled);
	for (let position = 0; ;) {
		const rows = await shape.statements.scan(executor, position, rowsAtOnce);
		for (const { document } of rows) {
			if (!isFound(document, sealer)) continue;
			const record: { readonly id: string } = JSON.parse(document);
			await shape.statements.update(executor, record, { document: shape.documentOf(record) });
		}
		if (rows.length < rowsAtOnce) return;
		position = Number(rows.at(-1)?.ordinal);
	}
}

async function sealEvents({ executor, compiled, sealer }: RowTarget): Promise<void> {
	for (let position = 0; ;) {
		const rows = await compiled.query<{ sequence: number | string; data: string }>(
			executor,
			'outbox data after',
			[position, rowsAtOnce],
			(db, slot) =>
				db
					.selectFrom('outbox')
					.select(['sequence', 'data'])
					.where(sql<boolean>`sequence > ${slot()}`)
					.orderBy('sequence')
					.limit(rowCount(slot)),
		);
		for (const { sequence, data } of rows) {
			if (!isFound(data, sealer)) continue;
			const stored = sealer.toStored(data, { table: 'outbox', id: String(sequence) });
			await compiled.change(executor, 'outbox replace data', [stored, sequence], (db, slot) =>
				db.updateTable('outbox').set({ data: slot() }).where('sequence', '=', slot()),
			);
		}
		if (rows.length < rowsAtOnce) return;
		position = Number(rows.at(-1)?.sequence);
	}
}

const isFound = (stored: string, sealer: Sealer): boolean =>
	!isSealed(stored) && sealer.mustSeal(stored);
