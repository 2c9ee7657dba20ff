import { modulesSchema } from '../../../../core/server/config/modules-config';
import { startModules } from '../../../../core/server';
import { silentLogger } from '../../../../core/base/logger';
import { eventNamesIn } from '../../../../core/events/event-names';
import { eventsOfVersion7 } from '../../../../core/events/version-7-events';
import { attributeInEventOfVersion7Schema } from '../../../../core/model/version-7/local-attribute';
import { inOneHour, relate, SandboxNetwork, settle } from '../../../support/gateways';
import { until } from '../../../support/until';
import { Receiver, type Received } from '../../publish/webhooks/support/receiver';
import { HttpGateway } from '../support/http-gateway';
import { StreamClient } from '../support/stream-client';

jest.setTimeout(60_000);

/* docs/protocol/connector-7.md 9: events of both versions, from the same accounts */
let network: SandboxNetwork;
let a: HttpGateway;
let b: HttpGateway;
let addressA: string;
let addressB: string;
let relationshipId: string;
let receivers: Receiver[];
let modules: { close(): Promise<void> };
let streams: StreamClient[];

beforeEach(async () => {
	network = await SandboxNetwork.open();
	a = await HttpGateway.open(network, { connectorVersion: 7 });
	b = await HttpGateway.open(network, { connectorVersion: 7 });
	({ addressA, addressB, relationshipId } = await relate(a.gateway, b.gateway));
	receivers = [await Receiver.open(), await Receiver.open()];
	const [of7, of6] = receivers.map(({ url }) => url);
	modules = await startModules(
		{ facade: a.gateway, logger: silentLogger, eventVersion: 7 },
		modulesSchema.parse({
			webhooks: {
				enabled: true,
				targets: { of6: { url: of6, version: 6 } },
				webhooks: [
					{ triggers: ['**'], target: { url: of7 } },
					{ triggers: ['**'], target: 'of6' },
				],
			},
		}),
	);
	streams = [
		await StreamClient.open(a),
		await StreamClient.open(a, { query: '?version=6' }),
		await StreamClient.open(b),
	];
});
afterEach(async () => {
	for (const stream of streams) await stream.close();
	await modules.close();
	for (const receiver of receivers) await receiver.down();
	await a.close();
	await b.close();
	await network.close();
});

// eslint-disable-next-line @typescript-eslint/no-explicit-any -- tests look into any data
type Told = { readonly event: string; readonly data: any; readonly peer?: string };

/** Events about attributes that a stream has told, oldest first. */
const told = (stream = streams[0], about = /^consumption\..*(Attribute|attribute)/): Told[] =>
	(stream?.events ?? [])
		.map(({ data }) => JSON.parse(data) as Told)
		.filter(({ event }) => about.test(event));
const names = (events: readonly Told[]): string[] =>
	events.map(({ event }) => event.replace('consumption.', ''));

/** Waits until a stream has told of all that has happened. */
async function caughtUp(http: HttpGateway, stream: StreamClient | undefined): Promise<void> {
	const [last] = await http.gateway.events.recent({}, 1);
	await until(() => Number(stream?.lastId) >= (last?.sequence ?? 0));
}

async function createSurname(value: string, http = a) {
	return await http.gateway.attributes.create({
		content: { value: { '@type': 'Surname', value } },
	});
}

/** A request of `a` that `b` accepts, and whose answer `a` gets. */
async function accepted(item: object, decision: object = { accept: true }): Promise<string> {
	const { result: draft } = await a.ask('POST /api/core/v1/Requests/Outgoing', {
		json: { content: { items: [{ mustBeAccepted: true, ...item }] }, peer: addressB },
	});
	await a.ask('POST /api/core/v1/Messages', {
		json: { recipients: [addressB], content: draft.content },
	});
	await settle(b.gateway);
	const { status } = await b.ask(
		`PUT /Requests/Incoming/${draft.id}/${'reject' in decision ? 'Reject' : 'Accept'}`,
		{ json: { items: ['reject' in decision ? { accept: false } : decision] } },
	);
	expect(status).toBe(200);
	await settle(a.gateway);
	return draft.id;
}

const share = (attribute: { id: string; content: object }): object => ({
	'@type': 'ShareAttributeRequestItem',
	attribute: attribute.content,
	attributeId: attribute.id,
});

