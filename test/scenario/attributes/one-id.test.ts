import type { AttributeDto, Gateway } from '../../../core';
import { relate, SandboxNetwork, settle } from '../../support/gateways';

jest.setTimeout(60_000);

/*
 * Accounts whose attributes have one id, here and at all peers (docs/protocol/connector-7.md 3,
 * docs/adr/0043).
 */

let network: SandboxNetwork;
let a: Gateway;
let b: Gateway;
let c: Gateway;
let [addressB, addressC] = ['', ''];

beforeEach(async () => {
	network = await SandboxNetwork.open();
	const open = (): Promise<Gateway> =>
		network.gateway({ ...network.config(), oneAttributeId: true });
	[a, b, c] = [await open(), await open(), await open()];
	({ addressB } = await relate(a, b));
	({ addressB: addressC } = await relate(a, c));
});
afterEach(() => network.close());

const name = (value: string) => ({ '@type': 'GivenName' as const, value });

const create = async (value: string): Promise<string> =>
	(await a.attributes.create({ content: { value: name(value) } })).id;

/** Lets the recipient accept what it was asked, and brings the answers. */
async function acceptAll(sender: Gateway, recipient: Gateway, answer: object = {}): Promise<void> {
	await settle(recipient);
	const waiting = await recipient.incomingRequests.list({
		query: { status: 'ManualDecisionRequired' },
	});
	for (const { id, content } of waiting) {
		const items = (content['items'] as unknown[]).map(() => ({ accept: true, ...answer }));
		await recipient.incomingRequests.accept(id, { items });
	}
	await settle(sender);
}

async function share(id: string, ...peers: Array<[Gateway, string]>): Promise<void> {
	for (const [gateway, peer] of peers) {
		await a.attributes.share(id, { peer });
		await acceptAll(a, gateway);
	}
}

const askToDelete = async (attributeId: string, recipient: string): Promise<void> => {
	const item = {
		'@type': 'DeleteAttributeRequestItem',
		mustBeAccepted: true,
		attributeId,
	} as const;
	const { content } = await a.outgoingRequests.create({
		content: { items: [item] },
		peer: recipient,
	});
	await a.messages.send({ recipients: [recipient], content });
};

const shown = ({ id, content, deletionInfo }: AttributeDto) => ({
	id,
	value: 'value' in content.value ? content.value.value : undefined,
	status: deletionInfo?.deletionStatus,
});
const shownBy = async (gateway: Gateway) => (await gateway.attributes.list()).map(shown);

// shows connector-7 3: paragraph 4; generation-7 9: one id
it('an attribute has the id at every peer that it has here', async () => {
	const id = await create('Anna');
	await share(id, [b, addressB], [c, addressC]);
	expect(await shownBy(b)).toEqual([{ id, value: 'Anna', status: undefined }]);
	expect(await shownBy(c)).toEqual([{ id, value: 'Anna', status: undefined }]);
	expect(await a.attributes.sharedVersions(id)).toHaveLength(2);
});

// shows connector-7 3: paragraph 4; generation-7 9: one id; versions; generation-7 12: answer to a
// template by a new
it('a template that several people answer gives all of them the same attribute', async () => {
	const id = await create('Anna');
	const { content: attribute } = await a.attributes.get(id);
	const share = {
		'@type': 'ShareAttributeRequestItem' as const,
		mustBeAccepted: true,
		attribute,
		sourceAttributeId: id,
	};
	const { truncatedReference } = await a.templates.create({
		content: {
			'@type': 'RelationshipTemplateContent',
			onNewRelationship: { items: [share] },
		},
		expiresAt: new Date(Date.now() + 3_600_000).toISOString(),
	});
	const people = [await network.gateway(), await network.gateway()];
	for (const person of people) {
		await person.templates.loadPeer({ reference: truncatedReference });
		await acceptAll(a, person);
		const relationships = await a.relationships.list({ query: { status: 'Pending' } });
		for (const one of relationships) await a.relationships.accept(one.id);
		await settle(person);
		expect(await shownBy(person)).toEqual([{ id, value: 'Anna', status: undefined }]);
	}
	const { successor } = await a.attributes.succeed(id, {
		successorContent: { value: name('Anne') },
	});
	for (const person of people) {
		const { address } = await person.account.getIdentity();
		await a.attributes.notifyPeer(successor.id, { peer: address });
		await settle(person);
		expect(await shownBy(person)).toEqual([
			{ id, value: 'Anna', status: undefined },
			{ id: successor.id, value: 'Anne', status: undefined },
		]);
	}
});

// shows connector-7 3: paragraph 4; generation-7 9: versions
it('versions have one id too, and a deletion on either side finds its attribute', async () => {
	const id = await create('Anna');
	await share(id, [b, addressB], [c, addressC]);
	const { successor } = await a.attributes.succeed(id, {
		successorContent: { value: name('Anne') },
	});
	await a.attributes.notifyPeer(successor.id, { peer: addressB });
	await settle(b);
	expect(await shownBy(b)).toContainEqual({ id: successor.id, value: 'Anne', status: undefined });

	await b.attributes.deletePeerShared(successor.id);
	await settle(a);
	const statusAt = async (peer: string) =>
		(await a.attributes.sharedVersions(successor.id, { peers: [peer] })).map(
			({ deletionInfo }) => deletionInfo?.deletionStatus,
		);
	expect(await statusAt(addressB)).toEqual(['DeletedByPeer']);
	expect(await statusAt(addressC)).toEqual([undefined]);

	const [copyAtC] = await a.attributes.sharedVersions(id, { peers: [addressC] });
	await a.attributes.deleteOwnShared(copyAtC?.id ?? '');
	await settle(c);
	expect(await shownBy(c)).toEqual([{ id, value: 'Anna', status: 'DeletedByOwner' }]);
});

