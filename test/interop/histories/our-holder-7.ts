import { idAtPeer } from '../../../core/domain/attribute/attribute-ids';
import { partsOf } from '../../../core/gateway/gateway-parts';
import { judged, type Gateway } from '../../../core';
import type { TestNetwork } from '../../support/gateways';
import { loosely } from '../../support/loosely';
import { heldOf7, type AttributeOf7, type ForwardingDetails } from './held-of-7';
import type { HeldAttribute, Holder } from './holder';
import { ourHolder, type OurHolder } from './our-holder';

/** Our gateway, served as version 7. */
export async function ourHolder7(network: TestNetwork, peer: 6 | 7): Promise<OurHolder> {
	const holder = await ourHolder(network, { ...network.config(), oneAttributeId: true });
	const { gateway } = holder;
	const { localAttributes } = gateway;
	const remove = (id: string): Promise<unknown> => localAttributes.delete(id);
	return {
		...holder,
		name: 'we as version 7',
		// A peer of version 6 chooses the id of what it accepts, which version 7 does not show.
		attributes: () => (peer === 6 ? heldAtPeer(gateway) : heldHere(gateway)),
		create: (content) => localAttributes.create(judged({ content })),
		succeed: ({ id }, successorContent) =>
			localAttributes.succeed(id, judged({ successorContent })),
		notify: (id, to) => localAttributes.notifyPeer(id, { peer: to }),
		deleteRepository: remove,
		deleteOwnShared: remove,
		deletePeerShared: remove,
	} satisfies Holder & { readonly gateway: Gateway };
}

async function heldHere({ localAttributes }: Gateway): Promise<HeldAttribute[]> {
	const attributes = loosely<AttributeOf7[]>(await localAttributes.list());
	const details = new Map<string, readonly ForwardingDetails[]>();
	for (const { id } of attributes) details.set(id, await localAttributes.forwardingDetails(id));
	return heldOf7(attributes, details);
}

/** Attributes as they are stored, under the ids that peers know; of one peer only if it is given. */
export async function heldAtPeer(gateway: Gateway, peer?: string): Promise<HeldAttribute[]> {
	const { store } = partsOf(gateway);
	const entries = await store.read((tx) => tx.attributes.list());
	const all = entries.map(({ record }) => record);
	const records = all.filter(({ shareInfo }) => peer === undefined || shareInfo?.peer === peer);
	const names = new Map(records.map((record) => [record.id, idAtPeer(record)]));
	return loosely<HeldAttribute[]>(
		records.map((record) => ({
			...record,
			id: idAtPeer(record),
			...(record.succeededBy === undefined ? {} : { succeededBy: names.get(record.succeededBy) }),
		})),
	);
}
