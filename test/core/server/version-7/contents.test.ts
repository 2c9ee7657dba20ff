import { inOneHour, relate, SandboxNetwork, settle } from '../../../support/gateways';
import { HttpGateway, type Answer, type Ask } from '../support/http-gateway';

/* docs/protocol/connector-7.md 7, docs/protocol/generation-7.md 2, 3, 7, 10 */
let network: SandboxNetwork;
let a: HttpGateway;
let b: HttpGateway;
let addressA: string;
let addressB: string;

beforeAll(async () => {
	network = await SandboxNetwork.open();
	a = await HttpGateway.open(network, { connectorVersion: 7 });
	b = await HttpGateway.open(network, { connectorVersion: 7 });
	({ addressA, addressB } = await relate(a.gateway, b.gateway));
});
afterAll(async () => {
	await a.close();
	await b.close();
	await network.close();
});

const in7 = (http: HttpGateway, call: string, ask?: Ask): Promise<Answer> =>
	http.ask(call.replace(' /', ' /api/core/v1/'), ask);

const surname = (owner: string, value = 'Beispiel') => ({
	'@type': 'IdentityAttribute',
	owner,
	value: { '@type': 'Surname', value },
});
const consent = { '@type': 'ConsentRequestItem', consent: 'C', mustBeAccepted: false };
const authentication = {
	'@type': 'AuthenticationRequestItem',
	mustBeAccepted: false,
	title: 'Sign in',
};
const formField = {
	'@type': 'FormFieldRequestItem',
	mustBeAccepted: false,
	title: 'Number',
	settings: { '@type': 'IntegerFormFieldSettings' },
};
const query = {
	'@type': 'ReadAttributeRequestItem',
	mustBeAccepted: true,
	query: { '@type': 'IdentityAttributeQuery', valueType: 'Surname' },
};
/** what only version 6 has, and version 7 leaves out when it reads */
const former = { title: 'Former', requireManualDecision: true };
const validity = { validFrom: '2020-01-01T00:00:00.000Z', validTo: '2040-01-01T00:00:00.000Z' };

const create = (...items: object[]): Promise<Answer> =>
	in7(a, 'POST /Requests/Outgoing', { json: { content: { items }, peer: addressB } });

async function send(content: unknown): Promise<Answer> {
	return await in7(a, 'POST /Messages', { json: { recipients: [addressB], content } });
}

