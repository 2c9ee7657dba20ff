import type { RelationshipHoldings } from '../relationship-holdings';

/** Tokens that the peer has created; files stay (docs/protocol/transport.md 6.4). */
export const tokenHoldings: RelationshipHoldings = {
	release: async (tx, { peer }) => {
		const ofPeer = await tx.tokens.list({
			where: [
				{ field: 'isOwn', op: 'eq', value: false },
				{ field: 'createdBy', op: 'eq', value: peer },
			],
		});
		for (const { record } of ofPeer) await tx.tokens.delete(record.id);
	},
};
