import { inOneHour, relate, TestNetwork } from '../../support/gateways';
import { HttpGateway } from './support/http-gateway';

/* docs/protocol/http-api.md 6.2, 8.3, 8.7, 8.8, 8.9 */
let network: TestNetwork;
let a: HttpGateway;
let b: HttpGateway;
let addressA: string;
let addressB: string;

beforeAll(async () => {
	network = await TestNetwork.open();
	a = await HttpGateway.open(network);
	b = await HttpGateway.open(network);
	({ addressA, addressB } = await relate(a.gateway, b.gateway));
});
afterAll(async () => {
	await a.close();
	await b.close();
	await network.close();
});

const unreadable = 'error.runtime.requestDeserialization';
const invalid = 'error.runtime.validation.invalidPropertyValue';
const notFound = 'error.runtime.recordNotFound';
const unknownAttribute = 'ATTaaaaaaaaaaaaaaaaa';
const unknownRequest = 'REQaaaaaaaaaaaaaaaaa';
const given = (value: string) => ({ content: { value: { '@type': 'GivenName', value } } });
const consent = { '@type': 'ConsentRequestItem', mustBeAccepted: true, consent: 'Yes?' };

describe('attributes', () => {
	it('are created without type and owner, which are ours', async () => {
		const can = await a.ask('PUT /Attributes/CanCreate', { json: given('Ada') });
		expect([can.status, can.result]).toEqual([200, { isSuccess: true }]);
		const { status, result } = await a.ask('POST /Attributes', { json: given('Ada') });
		expect([status, result.content['@type'], result.content.owner]).toEqual([
			201,
			'IdentityAttribute',
			addressA,
		]);
		const again = await a.ask('PUT /Attributes/CanCreate', { json: given(' Ada ') });
		expect([again.status, again.result.isSuccess, again.result.code]).toEqual([
			200,
			false,
			'error.runtime.attributes.cannotCreateDuplicateRepositoryAttribute',
		]);
		const duplicate = await a.ask('POST /Attributes', { json: given('Ada') });
		expect([duplicate.status, duplicate.error.code]).toEqual([400, again.result.code]);
	});

	it.each([
		[{ '@type': 'IdentityAttribute' }, 'content must NOT have additional properties'],
		[
			{ owner: 'did:e:a.b:dids:0000000000000000000000' },
			'content must NOT have additional properties',
		],
		[{ value: undefined }, "content must have required property 'value'"],
		[{ tags: 'one' }, 'content/tags must be array'],
	])('are refused with %j, by the check as well', async (change, message) => {
		const json = { content: { ...given('Bob').content, ...change } };
		for (const call of ['POST /Attributes', 'PUT /Attributes/CanCreate']) {
			const { status, error } = await a.ask(call, { json });
			expect([status, error.code, error.message]).toEqual([400, invalid, message]);
		}
	});

	it.each([
		[{ '@type': 'BankAccount', accountHolder: 'Ada', iban: 'DE79100000000000424242' }, undefined],
		[{ '@type': 'BankAccount', accountHolder: 'Ada', iban: 'DE79100000000000424243' }, unreadable],
		[{ '@type': 'BankAccount', accountHolder: 'Ada', iban: 7 }, invalid],
		[{ '@type': 'BankAccount', accountHolder: 'Ada', iban: 'DE79', city: 'Bonn' }, invalid],
		[{ '@type': 'MaritalStatus', value: 'single' }, undefined],
		[{ '@type': 'MaritalStatus', value: 'engaged' }, unreadable],
		[{ '@type': 'SchematizedJSON', value: [1] }, undefined],
		[{ '@type': 'SchematizedJSON', value: null }, invalid],
		[{ '@type': 'VerifiableCredential', value: 'x', type: 'dc+sd-jwt' }, undefined],
		[{ '@type': 'VerifiableCredential', value: 'x' }, invalid],
		[{ '@type': 'VerifiableCredential', value: 7, type: 'dc+sd-jwt' }, invalid],
	])('take %j as version 7 does', async (value, code) => {
		const { result, error } = await a.ask('POST /Attributes', { json: { content: { value } } });
		expect(error?.code).toBe(code);
		if (code === undefined) expect(result.content.value).toEqual(value);
	});

	it('are succeeded by their id only, and anything else is not found', async () => {
		for (const id of [unknownAttribute, 'nonsense', '%20']) {
			const { status, error } = await a.ask(`POST /Attributes/${id}/Succeed`, {
				json: { successorContent: given('Eve').content },
			});
			expect([status, error.code]).toEqual([404, notFound]);
		}
		const [own] = (await a.ask('GET /Attributes/Own/Repository')).result;
		const same = await a.ask(`POST /Attributes/${own.id}/Succeed`, {
			json: { successorContent: given('Ada').content },
		});
		expect([same.status, same.error.code]).toEqual([
			400,
			'error.consumption.attributes.successionMustChangeContent',
		]);
	});

	it('ignore unknown filters in the lists of all, and refuse them in the others', async () => {
		for (const list of ['', '/Valid']) {
			expect((await a.ask(`GET /Attributes${list}?unknown=1`)).status).toBe(200);
			const found = await a.ask(`GET /Attributes${list}?content.value.@type=Surname`);
			expect(found.result).toEqual([]);
		}
		const refused = await a.ask('GET /Attributes/Own/Repository?unknown=1');
		expect([refused.status, refused.error.message]).toEqual([
			400,
			'query must NOT have additional properties',
		]);
		const noPeer = await a.ask('GET /Attributes/Own/Shared/Identity');
		expect([noPeer.status, noPeer.error.message]).toEqual([
			400,
			"must have required property 'peer'",
		]);
		const shared = await a.ask(
			`GET /Attributes/Peer/Shared/Identity?peer=${addressB}&query.content.key=x&hideTechnical=TRUE`,
		);
		expect([shared.status, shared.result]).toEqual([200, []]);
		const twice = await a.ask(
			`GET /Attributes/Own/Repository?onlyLatestVersions=true&onlyLatestVersions=false`,
		);
		expect([twice.status, twice.error.code]).toEqual([400, invalid]);
	});

	it('answer queries, which need not be queries', async () => {
		const right = await a.ask('POST /Attributes/ValidateIQLQuery', {
			json: { query: { '@type': 'IQLQuery', queryString: 'GivenName' } },
		});
		expect([right.status, right.result]).toEqual([200, { isValid: true }]);
		const wrong = await a.ask('POST /Attributes/ValidateIQLQuery', {
			json: { query: { '@type': 'IQLQuery', queryString: '(' } },
		});
		expect(wrong.status).toBe(200);
		expect(wrong.result).toMatchObject({
			isValid: false,
			error: { location: { start: { offset: expect.any(Number) as number } } },
		});
		const found = await a.ask('POST /Attributes/ExecuteIQLQuery', {
			json: { query: { queryString: 'GivenName' } },
		});
		expect([found.status, found.result]).toMatchObject([200, [given('Ada')]]);
		const none = await a.ask('POST /Attributes/ExecuteIdentityAttributeQuery', { json: {} });
		expect(none.status).toBe(400);
		expect(none.error.code).not.toBe('error.connector.unexpected');
	});

	it('are deleted by the route of their kind', async () => {
		const { result } = await a.ask('POST /Attributes', { json: given('Gone') });
		for (const [route, code] of [
			['Own/Shared', 'isNotOwnSharedAttribute'],
			['Peer/Shared', 'isNotPeerSharedAttribute'],
			['ThirdParty', 'isNotThirdPartyRelationshipAttribute'],
		]) {
			const { status, error } = await a.ask(`DELETE /Attributes/${route}/${result.id}`);
			expect([status, error.code]).toEqual([400, `error.runtime.attributes.${code}`]);
		}
		const deleted = await a.ask(`DELETE /Attributes/${result.id}`, {
			headers: { accept: 'text/plain' },
		});
		expect(deleted.status).toBe(204);
		expect((await a.ask(`DELETE /Attributes/${result.id}`)).status).toBe(404);
	});
});

