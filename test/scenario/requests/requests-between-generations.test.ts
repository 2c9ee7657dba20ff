import type { Gateway } from '../../../core';
import type { JsonObject } from '../../../core/model/json';
import { arrivals, inOneHour, settle, TestNetwork } from '../../support/gateways';
import { openLog } from '../../support/log-lines';
import { openCarelessPeer, type CarelessPeer } from '../../support/peer/careless-peer';
import { loosely } from '../../support/loosely';

jest.setTimeout(60_000);

/* What a wallet writes tells its generation; what it would not read is said before it is sent. */

const notUnderstood = 'error.gateway.requests.notUnderstoodByPeer';
const freeText = { '@type': 'FreeTextRequestItem' as const, mustBeAccepted: true, freeText: 'q' };

const askFor = (valueType: string): JsonObject => ({
	'@type': 'ReadAttributeRequestItem',
	mustBeAccepted: true,
	query: { '@type': 'IdentityAttributeQuery', valueType },
});

/** Item that only version 7 writes: any other names the source as well. */
const shareOf7: JsonObject = {
	'@type': 'ShareAttributeRequestItem',
	mustBeAccepted: true,
	attribute: {
		'@type': 'IdentityAttribute',
		owner: 'did:e:localhost:dids:0123456789abcdef012345',
		value: { '@type': 'GivenName', value: 'Ada' },
	},
	attributeId: 'ATT00000000000000007',
};

