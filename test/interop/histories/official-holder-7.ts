import type { TestNetwork } from '../../support/gateways';
import type { Peer, PeerObject } from '../../support/peer/peer';
import { heldOf7, type AttributeOf7, type ForwardingDetails } from './held-of-7';
import { isRelationshipAttribute, type Holder } from './holder';
import { officialHolder } from './official-holder';

/** An official runtime of version 7, which has no copies of what it forwards. */
export function officialHolder7(peer: Peer, network: TestNetwork): Holder {
	const call = <Result>(method: string, input: object): Promise<Result> =>
		peer.call<Result>('consumption.attributes', method, input);
	const remove = (attributeId: string): Promise<unknown> =>
		call('deleteAttributeAndNotify', { attributeId });
	return {
		...officialHolder(peer, network),
		name: 'the official runtime of version 7',
		attributes: async () => {
			const attributes = await call<AttributeOf7[]>('getAttributes', { query: {} });
			const details = new Map<string, readonly ForwardingDetails[]>();
			for (const { id } of attributes.filter(mayBeForwarded)) {
				const found = await call<ForwardingDetails[]>('getForwardingDetailsForAttribute', {
					attributeId: id,
				});
				details.set(id, found);
			}
			return heldOf7(attributes, details);
		},
		create: (content) => call('createOwnIdentityAttribute', { content }),
		succeed: (attribute, successorContent) =>
			call<PeerObject>(
				isRelationshipAttribute(attribute)
					? 'succeedRelationshipAttributeAndNotifyPeer'
					: 'succeedOwnIdentityAttribute',
				{ predecessorId: attribute.id, successorContent },
			),
		notify: (attributeId, to) =>
			call('notifyPeerAboutOwnIdentityAttributeSuccession', { attributeId, peer: to }),
		share: (attributeId, to) => call('shareOwnIdentityAttribute', { attributeId, peer: to }),
		deleteRepository: remove,
		deleteOwnShared: remove,
		deletePeerShared: remove,
	};
}

/** Only own identity attributes are forwarded in a history of two. */
const mayBeForwarded = ({ '@type': type }: AttributeOf7): boolean =>
	type === 'OwnIdentityAttribute';
