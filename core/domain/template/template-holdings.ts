import type { RelationshipRecord } from '../../model/record/relationship';
import type { TemplateRecord } from '../../model/record/template';
import type { ReadTransaction } from '../../store/store';
import type { Observer } from '../observers';
import { matching } from '../query/conditions';

/**
 * Deletes all templates of the peer, and this account's template if it was made for this
 * relationship only (docs/protocol/transport.md 6.4). Other peers may still answer a template with
 * more allocations.
 */
export const templateHoldings: Observer<'relationshipDecomposed'> = {
	relationshipDecomposed: async (tx, relationship) => {
		for (const { id } of await templatesOf(tx, relationship)) {
			await tx.templates.delete(id);
			await tx.work.delete(id);
			// Request secrets of creations from this template that never completed.
			const creations = await tx.relationshipIntents.list({ where: matching({ templateId: id }) });
			for (const { record } of creations) await tx.relationshipIntents.delete(record.id);
			await tx.outbox.erase(id);
		}
	},
};

async function templatesOf(
	tx: ReadTransaction,
	{ peer, templateId }: RelationshipRecord,
): Promise<TemplateRecord[]> {
	const own = (await tx.templates.get(templateId))?.record;
	const ofPeer = await tx.templates.list({ where: matching({ isOwn: false, createdBy: peer }) });
	const records = ofPeer.map(({ record }) => record);
	if (own?.isOwn === true && own.maxNumberOfAllocations === 1) records.push(own);
	return records;
}