describe('a peer', () => {
	const log = openLog();
	let network: TestNetwork;
	let gateway: Gateway;
	let own: string;
	let peer: CarelessPeer;
	let peerAddress: string;
	beforeEach(async () => {
		network = await TestNetwork.open();
		gateway = await network.gateway(network.config(), { logger: log.logger });
		own = (await gateway.account.getIdentity()).address;
		const config = network.config();
		const other = await network.gateway(config);
		peerAddress = (await other.account.getIdentity()).address;
		const template = await gateway.templates.create({
			expiresAt: inOneHour(),
			content: { '@type': 'ArbitraryRelationshipTemplateContent', value: 1 },
		});
		const loaded = await other.templates.loadPeer({ reference: template.truncatedReference });
		const creationContent = { '@type': 'ArbitraryRelationshipCreationContent' as const, value: 1 };
		const { id } = await other.relationships.create({ templateId: loaded.id, creationContent });
		await settle(gateway);
		await gateway.relationships.accept(id);
		await settle(other);
		await other.close();
		peer = await openCarelessPeer(config);
	});
	afterEach(async () => {
		await peer.close();
		await network.close();
	});

	let requests = 0;

	async function receive(item: JsonObject): Promise<string> {
		const id = `REQ${String(++requests).padStart(17, '0')}`;
		await peer.send(own, { '@type': 'Request', id, items: [item] });
		expect((await arrivals(gateway)).pendingFailures).toEqual([]);
		return id;
	}

	const codeFor = async (item: JsonObject): Promise<string | undefined> => {
		const request = { content: { items: [item] }, peer: peerAddress };
		return (await gateway.outgoingRequests.validate(loosely(request))).items[0]?.code;
	};

	it('of whom nothing is known can be asked everything', async () => {
		expect(await codeFor(freeText)).toBeUndefined();
	});

	it('that writes like version 7 is not asked what it does not read', async () => {
		await receive(shareOf7);
		expect(await codeFor(freeText)).toBe(notUnderstood);
		expect(await codeFor(askFor('Street'))).toBe(notUnderstood);
		expect(await codeFor(askFor('GivenName'))).toBeUndefined();
		const content = { items: [freeText] };
		await expect(
			gateway.outgoingRequests.create({ content, peer: peerAddress }),
		).rejects.toMatchObject({
			code: 'error.consumption.validation.inheritedFromItem',
			facts: { itemCode: notUnderstood },
		});
	});

	// shows generation-7 6: Create-, Propose-; CreateAttributeRequestItem; generation-7 8.3: 4
	it('that writes like version 7 is offered no attribute with tags that it refuses', async () => {
		const offer = (...tags: string[]): JsonObject => ({
			'@type': 'CreateAttributeRequestItem',
			mustBeAccepted: true,
			attribute: {
				'@type': 'IdentityAttribute',
				owner: '',
				tags,
				value: { '@type': 'GivenName', value: 'Jane' },
			},
		});
		expect(await codeFor(offer('other:a'))).toBeUndefined();
		await receive(shareOf7);
		expect(await codeFor(offer('x:a', 'other:a'))).toBe(notUnderstood);
		expect(await codeFor(offer('x:a', 'language:de', 'bkb:a'))).toBeUndefined();
	});

	// shows generation-7 6: Propose-, ReadAttributeRequestItem: tags
	it('that writes like version 7 is not asked for tags that none of its attributes can have', async () => {
		const asked = (...tags: string[]): JsonObject => ({
			'@type': 'ReadAttributeRequestItem',
			mustBeAccepted: true,
			query: { '@type': 'IdentityAttributeQuery', valueType: 'GivenName', tags },
		});
		const hinted = (...tags: string[]): JsonObject => ({
			'@type': 'ReadAttributeRequestItem',
			mustBeAccepted: true,
			query: {
				'@type': 'IQLQuery',
				queryString: 'GivenName',
				attributeCreationHints: { '@type': 'IQLQueryCreationHints', valueType: 'GivenName', tags },
			},
		});
		expect(await codeFor(asked('other:a'))).toBeUndefined();
		await receive(shareOf7);
		expect(await codeFor(asked('other:a'))).toBe(notUnderstood);
		expect(await codeFor(asked('other:a', 'x:a'))).toBeUndefined();
		expect(await codeFor(asked('bkb:a'))).toBeUndefined();
		expect(await codeFor(hinted('other:a', 'x:a'))).toBe(notUnderstood);
		expect(await codeFor(hinted('x:a'))).toBeUndefined();
	});

	// shows generation-7 6: Read-, ProposeAttribute: CanAccept, tags; an answer with such tags
	// arrives (Read; generation-7 8.4: 14
	it('of version 7 is not answered with tags that it takes no notice of', async () => {
		await receive(shareOf7);
		const id = await receive({
			'@type': 'ReadAttributeRequestItem',
			mustBeAccepted: true,
			query: { '@type': 'IdentityAttributeQuery', valueType: 'GivenName', tags: ['bkb:a', 'x:a'] },
		});
		const stored = await gateway.attributes.create({
			content: { value: { '@type': 'GivenName', value: 'Ada' }, tags: ['x:a', 'other:a'] },
		});
		const existing = { accept: true, existingAttributeId: stored.id };
		const refused = await gateway.incomingRequests.canAccept(id, { items: [existing] });
		expect(refused.items).toMatchObject([{ code: notUnderstood }]);
		const fresh = (...tags: string[]) => ({
			items: [
				{
					accept: true,
					newAttribute: {
						'@type': 'IdentityAttribute' as const,
						owner: '',
						tags,
						value: { '@type': 'GivenName' as const, value: 'Jane' },
					},
				},
			],
		});
		const other = await gateway.incomingRequests.canAccept(id, fresh('x:a', 'other:b'));
		expect(other.items).toMatchObject([{ code: notUnderstood }]);
		await gateway.incomingRequests.accept(id, fresh('bkb:a', 'bkb:b', 'x:b'));
		expect(await gateway.incomingRequests.get(id)).toMatchObject({ status: 'Completed' });
	});

	// shows generation-7 5: Create-, ProposeAttributeRequestItem is; CreateAttributeRequestItem is
	// received; paragraph 2; generation-7 8.3: 1
	it('of version 7 is offered no attribute with characters that it refuses', async () => {
		const offer = (value: string): JsonObject => ({
			'@type': 'CreateAttributeRequestItem',
			mustBeAccepted: true,
			attribute: {
				'@type': 'IdentityAttribute',
				owner: '',
				value: { '@type': 'DisplayName', value },
			},
		});
		const content = { items: [offer('\u201EAnna\u201C\u{1F600}')] };
		const hint =
			"Wallets of version 7 do not accept 'attribute.value.value', because of these characters: " +
			"'\u201E' (U+201E), '\u201C' (U+201C), '\u{1F600}' (U+1F600).";
		const request = { content, peer: peerAddress };
		expect(await gateway.outgoingRequests.validate(loosely(request))).toEqual({
			isSuccess: true,
			items: [{ isSuccess: true, items: [], hint }],
		});
		expect(await gateway.outgoingRequests.validate({ content: loosely(content) })).toMatchObject({
			items: [{ hint }],
		});
		await receive(shareOf7);
		const refused = await gateway.outgoingRequests.validate(loosely(request));
		expect(refused.items).toMatchObject([
			{ code: notUnderstood, message: expect.stringContaining("'\u201E' (U+201E)") },
		]);
		expect(await codeFor(offer('O\u2019Neill \u20AC'))).toBeUndefined();
		// Accents of their own are joined with their letters before sending.
		expect(await codeFor(offer('Cafe\u0301'))).toBeUndefined();
		const { truncatedReference: reference } = await gateway.templates.create({
			expiresAt: inOneHour(),
			content: {
				'@type': 'RelationshipTemplateContent',
				onNewRelationship: { '@type': 'Request', items: [loosely(offer('Cafe\u0301'))] },
			},
		});
		const loaded = await (await network.gateway()).templates.loadPeer({ reference });
		expect(JSON.stringify(loaded.content)).toContain('"Caf\u00E9"');
	});

	it('of whom nothing is known may get any characters, which the log names', async () => {
		const value = { '@type': 'DisplayName' as const, value: 'K\u20134711' };
		const item = {
			'@type': 'CreateAttributeRequestItem' as const,
			mustBeAccepted: true,
			attribute: { '@type': 'IdentityAttribute' as const, owner: '', value },
		};
		const hints: string[] = [];
		const onHint = (hint: string): void => void hints.push(hint);
		const request = { content: { items: [item] }, peer: peerAddress };
		await gateway.outgoingRequests.create(request, { onHint });
		expect(hints).toEqual([expect.stringContaining('Item 1: Wallets of version 7 do not accept')]);
		const { id } = await gateway.attributes.create({ content: { value } });
		await gateway.attributes.share(id, { peer: peerAddress }, { onHint });
		expect(hints).toHaveLength(2);
		const logged = log.lines.filter((line) => line.startsWith('warn') && line.includes('U+2013'));
		expect(logged).toHaveLength(2);
	});

	// shows generation-7 5: Read-, ProposeAttribute is answered; an answer with such an attribute
	// arrives; paragraph 2; generation-7 8.4: 10
	it('of version 7 is not answered with characters or values that it takes no notice of', async () => {
		await receive(shareOf7);
		const stored = await gateway.attributes.create({
			content: { value: { '@type': 'GivenName', value: 'Иван' } },
		});
		const id = await receive(askFor('GivenName'));
		const existing = { items: [{ accept: true, existingAttributeId: stored.id }] };
		const refused = await gateway.incomingRequests.canAccept(id, existing);
		expect(refused.items).toMatchObject([{ code: notUnderstood }]);
		const account = await receive(askFor('BankAccount'));
		const answer = (iban: string, bic: string) => ({
			items: [
				{
					accept: true,
					newAttribute: {
						'@type': 'IdentityAttribute' as const,
						owner: '',
						value: { '@type': 'BankAccount' as const, accountHolder: 'Mara', iban, bic },
					},
				},
			],
		});
		for (const [iban, bic, field] of [
			['DE79100000000000424243', 'TESTDE2AXXX', 'iban'],
			['DE79 1000 0000 0000 4242 42', 'TESTDE2AXXX', 'iban'],
			['DE79100000000000424242', 'TEST', 'bic'],
		] as const) {
			const verdict = await gateway.incomingRequests.canAccept(account, answer(iban, bic));
			expect(verdict.items).toMatchObject([
				{
					isSuccess: false,
					message: expect.stringContaining(`'newAttribute.value.${field}' is not valid`),
				},
			]);
		}
		const right = answer('DE79100000000000424242', 'TESTDE2AXXX');
		await gateway.incomingRequests.accept(account, right);
		expect(await gateway.incomingRequests.get(account)).toMatchObject({ status: 'Completed' });
	});

	// shows generation-7 5: a succession notification arrives
	it('of version 7 is not told of a new version that it refuses', async () => {
		await receive(shareOf7);
		const first = await gateway.attributes.create({
			content: { value: { '@type': 'DisplayName', value: 'Anna' } },
		});
		const id = await receive(askFor('DisplayName'));
		await gateway.incomingRequests.accept(id, {
			items: [{ accept: true, existingAttributeId: first.id }],
		});
		const succession = await gateway.attributes.succeed(first.id, {
			successorContent: { value: { '@type': 'DisplayName', value: 'Anna \u2013 Berlin' } },
		});
		const told = gateway.attributes.notifyPeer(succession.successor.id, { peer: peerAddress });
		await expect(told).rejects.toMatchObject({
			code: notUnderstood,
			facts: { field: 'successorContent.value.value' },
		});
		const { id: readable } = (
			await gateway.attributes.succeed(succession.successor.id, {
				successorContent: { value: { '@type': 'DisplayName', value: 'Anna, Berlin' } },
			})
		).successor;
		await gateway.attributes.notifyPeer(readable, { peer: peerAddress });
	});

	it('that writes afterwards what version 7 does not write can be asked everything again', async () => {
		await receive(shareOf7);
		await receive(freeText);
		expect(await codeFor(freeText)).toBeUndefined();
	});

	it('that answers about a third party as we do ourselves is not of version 7', async () => {
		const third = (await (await network.gateway()).account.getIdentity()).address;
		const { id, content } = await gateway.outgoingRequests.create({
			content: { items: [loosely(askFor('GivenName'))] },
			peer: peerAddress,
		});
		await gateway.messages.send({ recipients: [peerAddress], content });
		await peer.send(own, {
			'@type': 'ResponseWrapper',
			requestId: id,
			requestSourceReference: 'MSG00000000000000001',
			requestSourceType: 'Message',
			response: {
				'@type': 'Response',
				requestId: id,
				result: 'Accepted',
				items: [
					{
						'@type': 'ReadAttributeAcceptResponseItem',
						result: 'Accepted',
						attributeId: 'ATT00000000000000001',
						attribute: {
							'@type': 'IdentityAttribute',
							owner: peerAddress,
							value: { '@type': 'GivenName', value: 'Jane' },
						},
						thirdPartyAddress: third,
						initialAttributePeer: third,
					},
				],
			},
		});
		await settle(gateway);
		expect(await codeFor(freeText)).toBeUndefined();
	});

	it('of version 7 is not given an attribute that it does not read', async () => {
		await receive(shareOf7);
		const id = await receive({
			'@type': 'ReadAttributeRequestItem',
			mustBeAccepted: true,
			query: { '@type': 'IQLQuery', queryString: 'Street' },
		});
		const answer = (valueType: string) => ({
			items: [
				{
					accept: true,
					newAttribute: {
						'@type': 'IdentityAttribute' as const,
						owner: '',
						value: { '@type': valueType, value: 'x' },
					},
				},
			],
		});
		const refused = await gateway.incomingRequests.canAccept(id, answer('Street'));
		expect(refused.items).toMatchObject([{ code: notUnderstood }]);
		await expect(gateway.incomingRequests.accept(id, answer('Street'))).rejects.toMatchObject({
			code: 'error.runtime.unknown',
			facts: { itemCode: notUnderstood },
		});
		expect(await gateway.attributes.list()).toEqual([]);
		await gateway.incomingRequests.accept(id, answer('GivenName'));
		expect(await gateway.incomingRequests.get(id)).toMatchObject({ status: 'Completed' });
	});

	// shows generation-7 7: ShareAttribute; generation-7 8.6: paragraph 3; connector-7 8: Share,
	// accepting
	it('of version 7 shares under an id of its own choice, and gets a plain yes', async () => {
		const attributeId = 'ATT00000000000000007';
		const value = { '@type': 'GivenName' as const, value: 'Ada' };
		const share = (id: string): JsonObject => ({
			'@type': 'ShareAttributeRequestItem',
			mustBeAccepted: true,
			attributeId: id,
			attribute: { '@type': 'IdentityAttribute', owner: peerAddress, value },
		});
		const yes = { items: [{ accept: true }] };
		const first = await receive(share(attributeId));
		const { response } = await gateway.incomingRequests.accept(first, yes);
		expect(response?.content['items']).toEqual([
			{ '@type': 'AcceptResponseItem', result: 'Accepted' },
		]);
		expect(await gateway.attributes.list()).toMatchObject([{ id: attributeId }]);
		const again = await receive(share('ATT00000000000000008'));
		const answered = await gateway.incomingRequests.accept(again, yes);
		expect(answered.response?.content['items']).toMatchObject([
			{ '@type': 'AttributeAlreadySharedAcceptResponseItem', attributeId },
		]);
	});

	it('cannot put something in the place of our own attributes, or of the ones of others', async () => {
		const { id } = await gateway.attributes.create({
			content: { value: { '@type': 'Surname', value: 'Own' } },
		});
		const share = (owner: string, attributeId: string): JsonObject => ({
			'@type': 'ShareAttributeRequestItem',
			mustBeAccepted: true,
			attributeId,
			attribute: {
				'@type': 'IdentityAttribute',
				owner,
				value: { '@type': 'Surname', value: 'Forged' },
			},
		});
		const yes = { items: [{ accept: true }] };
		const forged = await receive(share(own, 'ATT00000000000000009'));
		const { items } = await gateway.incomingRequests.canAccept(forged, yes);
		expect(items).toMatchObject([{ code: 'error.consumption.requests.invalidAcceptParameters' }]);
		// An attribute of the peer under the id of the own one is stored under another id.
		await gateway.incomingRequests.accept(await receive(share(peerAddress, id)), yes);
		const stored = await gateway.attributes.list();
		expect(stored.map(({ owner, content: { value } }) => [owner, value])).toEqual([
			[own, { '@type': 'Surname', value: 'Own' }],
			[peerAddress, { '@type': 'Surname', value: 'Forged' }],
		]);
		expect(stored[0]?.id).toBe(id);
		expect(stored[1]?.id).not.toBe(id);
		// What the peer says of that id later is about its own attribute.
		const item = { '@type': 'OwnAttributeDeletedByOwnerNotificationItem', attributeId: id };
		const notification = { '@type': 'Notification', id: 'NOT00000000000000001', items: [item] };
		await peer.send(own, notification);
		await settle(gateway);
		expect((await gateway.attributes.list()).map(({ deletionInfo }) => deletionInfo)).toMatchObject(
			[undefined, { deletionStatus: 'DeletedByOwner' }],
		);
	});

	it('cannot send a request under an id that is taken, and holds up nothing by it', async () => {
		const id = await receive(shareOf7);
		await peer.send(own, { '@type': 'Request', id, items: [freeText] });
		await peer.send(own, { '@type': 'Request', id: 'malformed', items: [freeText] });
		expect((await arrivals(gateway)).pendingFailures).toEqual([]);
		const requests = await gateway.incomingRequests.list();
		expect(requests.map(({ content }) => content['items'])).toMatchObject([
			[{ '@type': 'ShareAttributeRequestItem' }],
		]);
	});
});
