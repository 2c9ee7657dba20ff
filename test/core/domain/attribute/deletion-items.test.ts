import {
	deletionItem,
	type DeletionItemKind,
} from '../../../../core/domain/local-notification/sent-notification-items';
import { attributeRecord } from '../../../support/records';

/* docs/protocol/content.md 13.2: what a wallet of version 7 reads of a deletion. */

const [own, peer, third] = ['did:e:own', 'did:e:peer', 'did:e:third'];
const relationshipAttribute = (owner: string) => ({ '@type': 'RelationshipAttribute', owner });
const identityAttribute = (owner: string) => ({ '@type': 'IdentityAttribute', owner });
const forwarded = { sourceAttribute: 'ATT0' };
const ofThirdParty = { thirdPartyAddress: third };

it.each<[string, object, object, DeletionItemKind, string]>([
	[
		'our copy of what we shared',
		identityAttribute(own),
		forwarded,
		'ownShared',
		'OwnAttributeDeletedByOwner',
	],
	[
		'our part of a relationship',
		relationshipAttribute(own),
		{},
		'ownShared',
		'OwnAttributeDeletedByOwner',
	],
	[
		'what the peer told of itself',
		identityAttribute(peer),
		{},
		'peerShared',
		'ForwardedAttributeDeletedByPeer',
	],
	[
		'its part of the relationship',
		relationshipAttribute(peer),
		{},
		'peerShared',
		'PeerRelationshipAttributeDeletedByPeer',
	],
	[
		'what it forwarded and owns',
		relationshipAttribute(peer),
		ofThirdParty,
		'peerShared',
		'ForwardedAttributeDeletedByPeer',
	],
	[
		'what it forwarded and owns, by its kind',
		relationshipAttribute(peer),
		ofThirdParty,
		'thirdParty',
		'ForwardedAttributeDeletedByPeer',
	],
	[
		'what it forwarded of another',
		relationshipAttribute(third),
		ofThirdParty,
		'thirdParty',
		'ForwardedAttributeDeletedByPeer',
	],
	[
		'what we forwarded and own',
		relationshipAttribute(own),
		{ ...forwarded, ...ofThirdParty },
		'thirdParty',
		'OwnAttributeDeletedByOwner',
	],
	[
		'what we forwarded and own, as shared',
		relationshipAttribute(own),
		{ ...forwarded, ...ofThirdParty },
		'ownShared',
		'OwnAttributeDeletedByOwner',
	],
	[
		'what we forwarded of another',
		relationshipAttribute(third),
		{ ...forwarded, ...ofThirdParty },
		'thirdParty',
		'PeerRelationshipAttributeDeletedByPeer',
	],
	[
		'what we forwarded of another, after its source',
		relationshipAttribute(third),
		{ sourceIsDeleted: true as const, ...ofThirdParty },
		'thirdParty',
		'PeerRelationshipAttributeDeletedByPeer',
	],
])('%s is deleted', (_what, content, sharing, kind, type) => {
	const shareInfo = { peer, requestReference: 'REQ1', ...sharing };
	const record = attributeRecord('ATT1', { content: content as never, shareInfo });
	expect(deletionItem(record, kind, { generation: 7, ownAddress: own })).toEqual({
		'@type': `${type}NotificationItem`,
		attributeId: 'ATT1',
	});
});
