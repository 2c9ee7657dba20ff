import type { TestNetwork } from '../../support/gateways';
import type { Peer, PeerObject } from '../../support/peer/peer';
import { until } from '../requests/side';
import { isRelationshipAttribute, type Holder, type PendingRequest } from './holder';

/** Its modules are about to do something. */
const busyStatuses = ['Open', 'DecisionRequired', 'Decided'];

/** An official runtime of version 6. */
export function officialHolder(peer: Peer, network: TestNetwork): Holder {
	const attributes = (method: string, input: object): Promise<unknown> =>
		peer.call('consumption.attributes', method, input);
	/** Its modules work on what a sync brought after the sync has ended. */
	const settled = async (): Promise<void> => {
		await until('state without open work', async () => {
			const messages = (await peer.messages({ isOwn: 'false' })).length;
			const processed = peer.events.filter(
				({ namespace }) => namespace === 'consumption.messageProcessed',
			).length;
			const notifications = await peer.call<PeerObject[]>(
				'consumption.notifications',
				'getNotifications',
				{ query: { status: 'Open' } },
			);
			const requests = await peer.incomingRequests();
			const isBusy =
				notifications.length > 0 ||
				processed < messages ||
				requests.some(({ status }) => busyStatuses.includes(String(status)));
			return isBusy ? undefined : true;
		});
	};
	return {
		name: 'the official runtime',
		address: peer.address,
		attributes: async () => (await peer.attributes()) as never,
		create: (content) => attributes('createRepositoryAttribute', { content }),
		succeed: (attribute, successorContent) =>
			attributes(
				isRelationshipAttribute(attribute)
					? 'succeedRelationshipAttributeAndNotifyPeer'
					: 'succeedRepositoryAttribute',
				{ predecessorId: attribute.id, successorContent },
			),
		notify: (attributeId, to) =>
			attributes('notifyPeerAboutRepositoryAttributeSuccession', { attributeId, peer: to }),
		share: (attributeId, to) => attributes('shareRepositoryAttribute', { attributeId, peer: to }),
		createAndShare: (content, to) =>
			attributes('createAndShareRelationshipAttribute', { content, peer: to }),
		ask: async (content, to) => {
			const request = await peer.call<PeerObject & { content: object }>(
				'consumption.outgoingRequests',
				'create',
				{ content, peer: to },
			);
			await peer.send(to, request.content);
		},
		deleteRepository: (attributeId) => attributes('deleteRepositoryAttribute', { attributeId }),
		deleteOwnShared: (attributeId) =>
			attributes('deleteOwnSharedAttributeAndNotifyPeer', { attributeId }),
		deletePeerShared: (attributeId) =>
			attributes('deletePeerSharedAttributeAndNotifyOwner', { attributeId }),
		undecided: async () =>
			(await peer.incomingRequests({
				status: 'ManualDecisionRequired',
			})) as unknown as PendingRequest[],
		decide: async (requestId, decision, items) => {
			await peer.call('consumption.incomingRequests', decision, { requestId, items });
			await settled();
		},
		sync: async () => {
			await network.settleParties([peer.syncing]);
			await settled();
		},
	};
}