describe('identity metadata', () => {
	it('has one value for each key, and one without', async () => {
		const reference = addressB;
		for (const json of [
			{ reference, value: 'plain' },
			{ reference, key: 'k', value: { an: 'object' } },
		]) {
			const put = await a.ask('PUT /IdentityMetadata', { json });
			expect([put.status, put.result]).toEqual([200, json]);
			const query = `reference=${reference}${'key' in json ? '&key=k' : ''}`;
			const got = await a.ask(`GET /IdentityMetadata?${query}`, {
				headers: { accept: 'text/html' },
			});
			expect([got.status, got.result]).toEqual([200, json]);
			expect((await a.ask(`DELETE /IdentityMetadata?${query}`)).status).toBe(204);
			const gone = await a.ask(`GET /IdentityMetadata?${query}`);
			expect([gone.status, gone.error.code]).toEqual([
				400,
				'error.runtime.identityMetadata.notFound',
			]);
		}
		const stranger = await a.ask('PUT /IdentityMetadata', {
			json: { reference: `${addressB.slice(0, -22)}${'0'.repeat(22)}`, value: 1 },
		});
		expect([stranger.status, stranger.error.code]).toEqual([
			400,
			'error.runtime.identityMetadata.unfamiliarReferencedIdentity',
		]);
	});
});