// shows connector-7 1: Events; connector-7 9: attributeSucceeded;
// attributeForwardingDetailsChanged; forwardedAttributeDeletedByPeer; attributeCreated,
// attributeDeleted; paragraph 1; generation-7 8.6: paragraph 4
it('tells of an own attribute from its creation to its deletion at a peer', async () => {
	const own = await createSurname('First');
	const requestId = await accepted(share(own));
	const { successor } = await a.gateway.attributes.succeed(own.id, {
		successorContent: { value: { '@type': 'Surname', value: 'Second' } },
	});
	await a.gateway.attributes.notifyPeer(successor.id, { peer: addressB });
	await settle(b.gateway);
	const peers = await b.gateway.attributes.list({ query: { 'content.owner': addressA } });
	const newest = peers.find(({ succeededBy }) => succeededBy === undefined);
	await b.gateway.attributes.deletePeerShared(newest?.id ?? '');
	await settle(a.gateway);
	await caughtUp(a, streams[0]);
	await caughtUp(a, streams[1]);
	await caughtUp(b, streams[2]);

	const of7 = told();
	expect(names(of7)).toEqual([
		'attributeCreated',
		'attributeForwardingDetailsChanged',
		'attributeSucceeded',
		'attributeForwardingDetailsChanged',
		'forwardedAttributeDeletedByPeer',
	]);
	const [created, forwarded, succeeded, notified, deleted] = of7.map(({ data }) => data);
	const first = {
		'@type': 'OwnIdentityAttribute',
		id: own.id,
		createdAt: own.createdAt,
		content: own.content,
	};
	expect([created, forwarded]).toEqual([first, first]);
	const second = { '@type': 'OwnIdentityAttribute', id: successor.id, succeeds: own.id };
	expect(succeeded).toMatchObject({
		predecessor: { ...first, succeededBy: successor.id },
		successor: second,
	});
	for (const attribute of [notified, deleted]) {
		expect(attribute).toEqual(succeeded.successor);
		expect(attributeInEventOfVersion7Schema.strict().parse(attribute)).toEqual(attribute);
	}
	expect(of7.map(({ peer }) => peer)).toEqual([undefined, addressB, undefined, addressB, addressB]);

	expect(names(told(streams[1]))).toEqual([
		'attributeCreated',
		'repositoryAttributeSucceeded',
		'ownSharedAttributeSucceeded',
		'peerSharedAttributeDeletedByPeer',
	]);
	expect(told(streams[1])[0]?.data).not.toHaveProperty('@type');

	const atPeer = told(streams[2]);
	expect(names(atPeer)).toEqual([
		'attributeCreated',
		'attributeSucceeded',
		'attributeDeleted',
		'attributeDeleted',
	]);
	expect(atPeer[0]?.data).toMatchObject({
		'@type': 'PeerIdentityAttribute',
		peer: addressA,
		sourceReference: requestId,
	});
	expect(atPeer[1]?.data).toMatchObject({
		predecessor: { '@type': 'PeerIdentityAttribute', succeededBy: newest?.id },
		successor: { '@type': 'PeerIdentityAttribute', sourceReference: expect.stringMatching(/^NOT/) },
	});
});

// shows connector-7 9: ownAttributeDeletedByOwner; peerRelationshipAttributeDeletedByPeer;
// generation-7 8.3: paragraph 2
it('tells of a relationship attribute on both sides, and of an own attribute that its owner deletes', async () => {
	const attribute = {
		'@type': 'RelationshipAttribute',
		owner: addressA,
		key: 'customer',
		confidentiality: 'public',
		isTechnical: false,
		value: { '@type': 'ProprietaryString', title: 'Customer', value: '42' },
	};
	await accepted({ '@type': 'CreateAttributeRequestItem', attribute });
	await accepted(share(await createSurname('Deleted')));
	const [kept] = await a.gateway.attributes.list({ query: { 'content.key': 'customer' } });
	const copies = await a.gateway.attributes.list({ query: { 'shareInfo.peer': addressB } });
	const copy = copies.find(({ content }) => content['@type'] === 'IdentityAttribute');
	await a.gateway.attributes.deleteOwnShared(copy?.id ?? '');
	await settle(b.gateway);
	await b.gateway.attributes.deletePeerShared(kept?.id ?? '');
	await settle(a.gateway);
	await caughtUp(a, streams[0]);
	await caughtUp(b, streams[2]);
	const last = told().at(-1);
	expect([last?.event, last?.data]).toEqual([
		'consumption.peerRelationshipAttributeDeletedByPeer',
		expect.objectContaining({
			'@type': 'OwnRelationshipAttribute',
			peer: addressB,
			deletionInfo: { deletionStatus: 'DeletedByRecipient', deletionDate: expect.any(String) },
		}),
	]);
	const atPeer = told(streams[2]);
	expect(atPeer.map(({ event, data }) => [event, data['@type']])).toEqual([
		['consumption.attributeCreated', 'PeerRelationshipAttribute'],
		['consumption.attributeCreated', 'PeerIdentityAttribute'],
		['consumption.ownAttributeDeletedByOwner', 'PeerIdentityAttribute'],
		['consumption.attributeDeleted', 'PeerRelationshipAttribute'],
	]);
	expect(atPeer[2]?.data.deletionInfo.deletionStatus).toBe('DeletedByEmitter');
});

