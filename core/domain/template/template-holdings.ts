import type { RelationshipRecord } from '../../model/record/relationship';
import type { TemplateRecord } from '../../model/record/template';
import type { ReadTransaction } from '../../store/store';
import type { RelationshipHoldings } from '../relationship-holdings';

/**
 * All templates of the peer, and the own one that was made for this relationship only
 * (docs/protocol/transport.md 6.4). Others may still answer an own template with more allocations.
 */
export const templateHoldings: RelationshipHoldings = {
	release: async (tx, relationship) => {
		for (const { id } of await templatesOf(tx, relationship)) {
			await tx.templates.delete(id);
			// Request secrets of creations that were begun from it and never came about.
			const creations = await tx.relationshipIntents.list({
				where: [{ field: 'templateId', op: 'eq', value: id }],
			});
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
	const ofPeer = await tx.templates.list({
		where: [
			{ field: 'isOwn', op: 'eq', value: false },
			{ field: 'createdBy', op: 'eq', value: peer },
		],
	});
	const records = ofPeer.map(({ record }) => record);
	if (own?.isOwn === true && own.maxNumberOfAllocations === 1) records.push(own);
	return records;
}
