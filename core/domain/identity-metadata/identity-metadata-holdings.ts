import type { RelationshipHoldings } from '../relationship-holdings';

/** What clients remember of the peer (docs/protocol/consumption.md 8.14). */
export const identityMetadataHoldings: RelationshipHoldings = {
	release: async (tx, { peer }) => {
		const entries = await tx.identityMetadata.list({
			where: [{ field: 'reference', op: 'eq', value: peer }],
		});
		for (const { record } of entries) await tx.identityMetadata.delete(record.id);
	},
};