// shows connector-7 4.3: paragraph 3; connector-7 9: attributeForwardingDetailsChanged
it('tells of an attribute that is no longer forwarded because the relationship was decomposed', async () => {
	const own = await createSurname('Kept');
	await accepted(share(own));
	await a.gateway.relationships.terminate(relationshipId);
	await a.gateway.relationships.decompose(relationshipId);
	await caughtUp(a, streams[0]);
	const changes = told().filter(({ event }) => event.endsWith('ForwardingDetailsChanged'));
	expect(changes.map(({ data }) => data.id)).toEqual([own.id, own.id]);
});

// shows connector-7 9: forwardedAttributeDeletedByPeer; generation-7 9: third-party attribute;
// who may forward
it('tells of an attribute of another relationship, where it was forwarded and where it arrived', async () => {
	const attribute = {
		'@type': 'RelationshipAttribute',
		owner: addressA,
		key: 'forwarded',
		confidentiality: 'public',
		isTechnical: false,
		value: { '@type': 'ProprietaryString', title: 'T', value: '42' },
	};
	await accepted({ '@type': 'CreateAttributeRequestItem', attribute });
	const [own] = await a.gateway.attributes.list({ query: { 'content.key': 'forwarded' } });
	const c = await HttpGateway.open(network, { connectorVersion: 7 });
	const { addressB: addressC } = await relate(a.gateway, c.gateway);
	const atThird = await StreamClient.open(c);
	streams.push(atThird);
	const item = { ...share(own as never), mustBeAccepted: true, initialAttributePeer: addressB };
	const { result: draft } = await a.ask('POST /api/core/v1/Requests/Outgoing', {
		json: { content: { items: [item] }, peer: addressC },
	});
	expect(draft.content.items).toEqual([item]);
	await a.ask('POST /api/core/v1/Messages', {
		json: { recipients: [addressC], content: draft.content },
	});
	await settle(c.gateway);
	await c.gateway.incomingRequests.accept(draft.id, { items: [{ accept: true }] });
	await settle(a.gateway);
	const [received] = await c.gateway.attributes.list({ query: { 'content.key': 'forwarded' } });
	await c.gateway.attributes.deleteThirdParty(received?.id ?? '');
	await settle(a.gateway);
	await caughtUp(a, streams[0]);
	await caughtUp(c, atThird);
	const shown = { '@type': 'OwnRelationshipAttribute', id: own?.id, peer: addressB };
	expect(told().slice(1)).toMatchObject([
		{ event: 'consumption.attributeForwardingDetailsChanged', peer: addressC, data: shown },
		{ event: 'consumption.forwardedAttributeDeletedByPeer', peer: addressC, data: shown },
	]);
	expect(told(atThird)[0]).toMatchObject({
		event: 'consumption.attributeCreated',
		data: {
			'@type': 'ThirdPartyRelationshipAttribute',
			peer: addressA,
			initialAttributePeer: addressB,
		},
	});
	await c.close();
});

// shows connector-7 9: shareCredentialOfferRequestItemProcessedByRecipient (7.4.0); generation-7
// 8.7: sender; sender, answer
it('tells the sender of an offer of credentials whether it was accepted', async () => {
	const credentialOfferUrl = 'openid-credential-offer://?credential_offer_uri=https%3A%2F%2Fx';
	const item = { '@type': 'ShareCredentialOfferRequestItem', credentialOfferUrl };
	await accepted(item, { reject: true });
	const { result: draft } = await a.ask('POST /api/core/v1/Requests/Outgoing', {
		json: { content: { items: [{ mustBeAccepted: true, ...item }] }, peer: addressB },
	});
	const { result: message } = await a.ask('POST /api/core/v1/Messages', {
		json: { recipients: [addressB], content: draft.content },
	});
	// A gateway can only reject it, so this is the answer of a wallet.
	const response = {
		'@type': 'Response',
		requestId: draft.id,
		result: 'Accepted',
		items: [{ '@type': 'AcceptResponseItem', result: 'Accepted' }],
	};
	const answered = await b.ask('POST /api/core/v1/Messages', {
		json: {
			recipients: [addressA],
			content: {
				'@type': 'ResponseWrapper',
				requestId: draft.id,
				requestSourceReference: message.id,
				requestSourceType: 'Message',
				response,
			},
		},
	});
	expect(answered.status).toBe(201);
	await settle(a.gateway);
	for (const stream of streams.slice(0, 2)) {
		await caughtUp(a, stream);
		expect(told(stream, /CredentialOffer/)).toMatchObject(
			[false, true].map((isAccepted) => ({
				event: 'consumption.shareCredentialOfferRequestItemProcessedByRecipient',
				peer: addressB,
				data: { credentialOfferUrl, accepted: isAccepted, peer: addressB },
			})),
		);
	}
});

