import type { RelationshipHoldings } from '../relationship-holdings';

/** Requests to and from the peer (docs/protocol/consumption.md 8.14). */
export const requestHoldings: RelationshipHoldings = {
	release: async (tx, { peer }) => {
		const entries = await tx.requests.list({ where: [{ field: 'peer', op: 'eq', value: peer }] });
		for (const { record } of entries) {
			await tx.requests.delete(record.id);
			await tx.outbox.erase(record.id);
		}
	},
};
