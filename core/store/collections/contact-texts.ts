import { contactNames, contactValues } from '../../model/content/contact-search';
import { collections } from './collections';
import { CollectionShape } from './sql-collection';
import type { RowTarget } from './found-secrets';

const rowsAtOnce = 200;

/**
 * Adds the texts by which contacts are found to the attributes that versions before schema version 8
 * stored.
 */
export async function addContactTexts({ executor, compiled, sealer }: RowTarget): Promise<void> {
	const shape = new CollectionShape(collections.attributes, sealer, compiled);
	for (let position = 0; ;) {
		const rows = await shape.statements.scan(executor, position, rowsAtOnce);
		for (const row of rows) {
			const record = shape.recordOf(row);
			if (contactValues(record).length + contactNames(record).length === 0) continue;
			await shape.statements.update(executor, record, { document: row.document });
		}
		if (rows.length < rowsAtOnce) return;
		position = Number(rows.at(-1)?.ordinal);
	}
}
