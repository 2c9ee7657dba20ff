import type { UnreadableItem } from '../../../core/backbone/port/backbone';
import type { HttpBackbone } from '../../../core/backbone/http/http-backbone';
import { eventsOf } from '../../support/backbone/pages';
import {
	address,
	createdAt,
	empty,
	failureOf,
	FixtureServer,
	inTurn,
	json,
	messageBody,
	problem,
	raw,
	relationshipBody,
	result,
	type Responder,
} from './fixture-server';

const passwordBase64url = Buffer.from([0xfb, 0xff, 0xfe, 1]).toString('base64url');
const passwordBase64 = Buffer.from([0xfb, 0xff, 0xfe, 1]).toString('base64');
const template = {
	id: 'RLT1',
	createdBy: address,
	createdByDevice: 'DVC1',
	maxNumberOfAllocations: null,
	expiresAt: null,
	content: 'AAAA',
	createdAt,
	forIdentity: null,
};
const token = {
	id: 'TOK1',
	createdBy: null,
	createdByDevice: null,
	forIdentity: null,
	createdAt,
	expiresAt: createdAt,
	content: 'AAAA',
	isPasswordProtected: false,
};
const { content: _tokenContent, ...updatedToken } = {
	...token,
	createdBy: address,
	createdByDevice: 'DVC1',
};
const deletionProcess = { id: 'IDP1', status: 'Active', createdAt, gracePeriodEndsAt: createdAt };
const file = {
	id: 'FIL1',
	createdAt,
	createdBy: address,
	createdByDevice: 'DVC1',
	owner: address,
	ownerSignature: 'AAAA',
	cipherHash: 'AAAA',
	expiresAt: createdAt,
	encryptedProperties: 'AAAA',
};
const {
	creationContent: _content,
	creationResponseContent: _response,
	...metadata
} = relationshipBody;
const id = relationshipBody.id;
let server: FixtureServer;

afterEach(() => server.close());

interface Row {
	readonly name: string;
	readonly route: string;
	readonly answer: Responder;
	readonly call: (backbone: HttpBackbone) => Promise<unknown>;
	readonly query?: string;
	readonly body?: unknown;
	readonly isAnonymous?: true;
	readonly needsDatawalletVersion?: true;
}

