import type { INodeProperties } from 'n8n-workflow';
import type { AttributeDto, GatewayFacade } from '../../../../core';
import type { OperationCall } from '../../operation/operation';

/** Option of operations that give an attribute a new version. */
export const notifyPeersOption: INodeProperties = {
	displayName: 'Notify Peers',
	name: 'notifyPeers',
	type: 'boolean',
	default: true,
	description: 'Whether connected peers that have an earlier version get the new one',
};

/**
 * Notifies all connected peers that have an earlier version, also of an update before this one, so
 * that a repeated execution reaches the peers that a failed one has left out.
 */
export async function notifyAll(
	{ gateway, signal }: OperationCall,
	attribute: AttributeDto,
): Promise<string[]> {
	const copies = await gateway.attributes.sharedVersions(attribute.id, {}, { signal });
	const peers = [...new Set(copies.flatMap((copy) => outdatedPeer(copy, attribute)))];
	const active = await connectedPeers(gateway, peers, signal);
	for (const peer of active) {
		await gateway.attributes.notifyPeer(attribute.id, { peer }, { signal });
	}
	return active;
}

function outdatedPeer({ shareInfo, deletionInfo }: AttributeDto, { id }: AttributeDto): string[] {
	const isDeleted = /^(ToBe)?DeletedByPeer$/.test(deletionInfo?.deletionStatus ?? '');
	if (shareInfo === undefined || shareInfo.sourceAttribute === id || isDeleted) return [];
	return [shareInfo.peer];
}

async function connectedPeers(
	gateway: GatewayFacade,
	peers: readonly string[],
	signal: AbortSignal | undefined,
): Promise<string[]> {
	if (peers.length === 0) return [];
	const relationships = await gateway.relationships.list(
		{
			where: [
				{ field: 'peer', op: 'in', value: peers },
				{ field: 'status', op: 'eq', value: 'Active' },
			],
		},
		{ signal },
	);
	return relationships.map(({ peer }) => peer);
}
