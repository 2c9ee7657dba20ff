import jsQR from 'jsqr';
import { PNG } from 'pngjs';
import { inOneHour, sandboxOf, settle } from '../support/gateways';
import { until } from '../support/until';
import { arbitrary, consent, givenName, World, yes, type Answered } from './support/world';

jest.setTimeout(60_000);

/* docs/protocol/interface-summary.md 4: every endpoint, under both prefixes */
let world: World;
beforeAll(async () => {
	world = await World.open();
});
afterAll(() => world.close());

const mailTo = (address: string) => ({
	recipients: [address],
	content: { '@type': 'Mail', to: [address], subject: 'Hello', body: 'Text' },
});

describe.each(['/api/v2', '/api/core/v1'])('below %s', (prefix) => {
	const ask = async (call: string, json?: unknown, side = world.a): Promise<Answered> => {
		const [method, path] = call.split(' ');
		return await side.http.ask(`${method} ${prefix}${path}`, { json });
	};

	it('interface 4: paragraph 1; interface 9: point 1 | every route stands under this prefix, with JSON', async () => {
		const { status, headers, result } = await ask('GET /Account/IdentityInfo');
		expect([status, result.address]).toEqual([200, world.a.address]);
		expect(headers.get('content-type')).toMatch(/^application\/json/);
		const bare = await fetch(`${world.a.http.server.address}/Account/IdentityInfo`);
		expect(bare.status).not.toBe(200);
	});

	it('interface 4: 2 | creates an own identity attribute, without type and owner', async () => {
		const value = { '@type': 'DisplayName', value: `Example ${prefix}` };
		const { status, result } = await ask('POST /Attributes', { content: { value } });
		expect([status, result.content]).toMatchObject([
			201,
			{ '@type': 'IdentityAttribute', owner: world.a.address, value },
		]);
		expect(result.id).toMatch(/^ATT/);
		for (const given of [{ '@type': 'IdentityAttribute' }, { owner: world.a.address }]) {
			const refused = await ask('POST /Attributes', { content: { ...given, value } });
			expect([refused.status, refused.error.message]).toEqual([
				400,
				'content must NOT have additional properties',
			]);
		}
	});

	it('interface 4: 3 | checks a request, with the detail of what is wrong', async () => {
		const good = await ask('POST /Requests/Outgoing/Validate', {
			content: { items: [consent()] },
			peer: world.b.address,
		});
		expect([good.status, good.result.isSuccess]).toEqual([201, true]);
		const proposal = {
			'@type': 'ProposeAttributeRequestItem',
			mustBeAccepted: true,
			query: { '@type': 'IdentityAttributeQuery', valueType: 'GivenName', tags: ['x:nickname'] },
			attribute: { '@type': 'IdentityAttribute', owner: '', value: givenName('Ada') },
		};
		const { status, result } = await ask('POST /Requests/Outgoing/Validate', {
			content: { items: [consent(), proposal] },
			peer: world.b.address,
		});
		expect([status, result.isSuccess]).toEqual([201, false]);
		expect(result.items).toMatchObject([
			{ isSuccess: true },
			{ isSuccess: false, code: expect.any(String), message: expect.any(String) },
		]);
	});

	it('interface 4: 4 | creates a template, whose request has to be right', async () => {
		const content = (items: object[]) => ({
			'@type': 'RelationshipTemplateContent',
			title: 'Demo',
			onNewRelationship: { items },
		});
		const create = async (given: object): Promise<Answered> =>
			await ask('POST /RelationshipTemplates/Own', {
				maxNumberOfAllocations: 1,
				expiresAt: inOneHour(),
				content: given,
			});
		for (const given of [content([consent()]), arbitrary('RelationshipTemplate')]) {
			const { status, result } = await create(given);
			expect([status, result.maxNumberOfAllocations]).toEqual([201, 1]);
			expect(result.id).toMatch(/^RLT/);
		}
		const wrong = {
			'@type': 'ShareAttributeRequestItem',
			mustBeAccepted: true,
			attribute: {
				'@type': 'IdentityAttribute',
				owner: world.a.address,
				value: givenName('Unknown'),
			},
			sourceAttributeId: 'ATT00000000000000000',
		};
		expect((await create(content([wrong]))).status).toBe(400);
	});

	it('interface 4: 5 | shows a template as a QR code that a peer can use', async () => {
		const { id } = await world.createTemplate(arbitrary('RelationshipTemplate'));
		const { status, headers, bytes } = await world.a.http.ask(
			`GET ${prefix}/RelationshipTemplates/${id}`,
			{ headers: { accept: 'image/png' } },
		);
		expect([status, headers.get('content-type')]).toEqual([200, 'image/png']);
		const { data, width, height } = PNG.sync.read(Buffer.from(bytes));
		const reference = jsQR(new Uint8ClampedArray(data), width, height)?.data ?? '';
		const loaded = await ask(
			'POST /RelationshipTemplates/Peer',
			{ reference: reference.replace(/^nmshd:\/\/tr#/, '') },
			world.b,
		);
		expect([loaded.status, loaded.result.id]).toEqual([201, id]);
	});

	it('interface 4: 6 | lists relationships, on request of one template only', async () => {
		const template = await world.createTemplate(arbitrary('RelationshipTemplate'));
		const { id } = await world.pending(await world.stranger(), template);
		const all = await ask('GET /Relationships');
		expect(all.status).toBe(200);
		expect(all.result.map((one: Answered) => one.id)).toEqual(
			expect.arrayContaining([id, world.relationshipId]),
		);
		const found = await ask(`GET /Relationships?templateId=${template.id}`);
		expect(found.result.map((one: Answered) => one.id)).toEqual([id]);
		const none = await ask('GET /Relationships?templateId=RLTaaaaaaaaaaaaaaaaa');
		expect([none.status, none.result]).toEqual([200, []]);
	});

	it('interface 4: 7 | accepts a relationship without a body', async () => {
		const c = await world.stranger();
		const { id } = await world.pending(c);
		const { status, result } = await ask(`PUT /Relationships/${id}/Accept`);
		expect([status, result]).toMatchObject([200, { id, status: 'Active', peer: c.address }]);
		expect((await ask('PUT /Relationships/RELaaaaaaaaaaaaaaaaa/Accept')).status).toBe(404);
	});

	it('interface 4: 8 | rejects a relationship without a body', async () => {
		const { id } = await world.pending(await world.stranger());
		const { status, result } = await ask(`PUT /Relationships/${id}/Reject`);
		expect([status, result]).toMatchObject([200, { id, status: 'Rejected' }]);
		expect((await ask(`PUT /Relationships/${id}/Reject`)).status).toBe(400);
	});

	it('interface 4: 9 | revokes an own relationship', async () => {
		const c = await world.stranger();
		const { id } = await world.pending(c);
		expect((await ask(`PUT /Relationships/${id}/Revoke`)).status).toBe(400);
		const { status, result } = await ask(`PUT /Relationships/${id}/Revoke`, undefined, c);
		expect([status, result]).toMatchObject([200, { id, status: 'Revoked' }]);
	});

	it('interface 4: 10 | creates a relationship with creation content of either kind', async () => {
		const plain = await world.createTemplate(arbitrary('RelationshipTemplate'));
		const asking = await world.createTemplate({
			'@type': 'RelationshipTemplateContent',
			onNewRelationship: { items: [consent()] },
		});
		const c = await world.stranger();
		await ask('POST /RelationshipTemplates/Peer', { reference: plain.truncatedReference }, c);
		const creation = { templateId: plain.id, creationContent: arbitrary('RelationshipCreation') };
		const created = await ask('POST /Relationships', creation, c);
		expect([created.status, created.result]).toMatchObject([201, { status: 'Pending' }]);
		const bare = await ask('POST /Relationships', { templateId: plain.id }, c);
		expect(bare.status).toBe(400);

		const d = await world.stranger();
		await ask('POST /RelationshipTemplates/Peer', { reference: asking.truncatedReference }, d);
		const [request] = (await ask('GET /Requests/Incoming', undefined, d)).result;
		// A decision makes the relationship by itself, unless the Backbone is away at that moment.
		const { faults } = sandboxOf(world.network);
		const away = { kind: 'status', status: 503, body: {} } as const;
		faults.add({ method: 'POST', path: /Relationships$/, times: 100, action: away });
		const decided = await ask(`PUT /Requests/Incoming/${request.id}/Accept`, { items: [yes] }, d);
		faults.clear();
		expect([decided.status, decided.result.status]).toEqual([200, 'Decided']);
		const response = decided.result.response.content;
		const answered = await ask(
			'POST /Relationships',
			{
				templateId: asking.id,
				creationContent: { '@type': 'RelationshipCreationContent', response },
			},
			d,
		);
		expect([answered.status, answered.result]).toMatchObject([
			201,
			{ status: 'Pending', creationContent: { response: { result: 'Accepted' } } },
		]);
	});

	it('interface 4: 11 | sends messages of either kind', async () => {
		for (const content of [mailTo(world.b.address).content, arbitrary('Message')]) {
			const { status, result } = await ask('POST /Messages', {
				recipients: [world.b.address],
				content,
			});
			expect([status, result]).toMatchObject([201, { content, isOwn: true }]);
			expect(result.id).toMatch(/^MSG/);
		}
	});

	it('interface 4: 12 | lists messages, those that a sync brought included', async () => {
		const sent = (await ask('POST /Messages', mailTo(world.b.address))).result.id;
		const ids = async (): Promise<string[]> =>
			(await ask('GET /Messages', undefined, world.b)).result.map((one: Answered) => one.id);
		expect(await ids()).not.toContain(sent);
		await until(async () => {
			await ask('POST /Account/Sync', undefined, world.b);
			return (await ids()).includes(sent);
		});
	});

	it('interface 4: 13; interface 9: Version 4 to 5 changes.8 | synchronises without content, and tells by events', async () => {
		await settle(world.b.http.gateway);
		const { id } = (await ask('POST /Messages', mailTo(world.b.address))).result;
		const received = async (): Promise<unknown[]> =>
			(
				await world.b.http.gateway.events.recent({ names: ['transport.messageReceived'] }, 1_000)
			).filter(({ data }) => (data as Answered).id === id);
		expect(await received()).toEqual([]);
		const { status, bytes } = await ask('POST /Account/Sync', undefined, world.b);
		expect([status, bytes.length]).toEqual([204, 0]);
		await until(async () => {
			await ask('POST /Account/Sync', undefined, world.b);
			return (await received()).length === 1;
		});
		await settle(world.b.http.gateway);
		expect(await received()).toHaveLength(1);
	});

	it('interface 4: 14 | shows the shared versions of an attribute of either kind', async () => {
		const own = await world.createAttribute(givenName(`Shared ${prefix}`));
		expect((await ask(`GET /Attributes/${own.id}/Versions/Shared`)).result).toEqual([]);
		const relationshipAttribute = {
			'@type': 'RelationshipAttribute',
			owner: world.a.address,
			key: prefix,
			confidentiality: 'public',
			value: { '@type': 'ProprietaryString', title: 'Customer', value: '42' },
		};
		const request = await world.sendRequest(
			{
				'@type': 'ShareAttributeRequestItem',
				mustBeAccepted: true,
				attribute: own.content,
				sourceAttributeId: own.id,
			},
			{
				'@type': 'CreateAttributeRequestItem',
				mustBeAccepted: true,
				attribute: relationshipAttribute,
			},
		);
		await world.b.client.ask('incomingRequests.accept', request, { items: [yes, yes] });
		await world.sync();
		const shared = await ask(`GET /Attributes/${own.id}/Versions/Shared`);
		expect([shared.status, shared.result]).toMatchObject([
			200,
			[{ shareInfo: { peer: world.b.address, sourceAttribute: own.id } }],
		]);
		const [ofBoth] = await world.a.client.ask('attributes.getAttributes', {
			content: { key: prefix },
		});
		const versions = await ask(`GET /Attributes/${ofBoth.id}/Versions/Shared`);
		expect(versions.status).toBe(200);
		expect((await ask('GET /Attributes/ATTaaaaaaaaaaaaaaaaa/Versions/Shared')).status).toBe(404);
	});

	it('interface 4: 15; interface 9: Version 5 to 6 changes.1 | loads peer objects by their reference, never by id and secretKey', async () => {
		const file = await world.a.client.ask('files.uploadOwnFile', {
			title: 'Shared',
			expiresAt: inOneHour(),
			filename: 'note.txt',
			file: Buffer.from('Text'),
		});
		const template = await world.createTemplate(arbitrary('RelationshipTemplate'));
		const token = await world.a.client.ask('tokens.createOwnToken', {
			content: { any: 'thing' },
			expiresAt: inOneHour(),
			ephemeral: false,
		});
		for (const [collection, own] of [
			['Files', file],
			['RelationshipTemplates', template],
			['Tokens', token],
		] as const) {
			const { status, result } = await ask(
				`POST /${collection}/Peer`,
				{ reference: own.truncatedReference },
				world.b,
			);
			expect([status, result]).toMatchObject([201, { id: own.id, isOwn: false }]);
			const old = { id: own.id, secretKey: 'a'.repeat(43) };
			const c = await world.stranger();
			expect((await ask(`POST /${collection}/Peer`, old, c)).status).toBe(400);
			const both = { ...old, reference: own.truncatedReference };
			expect((await ask(`POST /${collection}/Peer`, both, c)).status).toBe(400);
		}
	});

	it('interface 4: paragraph 2; interface 9: Version 4 to 5 changes.3 | has no routes for changes', async () => {
		const { id } = await world.pending(await world.stranger());
		for (const action of ['Accept', 'Reject']) {
			const { status, error } = await ask(
				`PUT /Relationships/${id}/Changes/RCHaaaaaaaaaaaaaaaaa/${action}`,
				{ content: {} },
			);
			expect([status, error.code]).toEqual([404, 'error.connector.http.routeDoesNotExist']);
		}
		expect((await ask(`GET /Relationships/${id}`)).result.status).toBe('Pending');
		expect((await ask(`PUT /Relationships/${id}/Accept`)).status).toBe(200);
	});
});

it('interface 4: 1 | health is told to everybody', async () => {
	const answer = await fetch(`${world.a.http.server.address}/health`);
	expect([answer.status, await answer.json()]).toMatchObject([200, { isHealthy: true }]);
	expect(await world.a.client.raw('monitoring.getHealth')).toMatchObject({ isHealthy: true });
});

it('interface 4: paragraph 3 | the version of the Backbone is asked for and told', async () => {
	const answer = await fetch(`${world.network.credentials.baseUrl}/api/v2/Version`);
	expect(answer.status).toBe(200);
	const { backboneVersion } = await world.a.http.gateway.account.checkConnection();
	expect(backboneVersion).toBeGreaterThanOrEqual(6);
});