const rows: Row[] = [
	{
		name: 'identities.create',
		route: 'POST /api/v2/Identities',
		answer: result(
			{ address, createdAt, device: { id: 'DVC1', username: 'USR1', createdAt } },
			201,
		),
		call: (b) =>
			b.identities.create({
				identityPublicKey: 'AAAA',
				devicePassword: 'p',
				identityVersion: 1,
				signedChallenge: { challenge: '{}', signature: 'AAAA' },
			}),
		body: {
			identityPublicKey: 'AAAA',
			devicePassword: 'p',
			identityVersion: 1,
			signedChallenge: { challenge: '{}', signature: 'AAAA' },
			clientId: 'client',
			clientSecret: 'the-client-secret',
		},
		isAnonymous: true,
	},
	{
		name: 'identities.isDeleted',
		route: 'GET /api/v2/Identities/IsDeleted',
		answer: result({ isDeleted: false, deletionDate: null }),
		call: (b) => b.identities.isDeleted('USR1'),
		query: 'username=USR1',
		isAnonymous: true,
	},
	{
		name: 'identities.self',
		route: 'GET /api/v2/Identities/Self',
		answer: result({ address, status: 'Active' }),
		call: (b) => b.identities.self(),
	},
	{
		name: 'identities.setFeatureFlags',
		route: 'PATCH /api/v2/Identities/Self/FeatureFlags',
		answer: empty(204),
		call: (b) => b.identities.setFeatureFlags({ one: true, two: false }),
		body: { one: true, two: false },
	},
	{
		name: 'identities.featureFlags',
		route: `GET /api/v2/Identities/${encodeURIComponent(address)}/FeatureFlags`,
		answer: result({ one: true }),
		call: (b) => b.identities.featureFlags(address),
	},
	{
		name: 'deletionProcesses.start with the default of the Backbone',
		route: 'POST /api/v2/Identities/Self/DeletionProcesses',
		answer: result(deletionProcess, 201),
		call: (b) => b.deletionProcesses.start(),
		body: {},
	},
	{
		name: 'deletionProcesses.start with half a day',
		route: 'POST /api/v2/Identities/Self/DeletionProcesses',
		answer: result(deletionProcess, 201),
		call: (b) => b.deletionProcesses.start(0.5),
		body: { lengthOfGracePeriodInDays: 0.5 },
	},
	{
		name: 'deletionProcesses.list',
		route: 'GET /api/v2/Identities/Self/DeletionProcesses',
		answer: result([deletionProcess]),
		call: (b) => b.deletionProcesses.list(),
	},
	{
		name: 'deletionProcesses.get',
		route: 'GET /api/v2/Identities/Self/DeletionProcesses/IDP1',
		answer: result(deletionProcess),
		call: (b) => b.deletionProcesses.get('IDP1'),
	},
	...(
		[
			['cancel', 'Cancel'],
			['approve', 'Approve'],
			['reject', 'Reject'],
		] as const
	).map(([method, suffix]) => ({
		name: `deletionProcesses.${method}`,
		route: `PUT /api/v2/Identities/Self/DeletionProcesses/IDP1/${suffix}`,
		answer: result(deletionProcess),
		call: (b: HttpBackbone) => b.deletionProcesses[method]('IDP1'),
		body: {},
	})),
	{
		name: 'devices.self',
		route: 'GET /api/v2/Devices/Self',
		answer: result({ id: 'DVC1', username: 'USR1', createdAt, isBackupDevice: false }),
		call: (b) => b.devices.self(),
	},
	{
		name: 'devices.changePassword',
		route: 'PUT /api/v2/Devices/Self/Password',
		answer: empty(204),
		call: (b) => b.devices.changePassword({ oldPassword: 'old', newPassword: 'new' }),
		body: { oldPassword: 'old', newPassword: 'new' },
	},
	{
		name: 'challenges.create',
		route: 'POST /api/v2/Challenges',
		answer: result(
			{ id: 'CHL1', expiresAt: createdAt, createdBy: address, createdByDevice: 'DVC1' },
			201,
		),
		call: (b) => b.challenges.create(),
		body: {},
	},
	{
		name: 'challenges.get',
		route: 'GET /api/v2/Challenges/CHL1',
		answer: result({ id: 'CHL1', expiresAt: createdAt, createdBy: null, createdByDevice: null }),
		call: (b) => b.challenges.get('CHL1'),
	},
	{
		name: 'datawallet.get',
		route: 'GET /api/v2/Datawallet',
		answer: result({ version: 1 }),
		call: (b) => b.datawallet.get(),
		needsDatawalletVersion: true,
	},
	{
		name: 'syncRuns.start',
		route: 'POST /api/v2/SyncRuns',
		answer: result({ status: 'Created', syncRun: { id: 'SYR1' } }, 201),
		call: (b) => b.syncRuns.start('ExternalEventSync', { durationSeconds: 60 }),
		body: { type: 'ExternalEventSync', duration: 60 },
		needsDatawalletVersion: true,
	},
	{
		name: 'syncRuns.events',
		route: 'GET /api/v2/SyncRuns/SYR1/ExternalEvents',
		answer: result([]),
		call: (b) => eventsOf(b),
	},
	{
		name: 'syncRuns.finalizeExternalEventSync',
		route: 'PUT /api/v2/SyncRuns/SYR1/FinalizeExternalEventSync',
		answer: result({ newUnsyncedExternalEventsExist: true }),
		call: (b) => b.syncRuns.finalizeExternalEventSync('SYR1', [{ externalEventId: 'SYI1' }]),
		body: { externalEventResults: [{ externalEventId: 'SYI1' }], datawalletModifications: [] },
	},
	{
		name: 'syncRuns.finalizeDatawalletVersionUpgrade',
		route: 'PUT /api/v2/SyncRuns/SYR1/FinalizeDatawalletVersionUpgrade',
		answer: result({ newDatawalletModificationIndex: null, datawalletModifications: [] }),
		call: (b) => b.syncRuns.finalizeDatawalletVersionUpgrade('SYR1', 1),
		body: { newDatawalletVersion: 1, datawalletModifications: [] },
	},
	{
		name: 'syncRuns.get',
		route: 'GET /api/v2/SyncRuns/SYR1',
		answer: result({ id: 'SYR1', type: 'ExternalEventSync', expiresAt: createdAt }),
		call: (b) => b.syncRuns.get('SYR1'),
	},
	{
		name: 'syncRuns.refreshExpirationTime',
		route: 'PUT /api/v2/SyncRuns/SYR1/RefreshExpirationTime',
		answer: result({ expiresAt: createdAt }),
		call: (b) => b.syncRuns.refreshExpirationTime('SYR1'),
		body: {},
	},
	{
		name: 'templates.create',
		route: 'POST /api/v2/RelationshipTemplates',
		answer: result({ id: 'RLT1', createdAt }, 201),
		call: (b) =>
			b.templates.create({ content: 'AAAA', maxNumberOfAllocations: 1, expiresAt: createdAt }),
		body: { content: 'AAAA', maxNumberOfAllocations: 1, expiresAt: createdAt },
	},
	{
		name: 'templates.get with a password',
		route: 'GET /api/v2/RelationshipTemplates/RLT1',
		answer: result(template),
		call: (b) => b.templates.get('RLT1', { password: passwordBase64url }),
		query: `password=${encodeURIComponent(passwordBase64)}`,
	},
	{
		name: 'templates.list',
		route: 'GET /api/v2/RelationshipTemplates',
		answer: result([template]),
		call: (b) => b.templates.list([{ id: 'RLT1', password: passwordBase64url }, { id: 'RLT2' }]),
		query: `templates.0.id=RLT1&templates.0.password=${encodeURIComponent(passwordBase64)}&templates.1.id=RLT2`,
	},
	{
		name: 'templates.delete',
		route: 'DELETE /api/v2/RelationshipTemplates/RLT1',
		answer: empty(204),
		call: (b) => b.templates.delete('RLT1'),
	},
	{
		name: 'relationships.canCreate',
		route: 'GET /api/v2/Relationships/CanCreate',
		answer: result({ canCreate: true, code: null }),
		call: (b) => b.relationships.canCreate(address),
		query: `peer=${encodeURIComponent(address)}`,
	},
	{
		name: 'relationships.create',
		route: 'POST /api/v2/Relationships',
		answer: result(metadata, 201),
		call: (b) =>
			b.relationships.create({ relationshipTemplateId: 'RLT1', creationContent: 'AAAA' }),
		body: { relationshipTemplateId: 'RLT1', creationContent: 'AAAA' },
	},
	{
		name: 'relationships.get',
		route: `GET /api/v2/Relationships/${id}`,
		answer: result(relationshipBody),
		call: (b) => b.relationships.get(id),
	},
	{
		name: 'relationships.list',
		route: 'GET /api/v2/Relationships',
		answer: result([relationshipBody]),
		call: (b) => b.relationships.list(['REL1', 'REL2']),
		query: 'ids=REL1&ids=REL2',
	},
	{
		name: 'relationships.accept',
		route: `PUT /api/v2/Relationships/${id}/Accept`,
		answer: result(metadata),
		call: (b) => b.relationships.accept(id, 'AAAA'),
		body: { creationResponseContent: 'AAAA' },
	},
	...(
		[
			['reject', 'Reject'],
			['revoke', 'Revoke'],
			['terminate', 'Terminate'],
			['requestReactivation', 'Reactivate'],
			['acceptReactivation', 'Reactivate/Accept'],
			['rejectReactivation', 'Reactivate/Reject'],
			['revokeReactivation', 'Reactivate/Revoke'],
			['decompose', 'Decompose'],
		] as const
	).map(([method, suffix]) => ({
		name: `relationships.${method}`,
		route: `PUT /api/v2/Relationships/${id}/${suffix}`,
		answer: result(metadata),
		call: (b: HttpBackbone) => b.relationships[method](id),
		body: {},
	})),
	{
		name: 'messages.send',
		route: 'POST /api/v2/Messages',
		answer: result({ id: 'MSG1', createdAt }, 201),
		call: (b) =>
			b.messages.send({
				recipients: [{ address, encryptedKey: 'A'.repeat(200) }],
				body: 'AAAA',
				attachments: [],
			}),
		body: {
			recipients: [{ address, encryptedKey: 'A'.repeat(200) }],
			body: 'AAAA',
			attachments: [],
		},
	},
	{
		name: 'messages.get',
		route: 'GET /api/v2/Messages/MSG1',
		answer: result(messageBody('MSG1')),
		call: (b) => b.messages.get('MSG1'),
	},
	{
		name: 'messages.page',
		route: 'GET /api/v2/Messages',
		answer: result([messageBody()]),
		call: (b) => b.messages.page({ pageNumber: 3, pageSize: 20 }),
		query: 'pageNumber=3&pageSize=20',
	},
	{
		name: 'files.metadata',
		route: 'GET /api/v2/Files/FIL1/metadata',
		answer: result(file),
		call: (b) => b.files.metadata('FIL1'),
	},
	{
		name: 'files.list',
		route: 'GET /api/v2/Files',
		answer: result([file]),
		call: (b) => b.files.list(['FIL1']),
		query: 'ids=FIL1',
	},
	{
		name: 'files.delete',
		route: 'DELETE /api/v2/Files/FIL1',
		answer: empty(204),
		call: (b) => b.files.delete('FIL1'),
	},
	{
		name: 'files.validateOwnershipToken',
		route: 'POST /api/v2/Files/FIL1/ValidateOwnershipToken',
		answer: result({ isValid: false }),
		call: (b) => b.files.validateOwnershipToken('FIL1', 'token'),
		body: { ownershipToken: 'token' },
	},
	{
		name: 'files.claimOwnership',
		route: 'PATCH /api/v2/Files/FIL1/ClaimOwnership',
		answer: result({ newOwnershipToken: 'new' }),
		call: (b) => b.files.claimOwnership('FIL1', 'token'),
		body: { ownershipToken: 'token' },
	},
	{
		name: 'files.regenerateOwnershipToken',
		route: 'PATCH /api/v2/Files/FIL1/RegenerateOwnershipToken',
		answer: result({ newOwnershipToken: 'new' }),
		call: (b) => b.files.regenerateOwnershipToken('FIL1'),
	},
	{
		name: 'tokens.create',
		route: 'POST /api/v2/Tokens',
		answer: result({ id: 'TOK1', createdAt }, 201),
		call: (b) => b.tokens.create({ content: 'AAAA', expiresAt: createdAt }),
		body: { content: 'AAAA', expiresAt: createdAt },
	},
	{
		name: 'tokens.create without anybody',
		route: 'POST /api/v2/Tokens',
		answer: result({ id: 'TOK1', createdAt }, 201),
		call: (b) =>
			b.tokens.create({ expiresAt: createdAt, password: passwordBase64 }, { anonymous: true }),
		body: { expiresAt: createdAt, password: passwordBase64 },
		isAnonymous: true,
	},
	{
		name: 'tokens.list',
		route: 'GET /api/v2/Tokens',
		answer: result([token]),
		call: (b) => b.tokens.list(['TOK1', 'TOK2']),
		query: 'ids=TOK1&ids=TOK2',
	},
	{
		name: 'tokens.updateContent',
		route: 'POST /api/v2/Tokens/TOK1/UpdateContent',
		answer: result(updatedToken),
		call: (b) => b.tokens.updateContent('TOK1', { newContent: 'AAAA', password: passwordBase64 }),
		body: { newContent: 'AAAA', password: passwordBase64 },
	},
	{
		name: 'tokens.get without anybody',
		route: 'GET /api/v2/Tokens/TOK1',
		answer: result(token),
		call: (b) => b.tokens.get('TOK1', { anonymous: true }),
		isAnonymous: true,
	},
	{
		name: 'tokens.delete',
		route: 'DELETE /api/v2/Tokens/TOK1',
		answer: empty(204),
		call: (b) => b.tokens.delete('TOK1'),
	},
	{
		name: 'tags.get',
		route: 'GET /api/v2/Tags',
		answer: result({ supportedLanguages: ['en'], tagsForAttributeValueTypes: {} }),
		call: (b) => b.tags.get(),
	},
	{
		name: 'announcements.list',
		route: 'GET /api/v2/Announcements',
		answer: result([]),
		call: (b) => b.announcements.list('de'),
		query: 'language=de',
	},
	{
		name: 'notifications.send',
		route: 'POST /api/v2/Notifications',
		answer: empty(204),
		call: (b) => b.notifications.send({ recipients: [address], code: 'NewMail' }),
		body: { recipients: [address], code: 'NewMail' },
	},
];

