import { identityByKey } from '../../crypto/message-identity';
import type { MessageRecord } from '../../model/record/message';
import { collections } from './collections';
import type { RowTarget } from './found-secrets';
import { CollectionShape } from './sql-collection';
import { ownText } from '../../model/json';

const rowsAtOnce = 200;

/**
 * Adds the identity to the received messages that versions before schema version 10 stored, so that
 * they are known when the Backbone shows them again under other ids.
 */
export async function addMessageIdentities({
	executor,
	compiled,
	sealer,
}: RowTarget): Promise<void> {
	const shape = new CollectionShape(collections.messages, sealer, compiled);
	for (let position = 0; ;) {
		const rows = await shape.statements.scan(executor, position, rowsAtOnce);
		for (const row of rows) {
			const record = shape.recordOf(row);
			if (record.isOwn || record.identity !== undefined || row.secrets === null) continue;
			const messageKey = ownText(shape.open(row.secrets, row.id), 'messageKey');
			if (messageKey === undefined) continue;
			const identity = identityByKey(record.createdBy, messageKey);
			const known: MessageRecord = { ...record, identity };
			await shape.statements.update(executor, known, { document: shape.documentOf(known) });
		}
		if (rows.length < rowsAtOnce) return;
		position = Number(rows.at(-1)?.ordinal);
	}
}
