import type { JsonObject } from '../../../core/model/json';
import { PeerError, type Peer, type PeerObject } from '../../support/peer/peer';
import type { TestNetwork } from '../../support/gateways';
import { arbitraryCreation, arbitraryTemplate } from '../contents';
import { ourSide, type OurSide } from './our-side';
import { until, type HeldAttribute, type SeenRequest, type Side } from './side';

export function officialSide(peer: Peer, network: TestNetwork): Side {
	let third: Promise<Side> | undefined;
	const incoming = (id: string): Promise<SeenRequest> =>
		peer.call('consumption.incomingRequests', 'getRequest', { id });
	const inStatus = (id: string, status: string): Promise<SeenRequest> =>
		until(`request in status ${status}`, async () => {
			const request = await orNothing(incoming(id));
			return request?.status === status ? request : undefined;
		});
	return {
		kind: peer.generation,
		address: peer.address,
		createAttribute: async (value) => held(await peer.createAttribute(value)),
		attribute: async (id) => {
			const found = await orNothing(peer.call('consumption.attributes', 'getAttribute', { id }));
			return found === undefined ? undefined : held(found as PeerObject);
		},
		thirdParty: () => (third ??= meetThirdParty(network, peer)),
		uploadFile: async () => {
			const file = await peer.call('transport.files', 'uploadOwnFile', {
				content: { $bytes: Buffer.from('a file that changes hands').toString('base64') },
				filename: 'f.txt',
				mimetype: 'text/plain',
				title: 'f',
			});
			const { truncated } = file['reference'] as { truncated: string };
			return { reference: truncated, ownershipToken: String(file['ownershipToken']) };
		},
		offer: async (onNewRelationship) => {
			const content = { '@type': 'RelationshipTemplateContent' as const, onNewRelationship };
			const template = await peer.createTemplate(content);
			return (template['reference'] as { truncated: string }).truncated;
		},
		receive: async (reference) => (await peer.receiveRequest(reference)).id,
		ask: async (address, content) => {
			const request = await peer.call<SeenRequest>('consumption.outgoingRequests', 'create', {
				content,
				peer: address,
			});
			await peer.send(address, request.content);
			return request.id;
		},
		sync: () => network.settleParties([peer.syncing]),
		toDecide: async (id) => {
			await network.arrivesAt(peer.syncing, async () => {
				const request = await orNothing(incoming(id));
				return request?.status === 'ManualDecisionRequired';
			});
		},
		decide: async (requestId, decision, items) => {
			await peer.call('consumption.incomingRequests', decision, { requestId, items });
			return await inStatus(requestId, 'Completed');
		},
		outgoing: async (id) =>
			await orNothing(peer.call<SeenRequest>('consumption.outgoingRequests', 'getRequest', { id })),
		sharedBy: async (requestId) => {
			const request = await peer.call<SeenRequest>('consumption.outgoingRequests', 'getRequest', {
				id: requestId,
			});
			const [asked, answers] = [flat(request.content), flat(request.response?.content ?? {})];
			// In version 7 the sender chooses the id, in version 6 who accepts.
			return asked.map((item, index) =>
				String(item['attributeId'] ?? answers[index]?.['attributeId']),
			);
		},
	};
}

export function flat(content: JsonObject): JsonObject[] {
	const items = (content['items'] ?? []) as JsonObject[];
	return items.flatMap((item) => (Array.isArray(item['items']) ? flat(item) : [item]));
}

async function meetThirdParty(network: TestNetwork, peer: Peer): Promise<Side> {
	const other = await ourSide(network);
	await befriend(peer, other, network);
	return other;
}

/** Our side answers a template of the peer, which accepts. */
export async function befriend(
	peer: Peer,
	{ gateway }: Pick<OurSide, 'gateway'>,
	network: TestNetwork,
): Promise<void> {
	const template = await peer.createTemplate(arbitraryTemplate(1));
	const { truncated } = template['reference'] as { truncated: string };
	const { id: templateId } = await gateway.templates.loadPeer({ reference: truncated });
	const creationContent = arbitraryCreation(1);
	const created = await gateway.relationships.create({ templateId, creationContent });
	await network.arrivesAt(peer.syncing, async () => {
		const known = await peer.relationships();
		return known.some(({ id }) => id === created.id);
	});
	await peer.acceptRelationship(created.id);
	await network.arrives(gateway, async () => {
		const { status } = await gateway.relationships.get(created.id);
		return status === 'Active';
	});
}

function held({ id, content, deletionInfo }: PeerObject): HeldAttribute {
	const info = deletionInfo as { deletionStatus?: string } | undefined;
	return { id, content: content as JsonObject, deletionStatus: info?.deletionStatus };
}

async function orNothing<Value>(answer: Promise<Value>): Promise<Value | undefined> {
	try {
		return await answer;
	} catch (error) {
		if (error instanceof PeerError && error.code?.endsWith('recordNotFound') === true)
			return undefined;
		throw error;
	}
}