describe('a call on the wire', () => {
	it.each(rows)(
		'$name',
		async ({ route, answer, call, query, body, isAnonymous, needsDatawalletVersion }) => {
			server = await FixtureServer.open({ [route]: answer });
			await call(server.connect());
			const seen = server.seen.at(-1);
			expect(`${seen?.method} ${seen?.path}`).toBe(route);
			expect(seen?.url.split('?')[1]).toBe(query);
			expect(seen?.body === '' ? undefined : JSON.parse(seen?.body ?? '')).toEqual(body);
			expect(seen?.headers.authorization).toBe(isAnonymous ? undefined : 'Bearer token-1');
			if (body !== undefined) expect(seen?.headers['content-type']).toBe('application/json');
			if (needsDatawalletVersion) expect(seen?.headers['x-supported-datawallet-version']).toBe('1');
		},
	);

	it('carries the correlation id as one short line', async () => {
		server = await FixtureServer.open({ 'GET /api/v2/Identities/Self': result({ address }) });
		await server.connect().identities.self({ correlationId: ` a\r\nx-evil: é${'b'.repeat(200)}` });
		const sent = server.seen.at(-1)?.headers['x-correlation-id'] as string;
		expect(sent).toHaveLength(100);
		expect(sent).toMatch(/^a x-evil: {2}b+$/);
	});

	it.each([
		['another prefix', 'MSG1'],
		['a way out', 'REL/../../connect/token'],
		['a query', 'REL1?x=1'],
		['nothing', ''],
		['too much', `REL${'a'.repeat(18)}`],
	])('is not made for an id with %s', async (_name, wrong) => {
		server = await FixtureServer.open();
		const error = await failureOf(server.connect().relationships.get(wrong));
		expect(error.code).toBe('error.runtime.validation.invalidPropertyValue');
		expect(server.seen).toHaveLength(0);
	});

	it('is not made with a body above 20 MiB', async () => {
		server = await FixtureServer.open();
		const body = { content: 'A'.repeat(21 * 1024 * 1024), expiresAt: createdAt };
		const error = await failureOf(server.connect().tokens.create(body));
		expect(error.code).toBe('error.transport.request.bodyLengthExceeded');
	});
});

