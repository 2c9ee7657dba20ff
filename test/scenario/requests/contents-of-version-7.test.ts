import type { Gateway } from '../../../core';
import { inOneHour, relate, SandboxNetwork, settle } from '../../support/gateways';
import { loosely } from '../../support/loosely';

/* docs/protocol/generation-7.md 4, 7 and 11: contents that releases after 7.0 have added. */

const values = [
	{ '@type': 'BankAccount', accountHolder: 'Mara', iban: 'DE79100000000000424242' },
	{ '@type': 'MaritalStatus', value: 'widowed' },
	{
		'@type': 'SchematizedJSON',
		value: { room: 'B12' },
		schemaURL: 'https://schemas.example/visit',
	},
	{
		'@type': 'VerifiableCredential',
		value: 'eyJhbGciOiJFUzI1NiJ9.e30.c2ln~',
		type: 'dc+sd-jwt',
		displayInformation: [{ name: 'Staff card' }],
	},
] as const;

const links = {
	offer: 'openid-credential-offer://?credential_offer_uri=https%3A%2F%2Fissuer.example%2F7',
	presentation: 'openid4vp://?client_id=verifier.example',
};

let network: SandboxNetwork;
let gateway: Gateway;
let wallet: Gateway;
let peer: string;
let own: string;
beforeAll(async () => {
	network = await SandboxNetwork.open();
	gateway = await network.gateway();
	wallet = await network.gateway();
	({ addressA: own, addressB: peer } = await relate(gateway, wallet));
});
afterAll(() => network.close());

async function ask(items: readonly object[]): Promise<string> {
	const asked = { content: { items: loosely(items) }, peer };
	const { id, content } = await gateway.outgoingRequests.create(loosely(asked));
	await gateway.messages.send({ recipients: [peer], content });
	await settle(wallet);
	return id;
}

// shows connector-7 7: identity values (29); generation-7 4.1: paragraph 1; queryable; can be
// created by Create-, answered to; generation-7 8.4: paragraph 3
it.each(values)('a $@type is asked for, answered, found and shared back', async (value) => {
	const type = value['@type'];
	const id = await ask([
		{
			'@type': 'ReadAttributeRequestItem',
			mustBeAccepted: true,
			query: { '@type': 'IdentityAttributeQuery', valueType: type },
		},
	]);
	const newAttribute = { '@type': 'IdentityAttribute' as const, owner: '', value };
	await wallet.incomingRequests.accept(id, {
		items: [{ accept: true, newAttribute: loosely(newAttribute) }],
	});
	await settle(gateway);
	expect(await gateway.outgoingRequests.get(id)).toMatchObject({ status: 'Completed' });
	const [received] = await gateway.attributes.list({ query: { 'content.value.@type': type } });
	expect(received?.content).toEqual({ '@type': 'IdentityAttribute', owner: peer, value });
	const stored = await wallet.attributes.list({
		query: { 'content.@type': 'IdentityAttribute', 'content.value.@type': type },
	});
	expect(stored).toHaveLength(2);

	const { id: ownId } = await gateway.attributes.create({ content: { value: loosely(value) } });
	const shared = await gateway.attributes.share(ownId, { peer });
	await settle(wallet);
	await wallet.incomingRequests.accept(shared.id, { items: [{ accept: true }] });
	await settle(gateway);
	expect(await gateway.outgoingRequests.get(shared.id)).toMatchObject({ status: 'Completed' });
	// A gateway that writes contents of both versions is not taken for a wallet of version 7.
	expect((await wallet.contacts.get(own)).walletVersion).toBeUndefined();
	const question = { '@type': 'FreeTextRequestItem' as const, freeText: '?', mustBeAccepted: true };
	const verdict = await wallet.outgoingRequests.validate({
		content: { items: [question] },
		peer: own,
	});
	expect(verdict).toMatchObject({ isSuccess: true });
});

it('the holder of a bank account is found by the IBAN', async () => {
	const [found] = await gateway.contacts.find({
		attribute: { type: 'BankAccount', value: 'DE79100000000000424242' },
	});
	expect(found?.address).toBe(peer);
});

// shows generation-7 4.2: iban; generation-7 4.3: paragraph 1; generation-7 4.4: value
it.each([
	['BankAccount', { accountHolder: 'Mara', iban: 'DE79100000000000424243' }, 'iban'],
	['MaritalStatus', { value: 'engaged' }, 'value'],
	['SchematizedJSON', { value: 'x'.repeat(5_000) }, 'value'],
])('a %s that breaks its rules is not stored', async (type, members, field) => {
	const content = { value: loosely<(typeof values)[0]>({ '@type': type, ...members }) };
	await expect(gateway.attributes.create({ content })).rejects.toMatchObject({
		code: 'error.runtime.requestDeserialization',
		message: expect.stringContaining(`'value.${field}'`) as string,
	});
});

// shows connector-7 5: OpenID4VC; connector-7 7: new items; generation-7 7:
// ShareCredentialOfferRequestItem (7.5.0); ShareAuthorizationRequestRequestItem; generation-7
// 8.7: sender; sender (2); CanAccept; CanAccept, parameter attributeId; paragraph 3
it('items with links for credentials arrive with them, and can only be rejected', async () => {
	const items = [
		{
			'@type': 'ShareCredentialOfferRequestItem',
			mustBeAccepted: false,
			credentialOfferUrl: links.offer,
		},
		{
			'@type': 'ShareAuthorizationRequestRequestItem',
			mustBeAccepted: false,
			authorizationRequestUrl: links.presentation,
		},
	];
	const id = await ask(items);
	const { content } = await wallet.incomingRequests.get(id);
	expect(content.items).toEqual(items);
	const verdict = await wallet.incomingRequests.canAccept(id, {
		items: [{ accept: true }, { accept: false }],
	});
	expect(verdict.items[0]).toMatchObject({
		isSuccess: false,
		message: "Items of type 'ShareCredentialOfferRequestItem' can only be rejected here.",
	});
	const rejected = { accept: false as const };
	await wallet.incomingRequests.reject(id, { items: [rejected, rejected] });
	await settle(gateway);
	expect(await gateway.outgoingRequests.get(id)).toMatchObject({
		status: 'Completed',
		response: { content: { result: 'Rejected' } },
	});
});

// shows connector-7 7: token content; generation-7 11: TokenContentVerifiablePresentation
it('a presentation is passed on in a token as it is', async () => {
	const content = {
		'@type': 'TokenContentVerifiablePresentation',
		displayInformation: [{ name: 'Staff card' }],
		type: 'dc+sd-jwt',
		value: 'eyJhbGciOiJFUzI1NiJ9.e30.c2ln~e30.c2ln',
	};
	const hints: string[] = [];
	const token = await gateway.tokens.create(
		{ content, expiresAt: inOneHour(), ephemeral: false },
		{ onHint: (hint) => hints.push(hint) },
	);
	expect(hints).toEqual([
		'Wallets before version 7.5 cannot read TokenContentVerifiablePresentation.',
	]);
	const loaded = await wallet.tokens.loadPeer({
		reference: token.truncatedReference,
		ephemeral: true,
	});
	expect(loaded.content).toEqual(content);
});
