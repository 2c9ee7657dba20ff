import type { Gateway } from '../../../core';
import { inOneHour, relate, settle, TestNetwork } from '../../support/gateways';
import { loosely } from '../../support/loosely';

/* docs/protocol/content.md 13.2: Share items in the form of version 7 name an own attribute in `attributeId`. */

let network: TestNetwork;
let gateway: Gateway;
let peer: Gateway;
let address: string;

beforeEach(async () => {
	network = await TestNetwork.open();
	gateway = await network.gateway();
	peer = await network.gateway();
	({ addressB: address } = await relate(gateway, peer));
});
afterEach(() => network.close());

async function shareItem(attributeId?: string): Promise<{ id: string; item: object }> {
	const value = { '@type': 'Surname' as const, value: 'Beispiel' };
	const { id, content: attribute } = await gateway.attributes.create({ content: { value } });
	const item = { '@type': 'ShareAttributeRequestItem' as const, attribute, mustBeAccepted: true };
	return { id, item: { ...item, attributeId: attributeId ?? id } };
}

it('a request with it is valid, is sent, and shares the attribute', async () => {
	const { id, item } = await shareItem();
	const group = { '@type': 'RequestItemGroup' as const, items: [item] };
	const content = { items: [item, group] };
	expect(await gateway.outgoingRequests.validate({ content: loosely(content) })).toMatchObject({
		isSuccess: true,
	});
	const request = await gateway.outgoingRequests.create({
		content: { items: [loosely(item)] },
		peer: address,
	});
	expect(request.content['items']).toMatchObject([{ sourceAttributeId: id }]);
	// As the caller wrote it, and not as it is stored.
	const written = { '@type': 'Request' as const, id: request.id, items: [item] };
	await gateway.messages.send({ recipients: [address], content: loosely(written) });
	await settle(peer);
	const [asked] = await peer.incomingRequests.list();
	await peer.incomingRequests.accept(asked?.id ?? '', { items: [{ accept: true }] });
	await settle(gateway);
	expect(await gateway.attributes.sharedVersions(id)).toMatchObject([
		{ shareInfo: { peer: address, sourceAttribute: id } },
	]);
});

it('a template with it can be created', async () => {
	const { id, item } = await shareItem();
	const { content } = await gateway.templates.create({
		expiresAt: inOneHour(),
		content: {
			'@type': 'RelationshipTemplateContent',
			onNewRelationship: { '@type': 'Request', items: [loosely(item)] },
		},
	});
	expect(content).toMatchObject({ onNewRelationship: { items: [{ sourceAttributeId: id }] } });
});

it('an unknown attribute is refused as before', async () => {
	const { item } = await shareItem('ATT00000000000000001');
	const validation = gateway.outgoingRequests.validate({ content: { items: [loosely(item)] } });
	await expect(validation).rejects.toMatchObject({ code: 'error.runtime.requestDeserialization' });
});