describe('an answer with a meaning of its own', () => {
	it.each<[string, Responder]>([
		['400 unauthorized', problem(400, 'error.platform.unauthorized')],
		['401', empty(401)],
	])('creating an identity: %s means a wrong client', async (_name, answer) => {
		server = await FixtureServer.open({ 'POST /api/v2/Identities': answer });
		const error = await failureOf(
			server.connect().identities.create({
				identityPublicKey: 'AAAA',
				devicePassword: 'p',
				identityVersion: 1,
				signedChallenge: { challenge: '{}', signature: 'AAAA' },
			}),
		);
		expect(error).toMatchObject({
			code: 'error.transport.general.platformClientInvalid',
			kind: 'forbidden',
		});
		expect(error.message).toContain('client ID or client secret');
	});

	it.each<[string, Responder, string]>([
		[
			'that does not know the identity means a deleted owner',
			problem(404, 'error.platform.recordNotFound', 'Identity not found. Make sure the ID exists.'),
			'error.transport.relationships.deletedOwnerOfRelationshipTemplate',
		],
		[
			'that does not know something else stays what it is',
			problem(404, 'error.platform.recordNotFound', 'Something not found.'),
			'error.runtime.recordNotFound',
		],
	])('CanCreate %s', async (_name, answer, code) => {
		server = await FixtureServer.open({ 'GET /api/v2/Relationships/CanCreate': answer });
		const error = await failureOf(server.connect().relationships.canCreate(address));
		expect(error.code).toBe(code);
	});

	it('CanCreate tells the reason', async () => {
		const code = 'error.platform.validation.relationship.peerIsToBeDeleted';
		server = await FixtureServer.open({
			'GET /api/v2/Relationships/CanCreate': result({ canCreate: false, code }),
		});
		await expect(server.connect().relationships.canCreate(address)).resolves.toEqual({
			canCreate: false,
			code,
		});
	});

	it('a datawallet that does not exist is no error', async () => {
		server = await FixtureServer.open({
			'GET /api/v2/Datawallet': problem(404, 'error.platform.recordNotFound'),
		});
		await expect(server.connect().datawallet.get()).resolves.toBeUndefined();
	});

	it('starting a sync run without new events gives none', async () => {
		const answer = { status: 'NoNewEvents', syncRun: null };
		server = await FixtureServer.open({ 'POST /api/v2/SyncRuns': result(answer) });
		await expect(server.connect().syncRuns.start('ExternalEventSync')).resolves.toBeUndefined();
	});

	it.each([
		['a run that is not there', { status: 'Created', syncRun: null }],
		['nothing but a null run', { syncRun: null }],
		['another status', { status: 'Busy' }],
		['an object of something else', { ok: true }],
	])('starting a sync run with %s is no "nothing new"', async (_name, answer) => {
		server = await FixtureServer.open({ 'POST /api/v2/SyncRuns': result(answer) });
		await expect(server.connect().syncRuns.start('ExternalEventSync')).rejects.toMatchObject({
			code: 'error.gateway.backbone.unexpectedAnswer',
			kind: 'unavailable',
		});
	});

	it('finalising without a word about new events means that there may be some', async () => {
		server = await FixtureServer.open({
			'PUT /api/v2/SyncRuns/SYR1/FinalizeExternalEventSync': result({}),
		});
		await expect(server.connect().syncRuns.finalizeExternalEventSync('SYR1', [])).resolves.toEqual({
			newUnsyncedExternalEventsExist: true,
		});
	});

	it('finalising is repeated after a lost answer and tells that it went through', async () => {
		server = await FixtureServer.open({
			'PUT /api/v2/SyncRuns/SYR1/FinalizeExternalEventSync': inTurn(
				(_request, response) => response.socket?.destroy(),
				problem(400, 'error.platform.validation.syncRun.syncRunAlreadyFinalized'),
			),
		});
		const error = await failureOf(server.connect().syncRuns.finalizeExternalEventSync('SYR1', []));
		expect(error.code).toBe('error.platform.validation.syncRun.syncRunAlreadyFinalized');
		expect(error.facts).toMatchObject({ attempts: 2 });
	});

	it('an external event with an odd payload does not break its page', async () => {
		const event = { id: 'SYI1', type: 'Future', index: 0, createdAt, syncErrorCount: 0 };
		let deep: unknown = 1;
		for (let i = 0; i < 500; i++) deep = { deep };
		server = await FixtureServer.open({
			'GET /api/v2/SyncRuns/SYR1/ExternalEvents': result([
				{ ...event, payload: { id: 'MSG1' } },
				{ ...event, payload: null },
				{ ...event, payload: deep },
				{ ...event, payload: { x: 'x'.repeat(20_000) } },
			]),
		});
		const events = await eventsOf(server.connect());
		expect(events.map((one) => one.payload)).toEqual([{ id: 'MSG1' }, {}, {}, {}]);
	});

	it('an external event of an odd type or at an odd place does not break its page', async () => {
		const event = { id: 'SYI1', type: 'Future', index: 0, createdAt, payload: {} };
		server = await FixtureServer.open({
			'GET /api/v2/SyncRuns/SYR1/ExternalEvents': result([
				{ ...event, index: -1, syncErrorCount: -1 },
				{ ...event, index: 1e300, syncErrorCount: 'many' },
				{ ...event, index: null, type: 'x'.repeat(10_000) },
				{ ...event, index: 7, type: '__proto__', syncErrorCount: 3 },
			]),
		});
		const events = await eventsOf(server.connect());
		const last = 2 ** 31 - 1;
		expect(events.map(({ index, type }) => [index, type])).toEqual([
			[last, 'Future'],
			[last, 'Future'],
			[last, undefined],
			[7, '__proto__'],
		]);
	});

	it.each([
		['in its result', `{"result":${'['.repeat(400_000)}1${']'.repeat(400_000)}}`],
		['without an end', '{"result":' + '['.repeat(800_000)],
		[
			'beside a prototype',
			`{"__proto__":1,"result":${'['.repeat(400_000)}1${']'.repeat(400_000)}}`,
		],
		[
			'in an error',
			`{"error":{"code":"x","data":${'{"a":'.repeat(200_000)}1${'}'.repeat(200_000)}}}`,
		],
	])('an answer that is nested too deeply %s is refused', async (_where, body) => {
		server = await FixtureServer.open({ 'GET /api/v2/Messages/MSG1': raw(200, body) });
		const error = await failureOf(server.connect().messages.get('MSG1'));
		expect(error.code).toMatch(/^(error\.(transport\.request\.resultUndefined|gateway\.\S+)|x)$/);
	});

	it.each([
		['2030-01-01T00:00:00.1234567Z', '2030-01-01T00:00:00.123Z'],
		['2030-01-01T02:00:00+02:00', '2030-01-01T00:00:00.000Z'],
		['0001-01-01T00:00:00Z', '0001-01-01T00:00:00.000Z'],
		['9999-12-31T23:59:59.999Z', '9999-12-31T23:59:59.999Z'],
		['2030-01-01T00:00:00Z (or so)', undefined],
		['2030-02-31T00:00:00Z', undefined],
		['2030-01-01', undefined],
		['+275760-09-13T00:00:00.001Z', undefined],
		[1_893_456_000_000, undefined],
	])('a date %p is read as %p', async (sent, read) => {
		server = await FixtureServer.open({
			'GET /api/v2/Messages/MSG1': result({ ...messageBody('MSG1'), createdAt: sent }),
		});
		const work = server.connect().messages.get('MSG1');
		if (read !== undefined) expect((await work).createdAt).toBe(read);
		else expect((await failureOf(work)).code).toBe('error.gateway.backbone.unexpectedAnswer');
	});

	it.each<[string, unknown, (backbone: HttpBackbone) => Promise<unknown>]>([
		['GET /api/v2/Messages/MSG9', messageBody(), (backbone) => backbone.messages.get('MSG9')],
		[
			'GET /api/v2/Relationships/REL9',
			relationshipBody,
			(backbone) => backbone.relationships.get('REL9'),
		],
		[
			'PUT /api/v2/Relationships/REL9/Terminate',
			relationshipBody,
			(backbone) => backbone.relationships.terminate('REL9'),
		],
		[
			'GET /api/v2/RelationshipTemplates/RLT9',
			{ id: 'RLT1', createdBy: address, createdByDevice: 'DVC1', content: 'AAAA', createdAt },
			(backbone) => backbone.templates.get('RLT9'),
		],
		[
			'GET /api/v2/Identities/Self/DeletionProcesses/IDP9',
			{ id: 'IDP1', status: 'Cancelled', createdAt, createdByDevice: 'DVC1' },
			(backbone) => backbone.deletionProcesses.get('IDP9'),
		],
		[
			'PUT /api/v2/Identities/Self/DeletionProcesses/IDP9/Cancel',
			{ id: 'IDP1', status: 'Cancelled', createdAt, createdByDevice: 'DVC1' },
			(backbone) => backbone.deletionProcesses.cancel('IDP9'),
		],
	])('another object than the one asked for is not taken: %s', async (route, body, call) => {
		server = await FixtureServer.open({ [route]: result(body) });
		const error = await failureOf(call(server.connect()));
		expect(error).toMatchObject({
			code: 'error.gateway.backbone.unexpectedAnswer',
			facts: { askedFor: expect.stringMatching(/9$/) as string },
		});
	});

	it('the content of a file is its bytes', async () => {
		const bytes = Buffer.from([0, 255, 1, 254]);
		server = await FixtureServer.open({
			'GET /api/v2/Files/FIL1': (_request, response) => {
				response.writeHead(200, { 'content-type': 'application/octet-stream' });
				response.end(bytes);
			},
		});
		const content = await server.connect().files.content('FIL1');
		expect(Buffer.from(content)).toEqual(bytes);
	});

	it('a file is uploaded as a form with its parts in the known order', async () => {
		const {
			ownerSignature: _signature,
			cipherHash: _hash,
			encryptedProperties: _properties,
			...uploaded
		} = file;
		server = await FixtureServer.open({ 'POST /api/v2/Files': result(uploaded, 201) });
		await server.connect().files.upload(new Uint8Array([65, 66]), {
			cipherHash: 'aGFzaA',
			ownerSignature: 'c2ln',
			expiresAt: createdAt,
			encryptedProperties: 'cHJvcA',
			owner: address,
		});
		const seen = server.seen.at(-1);
		expect(seen?.headers['content-type']).toMatch(/^multipart\/form-data; boundary=/);
		const names = [...(seen?.body ?? '').matchAll(/ name="(\w+)"/g)].map((match) => match[1]);
		expect(names).toEqual([
			'content',
			'cipherHash',
			'owner',
			'ownerSignature',
			'expiresAt',
			'encryptedProperties',
		]);
		expect(seen?.body).toContain('filename="cipher.bin"');
		expect(seen?.body).toContain('\r\n\r\nAB\r\n');
	});
});