describe('requests', () => {
	it('are validated with 201 whatever comes out, and made only when they are right', async () => {
		const right = await a.ask('POST /Requests/Outgoing/Validate', {
			json: { content: { items: [consent] }, peer: addressB },
		});
		expect([right.status, right.result]).toEqual([
			201,
			{ isSuccess: true, items: [{ isSuccess: true, items: [] }] },
		]);
		// The hint about wallets of version 7 is not part of the result here.
		const dash = {
			'@type': 'CreateAttributeRequestItem',
			mustBeAccepted: true,
			attribute: {
				'@type': 'IdentityAttribute',
				owner: '',
				value: { '@type': 'GivenName', value: 'K\u20134711' },
			},
		};
		const hinted = await a.ask('POST /Requests/Outgoing/Validate', {
			json: { content: { items: [dash] }, peer: addressB },
		});
		expect(hinted.result).toEqual(right.result);
		const query = {
			'@type': 'ProposeAttributeRequestItem',
			mustBeAccepted: true,
			query: { '@type': 'IdentityAttributeQuery', valueType: 'GivenName', tags: ['x:a'] },
			attribute: {
				'@type': 'IdentityAttribute',
				owner: '',
				value: { '@type': 'GivenName', value: 'x' },
			},
		};
		const wrong = { content: { items: [query] }, peer: addressB };
		const checked = await a.ask('POST /Requests/Outgoing/Validate', { json: wrong });
		expect(checked).toMatchObject({
			status: 201,
			result: {
				isSuccess: false,
				code: 'error.consumption.validation.inheritedFromItem',
				items: [{ isSuccess: false, code: 'error.consumption.requests.attributeQueryMismatch' }],
			},
		});
		const made = await a.ask('POST /Requests/Outgoing', { json: wrong });
		expect([made.status, made.error.code]).toEqual([
			400,
			'error.consumption.validation.inheritedFromItem',
		]);
	});

	it.each([{}, { content: 5 }, { content: { items: 'x' } }, { content: { items: [{}] } }])(
		'are refused as %j with a code',
		async (json) => {
			for (const call of ['POST /Requests/Outgoing/Validate', 'POST /Requests/Outgoing']) {
				const { status, error } = await a.ask(call, { json: { ...json, peer: addressB } });
				expect(status).toBe(400);
				expect(error.code).toMatch(/^error\.(runtime|consumption)\./);
			}
		},
	);

	it('are decided once, by a client that may not claim to be the automation', async () => {
		const draft = await a.ask('POST /Requests/Outgoing', {
			json: { content: { items: [consent], expiresAt: inOneHour() }, peer: addressB },
		});
		expect([draft.status, draft.result.status]).toEqual([201, 'Draft']);
		const sent = await a.ask('POST /Messages', {
			json: { recipients: [addressB], content: draft.result.content },
		});
		expect(sent.status).toBe(201);
		const twice = await a.ask('POST /Messages', {
			json: { recipients: [addressB], content: draft.result.content },
		});
		expect([twice.status, twice.error.code]).toEqual([
			400,
			'error.runtime.messages.cannotSendRequestThatWasAlreadySent',
		]);
		await network.settle(b.gateway);
		const path = `/Requests/Incoming/${draft.result.id}`;
		const yes = { items: [{ accept: true }] };
		const claimed = await b.ask(`PUT ${path}/Accept`, {
			json: { ...yes, decidedByAutomation: true },
		});
		expect([claimed.status, claimed.error.code]).toEqual([
			400,
			'error.connector.incomingRequests.decidedByAutomation',
		]);
		const few = await b.ask(`PUT ${path}/CanAccept`, { json: { items: [] } });
		expect([few.status, few.result.isSuccess, few.result.code]).toEqual([
			200,
			false,
			'error.consumption.requests.decide.validation.invalidNumberOfItems',
		]);
		const missing = await b.ask(`PUT ${path}/Accept`, { json: {} });
		expect(missing.status).toBe(400);
		expect(missing.error.code).not.toBe('error.connector.unexpected');
		const accepted = await b.ask(`PUT ${path}/Accept`, { json: yes });
		expect([accepted.status, accepted.result.response.content.result]).toEqual([200, 'Accepted']);
		const again = await b.ask(`PUT ${path}/CanAccept`, { json: yes });
		expect([again.status, again.error.code]).toEqual([400, 'error.runtime.unknown']);

		const query =
			'status=Completed&status=Decided&unknown=1&content.items.@type=ConsentRequestItem';
		expect((await b.ask(`GET /Requests/Incoming?${query}`)).result).toMatchObject([
			{ id: draft.result.id, isOwn: false },
		]);
		expect((await b.ask(`GET /Requests/Outgoing?${query}`)).result).toEqual([]);
	});

	it('that are unknown have the code of their route', async () => {
		const json = { items: [] };
		for (const [call, code] of [
			[`GET /Requests/Incoming/${unknownRequest}`, notFound],
			[`PUT /Requests/Incoming/${unknownRequest}/Accept`, notFound],
			[`PUT /Requests/Incoming/${unknownRequest}/CanReject`, 'error.transport.recordNotFound'],
			[`GET /Requests/Outgoing/${unknownRequest}`, notFound],
		] as const) {
			const { status, error } = await a.ask(call, call.startsWith('PUT') ? { json } : {});
			expect([call, status, error.code]).toEqual([call, 404, code]);
		}
	});
});
