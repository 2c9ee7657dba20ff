import type { RelationshipHoldings } from '../relationship-holdings';

/** Settings for the relationship (docs/protocol/consumption.md 8.14). */
export const settingHoldings: RelationshipHoldings = {
	release: async (tx, { id }) => {
		const entries = await tx.settings.list({
			where: [
				{ field: 'reference', op: 'eq', value: id },
				{ field: 'scope', op: 'eq', value: 'Relationship' },
			],
		});
		for (const { record } of entries) await tx.settings.delete(record.id);
	},
};