/** Names of the events of a run, and why others are missing. */
async function readEvents(
	server: FixtureServer,
): Promise<{ readonly events: string[]; readonly problems: string[] }> {
	const problems: string[] = [];
	const events = await eventsOf(server.connect(), 'SYR1', {
		onUnreadable: ({ problem }) => problems.push(problem.message),
	});
	return { events: events.map(({ id }) => id), problems };
}

describe('a list of pages', () => {
	const path = 'GET /api/v2/SyncRuns/SYR1/ExternalEvents';
	const messages = 'GET /api/v2/Messages';
	const event = (index: number) => ({
		id: `SYI${index}`,
		type: 'MessageReceived',
		index,
		createdAt,
		syncErrorCount: 0,
		payload: { id: 'MSG1' },
	});
	const paged =
		(pages: readonly unknown[][], totalPages = pages.length): Responder =>
		(request, response) => {
			const pageNumber = Number(request.query.get('pageNumber') ?? 1);
			json(200, {
				result: pages[pageNumber - 1] ?? [],
				pagination: { pageNumber, pageSize: 1, totalPages, totalRecords: totalPages },
			})(request, response);
		};

	it('is read to its end, in order', async () => {
		server = await FixtureServer.open({ [path]: paged([[event(0)], [event(1)], [event(2)]]) });
		const events = await eventsOf(server.connect());
		expect(events.map((one) => one.index)).toEqual([0, 1, 2]);
		expect(
			server.seen
				.filter((seen) => seen.path.endsWith('Events'))
				.map((seen) => seen.query.get('pageNumber')),
		).toEqual([null, '2', '3']);
	});

	it('with 10,000 items on a page is read', async () => {
		server = await FixtureServer.open({
			[path]: result(Array.from({ length: 10_000 }, (_, i) => event(i))),
		});
		await expect(eventsOf(server.connect())).resolves.toHaveLength(10_000);
	});

	it('with 10,001 items on a page is refused', async () => {
		server = await FixtureServer.open({
			[path]: result(Array.from({ length: 10_001 }, (_, i) => event(i))),
		});
		const error = await failureOf(eventsOf(server.connect()));
		expect(error).toMatchObject({
			code: 'error.gateway.backbone.pageTooLarge',
			facts: { itemCount: 10_001 },
		});
	});

	it('with too many pages is refused before they are asked for', async () => {
		server = await FixtureServer.open({ [messages]: paged([[messageBody('MSG1')]], 1_001) });
		const error = await failureOf(server.connect().messages.list(['MSG1']));
		expect(error.code).toBe('error.gateway.backbone.tooManyPages');
		expect(server.calls('/api/v2/Messages')).toHaveLength(1);
	});

	it('that grows without end is refused', async () => {
		const page = Array.from({ length: 9_999 }, () => messageBody('MSG1'));
		const pages = Array.from({ length: 20 }, () => page);
		server = await FixtureServer.open({ [messages]: paged(pages) });
		const error = await failureOf(server.connect().messages.list(['MSG1']));
		expect(error.code).toBe('error.gateway.backbone.tooManyPages');
	});

	it('of the events of a run may have more pages, and is cut off where it does not end', async () => {
		const events = [0, 1, 2].map((index) => [event(index)]);
		server = await FixtureServer.open({ [path]: paged(events, 1_500) });
		const short = await readEvents(server);
		expect(short.events.slice(0, 3)).toEqual(['SYI0', 'SYI1', 'SYI2']);
		expect(short.problems).toEqual([]);
		await server.close();
		server = await FixtureServer.open({ [path]: paged([[event(0)]], 8_001) });
		const { events: read, problems } = await readEvents(server);
		expect(read).toEqual(['SYI0']);
		expect(problems).toEqual([expect.stringContaining('has 8001 pages')]);
	});

	it.each<[string, unknown]>([
		['a member that is no number', { totalPages: 'many' }],
		['a text', 'page 1 of 3'],
		['a list', [3]],
	])('whose pagination is %s keeps what was read, and says so', async (_name, pagination) => {
		server = await FixtureServer.open({
			[path]: json(200, { result: [event(0)], pagination }),
		});
		const { events, problems } = await readEvents(server);
		expect(events).toEqual(['SYI0']);
		expect(problems).toEqual([
			'Page 1 of the list at /SyncRuns/SYR1/ExternalEvents does not say how long the list is.',
		]);
	});

	it('whose pagination has numbers as text is read', async () => {
		server = await FixtureServer.open({
			[path]: json(200, { result: [event(0)], pagination: { pageNumber: '1', totalPages: '1' } }),
		});
		const { events, problems } = await readEvents(server);
		expect([events, problems]).toEqual([['SYI0'], []]);
	});

	it('of messages without a readable total is refused: callers walk by it', async () => {
		server = await FixtureServer.open({
			'GET /api/v2/Messages': json(200, { result: [], pagination: { totalRecords: 'many' } }),
		});
		const error = await failureOf(server.connect().messages.page({ pageNumber: 1, pageSize: 1 }));
		expect(error.code).toBe('error.gateway.backbone.unexpectedAnswer');
	});

	it('loses only the items that cannot be read', async () => {
		server = await FixtureServer.open({
			[path]: result([
				event(0),
				{ ...event(1), id: 7 },
				null,
				'SYI2',
				{ ...event(3), payload: [] },
			]),
		});
		const { events, problems } = await readEvents(server);
		expect(events).toEqual(['SYI0', 'SYI3']);
		expect(problems).toHaveLength(3);
		expect(problems[0]).toContain('result.1.id');
	});

	it('tells whose the items are that cannot be read, as far as that can be said', async () => {
		server = await FixtureServer.open({
			'GET /api/v2/Messages': result([
				{ ...messageBody(), body: 7 },
				{ ...messageBody('MSG2'), createdBy: 'the peer', body: null },
			]),
		});
		const unreadable: UnreadableItem[] = [];
		await server
			.connect()
			.messages.page(
				{ pageNumber: 1, pageSize: 5 },
				{ onUnreadable: (item) => unreadable.push(item) },
			);
		expect(unreadable.map(({ id, createdBy }) => [id, createdBy])).toEqual([
			[messageBody().id, messageBody().createdBy],
			['MSG2', undefined],
		]);
	});

	it('that goes round in circles ends with what was read, and says so', async () => {
		const first = { pageNumber: 1, pageSize: 1, totalPages: 900, totalRecords: 900 };
		server = await FixtureServer.open({
			[path]: json(200, { result: [event(0)], pagination: first }),
		});
		const { events, problems } = await readEvents(server);
		expect(events).toEqual(['SYI0']);
		expect(problems).toEqual([
			'Page 2 of the list at /SyncRuns/SYR1/ExternalEvents was requested, and page 1 answered.',
		]);
		expect(server.calls('/api/v2/SyncRuns/SYR1/ExternalEvents')).toHaveLength(2);
	});

	it('that would fill the memory is refused', async () => {
		const fat = { ...messageBody('MSG1'), ignored: 'x'.repeat(15 * 1024 * 1024) };
		const pages = Array.from({ length: 900 }, () => [fat]);
		server = await FixtureServer.open({ [messages]: paged(pages) });
		const { messages: all } = server.connect({ timeoutMs: 60_000 });
		const error = await failureOf(all.list(['MSG1']));
		expect(error.code).toBe('error.gateway.backbone.tooManyPages');
		expect(server.calls('/api/v2/Messages').length).toBeLessThan(20);
	}, 60_000);

	it('by ids holds what was asked for, and each once', async () => {
		const shown = ['MSG1', 'MSG2', 'MSG3', 'MSG1'].map(messageBody);
		server = await FixtureServer.open({ 'GET /api/v2/Messages': result(shown) });
		const messages = await server.connect().messages.list(['MSG1', 'MSG3', 'MSG4']);
		expect(messages.map(({ id }) => id)).toEqual(['MSG1', 'MSG3']);
	});

	it('by ids is asked for in request lines below 8 KB', async () => {
		const ids = Array.from({ length: 1_000 }, (_, i) => `MSG${String(i).padStart(17, '0')}`);
		server = await FixtureServer.open({
			'GET /api/v2/Messages': (request, response) => {
				result(request.query.getAll('ids').map(messageBody))(request, response);
			},
		});
		const messages = await server.connect().messages.list(ids);
		expect(messages.map((message) => message.id)).toEqual(ids);
		for (const seen of server.calls('/api/v2/Messages'))
			expect(seen.url.length).toBeLessThan(8_000);
	});

	it('of protected objects starts its indexes anew in every request', async () => {
		const ids = Array.from({ length: 200 }, (_, i) => ({
			id: `RLT${i}`,
			password: passwordBase64url,
		}));
		server = await FixtureServer.open({ 'GET /api/v2/RelationshipTemplates': result([]) });
		await server.connect().templates.list(ids);
		const calls = server.calls('/api/v2/RelationshipTemplates');
		expect(calls.length).toBeGreaterThan(1);
		for (const seen of calls) expect(seen.query.has('templates.0.id')).toBe(true);
		const asked = calls.reduce((sum, seen) => sum + seen.query.size, 0);
		expect(asked).toBe(400);
	});

	it('of nothing is not asked for', async () => {
		server = await FixtureServer.open();
		await expect(server.connect().relationships.list([])).resolves.toEqual([]);
		expect(server.seen).toHaveLength(0);
	});

	it('tells the totals of one page, so that a caller can walk backwards', async () => {
		server = await FixtureServer.open({
			'GET /api/v2/Messages': json(200, {
				result: [messageBody()],
				pagination: { pageNumber: 7, pageSize: 1, totalPages: 7, totalRecords: 7 },
			}),
		});
		const page = await server.connect().messages.page({ pageNumber: 7, pageSize: 1 });
		expect(page).toMatchObject({ pageNumber: 7, totalPages: 7, totalRecords: 7 });
		expect(page.items).toHaveLength(1);
	});

	it('without pagination is one page', async () => {
		server = await FixtureServer.open({
			'GET /api/v2/Messages': result([messageBody(), messageBody('MSG2')]),
		});
		const page = await server.connect().messages.page({ pageNumber: 1, pageSize: 50 });
		expect(page).toMatchObject({ pageNumber: 1, totalPages: 1, totalRecords: 2 });
	});
});
