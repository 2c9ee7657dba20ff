import type { GatewayFacade, RelationshipDto } from '../../../core';

/** Latest relationship with the peer; undefined if none is left. */
export async function newestRelationship(
	gateway: GatewayFacade,
	peer: string,
): Promise<RelationshipDto | undefined> {
	const [newest] = await gateway.relationships.list({
		where: [{ field: 'peer', op: 'eq', value: peer }],
		orderBy: { field: 'inserted', direction: 'desc' },
		limit: 1,
	});
	return newest;
}
