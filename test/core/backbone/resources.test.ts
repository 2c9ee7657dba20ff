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
let server: FixtureServer;

afterEach(() => server.close());

describe('a call on the wire', () => {
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

	it('a datawallet that does not exist is not an error', async () => {
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
		['a member that is not a number', { totalPages: 'many' }],
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
