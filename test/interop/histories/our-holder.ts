import { judged, type Gateway, type GatewayConfigInput } from '../../../core';
import type { TestNetwork } from '../../support/gateways';
import type { HeldAttribute, Holder } from './holder';
import { loosely } from '../../support/loosely';

export interface OurHolder extends Holder {
	readonly gateway: Gateway;
}

export async function ourHolder(
	network: TestNetwork,
	config?: GatewayConfigInput,
): Promise<OurHolder> {
	const gateway = await network.gateway(config);
	const { attributes, incomingRequests, outgoingRequests, messages, account } = gateway;
	const { address } = await account.getIdentity();
	return {
		name: 'we',
		gateway,
		address,
		attributes: async () => (await attributes.list()) as HeldAttribute[],
		create: (content) => attributes.create(judged({ content })),
		succeed: ({ id }, successorContent) => attributes.succeed(id, judged({ successorContent })),
		notify: (id, peer) => attributes.notifyPeer(id, { peer }),
		share: (id, peer) => attributes.share(id, { peer }),
		createAndShare: (content, peer) =>
			attributes.createAndShareRelationshipAttribute(judged({ content, peer })),
		ask: async (content, peer) => {
			const request = await outgoingRequests.create({ content: loosely(content), peer });
			await messages.send({ recipients: [peer], content: request.content });
		},
		deleteRepository: (id) => attributes.delete(id),
		deleteOwnShared: (id) => attributes.deleteOwnShared(id),
		deletePeerShared: (id) => attributes.deletePeerShared(id),
		undecided: () => incomingRequests.list({ query: { status: 'ManualDecisionRequired' } }),
		decide: async (id, decision, items) => {
			await incomingRequests[decision](id, judged({ items }));
			expect(await incomingRequests.get(id)).toMatchObject({ status: 'Completed' });
		},
		sync: async () => {
			await network.settle(gateway);
			// What the Backbone has lost on the way is found by a comparison with its lists.
			await account.reconcile({});
			expect((await network.arrivals(gateway)).pendingFailures).toEqual([]);
		},
	};
}