describe('what clients of version 7 write', () => {
	// shows connector-7 1: Content types; connector-7 7: IdentityAttribute; every request item;
	// generation-7 3: IdentityAttributeQuery; generation-7 7: Request, RequestItemGroup; all
	// request items; FormFieldRequestItem; ConsentRequestItem
	it('loses the members that version 7 does not know, in requests and templates', async () => {
		const items = [
			{ ...consent, ...former, requiresInteraction: true },
			authentication,
			formField,
			{ ...query, ...former, query: { ...query.query, ...validity } },
		];
		const read = [{ ...consent, requiresInteraction: true }, authentication, formField, query];
		const { status, result } = await create(...items);
		expect([status, result.content.items]).toEqual([201, read]);
		const content = { '@type': 'RelationshipTemplateContent', onNewRelationship: { items } };
		const template = await in7(a, 'POST /RelationshipTemplates/Own', {
			json: { content, expiresAt: inOneHour() },
		});
		expect(template.result.content.onNewRelationship.items).toEqual(read);
	});

	// shows connector-7 1: Content types; connector-7 7: every request item;
	// ShareAttributeRequestItem; gone; generation-7 3: IdentityAttributeQuery, IQLQuery;
	// generation-7 4.1: paragraph 2; in a RelationshipAttribute;
	// generation-7 7: AuthenticationRequestItem;
	// ShareAttributeRequestItem; gone
	it.each([
		['an item', { '@type': 'FreeTextRequestItem', freeText: 'T', mustBeAccepted: true }, ''],
		['a value', { ...query, query: { ...query.query, valueType: 'City' } }, '.query.valueType'],
		[
			'a value of relationships',
			{
				'@type': 'CreateAttributeRequestItem',
				mustBeAccepted: true,
				attribute: {
					'@type': 'RelationshipAttribute',
					...{ owner: '', key: 'k', confidentiality: 'public' },
					value: { '@type': 'MaritalStatus', value: 'single' },
				},
			},
			'.attribute.value',
		],
		['a title', { '@type': 'AuthenticationRequestItem', mustBeAccepted: true }, '.title'],
		[
			'an attribute',
			{
				'@type': 'ShareAttributeRequestItem',
				mustBeAccepted: true,
				attribute: surname('did:e:x:dids:0000000000000000000000'),
				sourceAttributeId: 'ATTaaaaaaaaaaaaaaaaa',
			},
			'.attributeId',
		],
	])('is refused where version 7 lacks %s', async (_what, item, field) => {
		for (const call of ['POST /Requests/Outgoing', 'POST /Requests/Outgoing/Validate']) {
			const { status, error } = await in7(a, call, {
				json: { content: { items: [consent, item] }, peer: addressB },
			});
			expect([status, error.code]).toEqual([400, 'error.runtime.requestDeserialization']);
			expect(error.message).toContain(`items.1${field}'`);
		}
	});

	// shows connector-7 7: Mail; generation-7 2: Mail, legacy content; Markdown; another text, "",
	// other case; number, object
	it('is refused as a mail with another format, and with the former name of the body', async () => {
		const mail = { '@type': 'Mail', to: [addressB], subject: 'S' };
		for (const more of [
			{ body: 'B', bodyFormat: 'Html' },
			{ body: 'B', bodyFormat: 7 },
			{ content: 'B' },
		]) {
			const { status, error } = await send({ ...mail, ...more });
			expect([status, error.code]).toEqual([400, 'error.runtime.requestDeserialization']);
		}
		const { result } = await send({ ...mail, body: 'B', bodyFormat: 'Markdown' });
		expect(result.content.bodyFormat).toBe('Markdown');
		await settle(b.gateway);
		const { result: received } = await in7(b, `GET /Messages/${result.id}`);
		expect(received.content).toEqual(result.content);
	});

	it('leaves the data of others alone that looks like content', async () => {
		const value = { item: { ...consent, ...former }, mail: { '@type': 'Mail', content: 'x' } };
		const { result } = await send({ '@type': 'ArbitraryMessageContent', value });
		expect(result.content.value).toEqual(value);
		const metadata = { item: { ...consent, ...former } };
		const request = await create({ ...consent, metadata });
		expect(request.result.content.items[0].metadata).toEqual(metadata);
	});
});

describe('a request of version 7', () => {
	// shows connector-7 7: ShareAttributeRequestItem; connector-7 8: Share, creating; generation-7
	// 7: ShareAttributeRequestItem; Authentication, Consent; ShareAttribute; generation-7 8.2:
	// paragraph 1
	it('shares an attribute by its own id, and is sent as it was shown', async () => {
		const own = await a.gateway.attributes.create({
			content: { value: { '@type': 'Surname', value: 'Shared' } },
		});
		const item = {
			'@type': 'ShareAttributeRequestItem',
			mustBeAccepted: true,
			attribute: own.content,
			attributeId: own.id,
		};
		const { status, result: draft } = await create(item, authentication);
		expect([status, draft.content.items]).toEqual([201, [item, authentication]]);
		const { result: former6 } = await a.ask(`GET /Requests/Outgoing/${draft.id}`);
		expect(former6.content.items[0].sourceAttributeId).toBe(own.id);
		const sent = await send(draft.content);
		expect([sent.status, sent.result.content]).toEqual([201, draft.content]);
		await settle(b.gateway);
		const { result: received } = await in7(b, `GET /Requests/Incoming/${draft.id}`);
		expect(received.content.items[0]).toEqual({ ...item, attributeId: expect.any(String) });
		const accepted = await in7(b, `PUT /Requests/Incoming/${draft.id}/Accept`, {
			json: { items: [{ accept: true }, { accept: true }] },
		});
		const answers = [0, 1].map(() => ({ '@type': 'AcceptResponseItem', result: 'Accepted' }));
		expect([accepted.status, accepted.result.response.content.items]).toEqual([200, answers]);
		await settle(a.gateway);
		const { result: completed } = await in7(a, `GET /Requests/Outgoing/${draft.id}`);
		expect([completed.status, completed.response.content.items]).toEqual(['Completed', answers]);
		const message = await in7(b, `GET /Messages?content.@type=ResponseWrapper`);
		expect(message.result[0].content.response.items).toEqual(answers);
	});

	// shows generation-7 8.1: paragraph 1; generation-7 8.6: 1
	it('tells an unknown attribute as a result of the check', async () => {
		const { status, result } = await in7(a, 'POST /Requests/Outgoing/Validate', {
			json: {
				content: {
					items: [
						{
							'@type': 'ShareAttributeRequestItem',
							mustBeAccepted: true,
							attribute: surname(addressA),
							attributeId: 'ATTaaaaaaaaaaaaaaaaa',
						},
					],
				},
				peer: addressB,
			},
		});
		expect([status, result.isSuccess]).toEqual([201, false]);
		expect(result.items[0].code).toBe('error.consumption.requests.invalidRequestItem');
	});

	// shows connector-7 7: IdentityAttribute; generation-7 3: IdentityAttribute; generation-7 8.8:
	// 1; 5
	it('is answered with attributes without validity', async () => {
		const { result: draft } = await create(query);
		await send(draft.content);
		await settle(b.gateway);
		const newAttribute = { ...surname(addressB), ...validity };
		const { status, result } = await in7(b, `PUT /Requests/Incoming/${draft.id}/Accept`, {
			json: { items: [{ accept: true, newAttribute }] },
		});
		const [answer] = result.response.content.items;
		expect([status, answer.attribute]).toEqual([200, surname(addressB)]);
		const { result: stored } = await b.ask(`GET /Requests/Incoming/${draft.id}`);
		expect(stored.response.content.items[0].attribute).not.toHaveProperty('validFrom');
	});
});