// shows connector-7 1: Events; connector-7 6: paragraph 1; connector-7 9: paragraph 1
it('shows objects and contents in the shapes of each version', async () => {
	const { result: template } = await b.ask('POST /api/core/v1/RelationshipTemplates/Own', {
		json: {
			content: { '@type': 'ArbitraryRelationshipTemplateContent', value: 1 },
			expiresAt: inOneHour(),
		},
	});
	await a.gateway.templates.loadPeer({ reference: template.reference.truncated });
	await accepted({ '@type': 'ConsentRequestItem', consent: 'C', title: 'Former' });
	await a.ask('POST /Messages', {
		json: {
			recipients: [addressB],
			content: { '@type': 'Mail', to: [addressB], subject: 'S', body: 'B' },
		},
	});
	await a.gateway.relationships.terminate(relationshipId);
	const [last] = await a.gateway.events.recent({}, 1);
	const [of7, of6] = receivers as [Receiver, Receiver];
	await until(() =>
		[of7, of6].every(({ received }) =>
			received.some(
				({ body }) => body.trigger === last?.event && body.data.status === 'Terminated',
			),
		),
	);
	const dataOf = ({ received }: Receiver, trigger: string): Array<Received['body']> =>
		received.filter(({ body }) => body.trigger === trigger).map(({ body }) => body.data);
	const [relationship7] = dataOf(of7, 'transport.relationshipChanged');
	const [relationship6] = dataOf(of6, 'transport.relationshipChanged');
	expect(relationship7).toMatchObject({ templateId: relationship6.template.id });
	expect(relationship7).not.toHaveProperty('template');
	const loaded = 'transport.peerRelationshipTemplateLoaded';
	expect(dataOf(of7, loaded)).toEqual([
		expect.not.objectContaining({ truncatedReference: expect.anything() }),
	]);
	expect(dataOf(of6, loaded)[0]).toHaveProperty('truncatedReference');
	const mails = (receiver: Receiver): unknown[] =>
		dataOf(receiver, 'transport.messageSent')
			.map(({ content }) => content)
			.filter((content) => content['@type'] === 'Mail');
	expect(mails(of7)).toMatchObject([{ bodyFormat: 'PlainText' }]);
	expect(mails(of6)).toEqual([expect.not.objectContaining({ bodyFormat: expect.anything() })]);
	const changes = dataOf(of7, 'consumption.outgoingRequestStatusChanged');
	expect(changes.map(({ newStatus }) => newStatus)).toEqual(['Open', 'Completed']);
});

it('numbers the events of both versions alike, and goes on after any of them', async () => {
	const own = await createSurname('Shared');
	await accepted(share(own));
	await caughtUp(a, streams[0]);
	const forwarded = streams[0]?.events.find(({ event }) => event?.endsWith('DetailsChanged'));
	const after = await StreamClient.open(a, {
		query: `?version=6&after=${Number(forwarded?.id) - 1}`,
	});
	streams.push(after);
	const [last] = await a.gateway.events.recent({}, 1);
	await until(() => Number(after.lastId) >= (last?.sequence ?? 0));
	expect(after.names).not.toContain(forwarded?.event);
	for (const { id, event, data } of after.events) {
		const same = streams[0]?.events.find((one) => one.id === id);
		expect([same?.event, JSON.parse(same?.data ?? '{}').createdAt]).toEqual([
			event,
			JSON.parse(data).createdAt,
		]);
	}
	const chosen = await StreamClient.open(a, {
		query: `?after=0&event=${String(forwarded?.event)}`,
	});
	streams.push(chosen);
	await until(() => chosen.events.length === 1);
	expect(chosen.events[0]).toEqual(forwarded);
	const refused = await StreamClient.open(a, {
		query: `?version=6&event=${String(forwarded?.event)}`,
	});
	expect(refused.answer.status).toBe(400);
});

// shows connector-7 9: gone
it('has a name of its own for each event of version 7', () => {
	for (const name of Object.keys(eventsOfVersion7)) {
		expect(eventNamesIn(7)).toContain(name);
		expect(eventNamesIn(6)).not.toContain(name);
	}
	expect(eventNamesIn(7).filter((name) => /Listener|Shared|thirdParty/.test(name))).toEqual([]);
});