// shows connector-7 3: paragraph 2; connector-7 8: Share, accepting; generation-7 8.6: paragraph
// 1; paragraph 3
it('what a peer agreed to delete and gets again keeps its id, and is not deleted', async () => {
	const id = await create('Anna');
	await share(id, [b, addressB]);
	const deletionDate = new Date(Date.now() + 3_600_000).toISOString();
	await askToDelete(id, addressB);
	await acceptAll(a, b, { deletionDate });
	expect(await shownBy(b)).toEqual([{ id, value: 'Anna', status: 'ToBeDeleted' }]);
	const [copy] = await a.attributes.sharedVersions(id);
	expect(copy?.deletionInfo?.deletionStatus).toBe('ToBeDeletedByPeer');

	await share(id, [b, addressB]);
	expect(await shownBy(b)).toEqual([{ id, value: 'Anna', status: undefined }]);
	expect((await a.attributes.sharedVersions(id)).map(shown)).toMatchObject([{ status: undefined }]);
});

// shows connector-7 3: paragraph 2; generation-7 9: no copies
it('what a peer agreed to delete gets new versions there until then', async () => {
	const id = await create('Anna');
	await share(id, [b, addressB]);
	const deletionDate = new Date(Date.now() + 3_600_000).toISOString();
	await askToDelete(id, addressB);
	await acceptAll(a, b, { deletionDate });
	const { successor } = await a.localAttributes.succeed(id, {
		successorContent: { value: name('Anne') },
	});
	await a.localAttributes.notifyPeer(successor.id, { peer: addressB });
	await settle(b);
	expect(await shownBy(b)).toEqual([
		{ id, value: 'Anna', status: 'ToBeDeleted' },
		{ id: successor.id, value: 'Anne', status: undefined },
	]);
});

it('what a peer has deleted and gets again is a new record under the same id', async () => {
	const id = await create('Anna');
	await share(id, [b, addressB]);
	await b.attributes.deletePeerShared(id);
	await settle(a);
	await share(id, [b, addressB]);
	expect(await shownBy(b)).toEqual([{ id, value: 'Anna', status: undefined }]);
	expect((await a.attributes.sharedVersions(id)).map(({ deletionInfo }) => deletionInfo)).toEqual([
		expect.objectContaining({ deletionStatus: 'DeletedByPeer' }),
		undefined,
	]);
});

it('has no attributes for the parts of an answer', async () => {
	const { address: owner } = await b.account.getIdentity();
	const value = { '@type': 'BirthDate' as const, day: 1, month: 2, year: 1990 };
	const query = { '@type': 'IdentityAttributeQuery' as const, valueType: 'BirthDate' as const };
	const item = { '@type': 'ReadAttributeRequestItem' as const, mustBeAccepted: true, query };
	const { content } = await a.outgoingRequests.create({
		content: { items: [item] },
		peer: addressB,
	});
	await a.messages.send({ recipients: [addressB], content });
	const newAttribute = { '@type': 'IdentityAttribute' as const, owner, value };
	await acceptAll(a, b, { newAttribute });
	const own = await b.attributes.listRepository();
	expect(own.map(({ content: { value: kept } }) => kept['@type'])).toEqual(['BirthDate']);
	const [{ id } = { id: '' }] = own;
	expect((await a.attributes.get(id)).content.value).toEqual(value);
});

// shows generation-7 12: requests with an Authentication or
it('leaves consents and sign-ins to a person, whatever its rules say', async () => {
	const { address } = await a.account.getIdentity();
	const rule = { requestConfig: { peer: address }, responseConfig: { accept: true as const } };
	const decider = await network.gateway({
		...network.config(),
		...{ oneAttributeId: true, automation: [rule] },
	});
	const { addressB: peer } = await relate(a, decider);
	const items = [
		{ '@type': 'ConsentRequestItem' as const, mustBeAccepted: true, consent: 'Call me.' },
		{ '@type': 'AuthenticationRequestItem' as const, mustBeAccepted: true, title: 'Sign in' },
	];
	for (const item of items) {
		const { content } = await a.outgoingRequests.create({ content: { items: [item] }, peer });
		await a.messages.send({ recipients: [peer], content });
	}
	await settle(decider);
	expect((await decider.incomingRequests.list()).map(({ status }) => status)).toEqual([
		'ManualDecisionRequired',
		'ManualDecisionRequired',
	]);
});

it('stays so for the account', async () => {
	const config = network.config();
	const first = await network.gateway({ ...config, oneAttributeId: true });
	await first.close();
	const refused = network.gateway({ ...config, oneAttributeId: false });
	await expect(refused).rejects.toMatchObject({
		code: 'error.gateway.identity.attributesHaveOneId',
		message: expect.stringContaining('version 7'),
	});
	await expect(network.gateway(config)).resolves.toBeDefined();
});
