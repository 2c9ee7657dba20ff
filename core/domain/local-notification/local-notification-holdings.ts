import type { RelationshipHoldings } from '../relationship-holdings';

/** Notifications to and from the peer (docs/protocol/consumption.md 8.14). */
export const localNotificationHoldings: RelationshipHoldings = {
	release: async (tx, { peer }) => {
		const entries = await tx.localNotifications.list({
			where: [{ field: 'peer', op: 'eq', value: peer }],
		});
		for (const { record } of entries) await tx.localNotifications.delete(record.id);
	},
};