describe('what version 6 has written', () => {
	// shows connector-7 7: IdentityAttribute; every request item; generation-7 7: Request,
	// RequestItemGroup
	it('is shown in the form of version 7', async () => {
		const given = { ...surname(addressB), ...validity };
		const create6 = { '@type': 'CreateAttributeRequestItem', mustBeAccepted: true };
		const { result: draft } = await a.ask('POST /Requests/Outgoing', {
			json: {
				content: {
					title: 'Request',
					items: [
						{ ...create6, ...former, attribute: given },
						{ ...authentication, requireManualDecision: true },
						{
							'@type': 'RequestItemGroup',
							title: 'Group',
							items: [{ ...query, ...former, query: { ...query.query, ...validity } }],
						},
					],
				},
				peer: addressB,
			},
		});
		const { result: inForm7 } = await in7(a, `GET /Requests/Outgoing/${draft.id}`);
		const other = { ...inForm7.content, title: 'Other' };
		expect((await send(other)).error.code).toBe('error.runtime.validation.invalidPropertyValue');
		expect((await send(inForm7.content)).status).toBe(201);
		await settle(b.gateway);
		const shown = {
			'@type': 'Request',
			id: draft.id,
			title: 'Request',
			items: [
				{ ...create6, attribute: surname(addressB) },
				authentication,
				{ '@type': 'RequestItemGroup', title: 'Group', items: [query] },
			],
		};
		for (const [http, list] of [
			[a, 'Outgoing'],
			[b, 'Incoming'],
		] as const) {
			const { result } = await in7(http, `GET /Requests/${list}?id=${draft.id}`);
			expect(result[0].content).toEqual(shown);
			const { result: stored } = await http.ask(`GET /Requests/${list}/${draft.id}`);
			expect(stored.content.items[0]).toMatchObject({ title: 'Former', attribute: validity });
		}
	});

	// shows connector-7 7: notification items; generation-7 10: paragraph 1; PeerAttributeSucceeded
	it('has the notifications of version 7', async () => {
		const value = (text: string) => ({ value: { '@type': 'GivenName', value: text } as const });
		const own = await a.gateway.attributes.create({ content: value('First') });
		const { result: draft } = await create({
			'@type': 'ShareAttributeRequestItem',
			mustBeAccepted: true,
			attribute: own.content,
			attributeId: own.id,
		});
		await send(draft.content);
		await settle(b.gateway);
		await in7(b, `PUT /Requests/Incoming/${draft.id}/Accept`, {
			json: { items: [{ accept: true }] },
		});
		await settle(a.gateway);
		const { successor } = await a.gateway.attributes.succeed(own.id, {
			successorContent: value('Second'),
		});
		await a.gateway.attributes.notifyPeer(successor.id, { peer: addressB });
		await settle(b.gateway);
		for (const http of [a, b]) {
			const { result } = await in7(http, 'GET /Messages?content.@type=Notification');
			expect(result[0].content.items).toEqual([
				{
					'@type': 'PeerAttributeSucceededNotificationItem',
					predecessorId: expect.any(String),
					successorId: expect.any(String),
					successorContent: { '@type': 'IdentityAttribute', owner: addressA, ...value('Second') },
				},
			]);
		}
	});
});
