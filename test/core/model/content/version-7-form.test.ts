import type { JsonObject } from '../../../../core/model/json';
import { fromVersion7Form, toVersion7Form } from '../../../../core/model/content/version-7-form';

/* docs/protocol/generation-7.md 7, 10: forms that two gateways rarely exchange */
const peer = 'did:e:backbone.example:dids:0123456789abcdef012345';
const id = 'ATTaaaaaaaaaaaaaaaaa';
const attribute = {
	'@type': 'RelationshipAttribute',
	owner: peer,
	key: 'k',
	confidentiality: 'public',
	isTechnical: false,
	value: { '@type': 'ProprietaryString', title: 'T', value: 'V' },
};
const answer = {
	'@type': 'ReadAttributeAcceptResponseItem',
	attribute,
	attributeId: id,
	result: 'Accepted',
};
const deletion = (kind: string) => ({ '@type': `${kind}NotificationItem`, attributeId: id });
const shared = { '@type': 'ShareAttributeRequestItem', attribute, mustBeAccepted: true };

const forms: ReadonlyArray<readonly [string, JsonObject, JsonObject]> = [
	[
		'a third party',
		{ ...answer, thirdPartyAddress: peer },
		{ ...answer, initialAttributePeer: peer },
	],
	['no third party', { ...answer, thirdPartyAddress: null }, answer],
	[
		'the answer to a shared attribute',
		{ '@type': 'ShareAttributeAcceptResponseItem', attributeId: id, result: 'Accepted' },
		{ '@type': 'AcceptResponseItem', result: 'Accepted' },
	],
	[
		'an item in both forms',
		{ ...shared, sourceAttributeId: 'ATTbbbbbbbbbbbbbbbbb', attributeId: id },
		{ ...shared, attributeId: id },
	],
	[
		'a sign-in without title',
		{ '@type': 'AuthenticationRequestItem', mustBeAccepted: true },
		{ '@type': 'AuthenticationRequestItem', mustBeAccepted: true, title: 'Authentication' },
	],
	...[
		['OwnSharedAttributeDeletedByOwner', 'OwnAttributeDeletedByOwner'],
		['PeerSharedAttributeDeletedByPeer', 'ForwardedAttributeDeletedByPeer'],
		['ThirdPartyRelationshipAttributeDeletedByPeer', 'ForwardedAttributeDeletedByPeer'],
		['ThirdPartyOwnedRelationshipAttributeDeletedByPeer', 'ForwardedAttributeDeletedByPeer'],
	].map(([of6 = '', of7 = '']) => [of6, deletion(of6), deletion(of7)] as const),
];

// shows connector-7 7: ReadAttributeAcceptResponseItem; notification items; generation-7 7:
// ReadAttributeAcceptResponseItem; generation-7 10: paragraph 1
it.each(forms)('version 7 shows %s in its form', (_what, of6, of7) => {
	expect(toVersion7Form(of6)).toEqual(of7);
	expect(toVersion7Form(of7)).toEqual(of7);
});

it('reads the own attribute that an item shares, whatever version 6 would call it', () => {
	const given = {
		...shared,
		attributeId: id,
		sourceAttributeId: 'ATTbbbbbbbbbbbbbbbbb',
		thirdPartyAddress: peer,
	};
	expect(fromVersion7Form(given)).toEqual({ ...shared, sourceAttributeId: id });
	expect(fromVersion7Form({ ...answer, thirdPartyAddress: peer })).toEqual(answer);
});
