import { request } from 'node:http';
import { networkInterfaces } from 'node:os';
import { deletedIdentityPseudonyms } from '../../core/model/address';
import { SandboxBackbone } from '../../sandbox/sandbox-backbone';
import { eventStream } from './support/event-stream';
import { bytes, SandboxBench, unknownId, type RawAnswer } from './support/raw-client';

/* What an operator can do (docs/protocol/backbone-api.md 9.2, 18, 20, 23). */
const dayMs = 24 * 3_600_000;
let bench: SandboxBench;

beforeEach(async () => {
	bench = await SandboxBench.open();
});

afterEach(() => bench.close());

const admin = (method: string, path: string, body: unknown = {}): Promise<RawAnswer> =>
	bench.call(method, `/admin/${path}`, method === 'GET' ? undefined : body);

const texts = { en: { title: 'Hello', body: 'World' }, de: { title: 'Hallo', body: 'Welt' } };

const listOf = ({ result }: RawAnswer) => result as unknown as Array<Record<string, unknown>>;

describe('the administration', () => {
	it('says what it can do', async () => {
		const calls = listOf(await admin('GET', ''));
		expect(calls[0]).toMatchObject({ call: 'GET /admin' });
		expect(calls).toContainEqual({
			call: 'POST /admin/clock',
			what: 'let time pass, in milliseconds',
			body: expect.objectContaining({
				properties: { advanceMs: expect.objectContaining({ type: 'integer' }) as object },
				required: ['advanceMs'],
				additionalProperties: false,
			}) as object,
		});
		expect(await admin('GET', 'nothing')).toMatchObject({
			status: 404,
			code: 'error.platform.recordNotFound',
		});
		expect((await admin('PUT', 'identities')).status).toBe(404);
	});

	it.each(['announcements', 'clock'])('cannot read what is not JSON: %s', async (path) => {
		expect(await admin('POST', path, 'not JSON')).toMatchObject({
			status: 400,
			code: 'error.platform.inputCannotBeParsed',
		});
	});

	it.each([
		['tags', {}],
		['references', { references: [{ title: 'Shop' }] }],
		['quotas', {}],
		['quotas', { quotas: [{ metricKey: 'NumberOfDreams', period: 'Day', max: 1 }] }],
		['quotas', { quotas: [{ metricKey: 'NumberOfFiles', period: 'Day', max: -1 }] }],
		['quotas', { quotas: [{ metricKey: 'NumberOfFiles', period: 'Day', max: 1, to: 'me' }] }],
	])('refuses to put %s as %j', async (path, body) => {
		expect(await admin('PUT', path, body)).toMatchObject({
			status: 400,
			code: 'error.platform.validation.invalidPropertyValue',
		});
	});

	const ownAddress = Object.values(networkInterfaces())
		.flat()
		.find((one) => one?.family === 'IPv4' && !one.internal)?.address;
	const itOnNetwork = ownAddress === undefined ? it.skip : it;

	itOnNetwork('answers no other machine, also if it calls itself this one', async () => {
		const backbone = await SandboxBackbone.open({ listen: '0.0.0.0' });
		const { port } = new URL(backbone.baseUrl);
		const statusAt = (host: string): Promise<number | undefined> =>
			new Promise((resolve, reject) => {
				const headers = { host: `localhost:${port}` };
				const call = request({ host, port, path: '/admin', headers }, (answer) => {
					answer.resume();
					resolve(answer.statusCode);
				});
				call.on('error', reject).end();
			});
		try {
			expect(await statusAt('127.0.0.1')).toBe(200);
			expect(await statusAt(ownAddress ?? '')).toBe(403);
		} finally {
			await backbone.close();
		}
	});

	it('sets no quota for an unknown identity', async () => {
		const address = deletedIdentityPseudonyms('localhost').backbone;
		const quota = { metricKey: 'NumberOfFiles', period: 'Day', max: 1, address };
		expect((await admin('PUT', 'quotas', { quotas: [quota] })).status).toBe(404);
		expect(listOf(await admin('GET', 'quotas'))).toEqual([]);
	});

	it('makes everybody log in again', async () => {
		const account = await bench.account();
		expect((await admin('DELETE', 'access-tokens')).status).toBe(204);
		expect((await account.call('GET', 'Identities/Self')).status).toBe(401);
		await account.logIn();
		expect((await account.call('GET', 'Identities/Self')).status).toBe(200);
	});

	it('shows public templates to logged-in identities', async () => {
		const path = '/api/poc/PublicRelationshipTemplateReferences';
		const account = await bench.account();
		const headers = { authorization: account.authorization };
		expect((await bench.call('GET', path)).status).toBe(401);
		expect((await bench.call('GET', path, undefined, headers)).result).toEqual([]);
		const references = [{ title: 'Shop', description: 'Buy', truncatedReference: 'abc' }];
		expect((await admin('PUT', 'references', { references })).status).toBe(204);
		expect((await bench.call('GET', path, undefined, headers)).result).toEqual(references);
	});

	it('lists identities', async () => {
		const account = await bench.account();
		expect(listOf(await admin('GET', 'identities'))).toEqual([
			{
				address: account.address,
				createdAt: expect.any(String) as string,
				status: 'Active',
			},
		]);
	});

	it.each([
		['text that any web page may send', { 'content-type': 'text/plain' }],
		['another name for this machine', { host: 'evil.example' }],
	])('does nothing for %s', async (_, headers) => {
		const { port } = new URL(bench.sandbox.baseUrl);
		const status = await new Promise((resolve, reject) => {
			const call = request(
				{
					port,
					host: '127.0.0.1',
					path: '/admin/jobs',
					method: 'POST',
					headers: { 'content-type': 'application/json', ...headers },
				},
				(response) => {
					response.resume();
					resolve(response.statusCode);
				},
			);
			call.once('error', reject);
			call.end('{}');
		});
		expect(status).toBe(403);
	});

	it.each([
		['announcements', { texts: { de: texts.de } }],
		['announcements', { texts, severity: 'Huge' }],
		['announcements', { texts, recipients: ['stranger'] }],
		['announcements', { texts, expiresAt: 'later' }],
		['notifications', { code: '', texts }],
		['clock', { advanceMs: -1 }],
		['deletions', { address: 'stranger' }],
	])('refuses %s with the body %j', async (path, body) => {
		expect(await admin('POST', path, body)).toMatchObject({
			status: 400,
			code: 'error.platform.validation.invalidPropertyValue',
		});
	});

	it('lets time pass', async () => {
		const before = bench.sandbox.state.now();
		await admin('POST', 'clock', { advanceMs: dayMs });
		expect(bench.sandbox.state.now() - before).toBeGreaterThanOrEqual(dayMs);
	});

	it('deletes an identity as support does, or not after all', async () => {
		const account = await bench.account();
		const { address } = account;
		const started = await admin('POST', 'deletions', { address, lengthOfGracePeriodInDays: 1 });
		expect(started.status).toBe(201);
		expect((await account.call('GET', 'Identities/Self')).result).toMatchObject({
			status: 'ToBeDeleted',
		});
		const path = `deletions/${encodeURIComponent(address)}`;
		expect((await admin('DELETE', path)).status).toBe(204);
		expect((await admin('DELETE', path)).status).toBe(404);
		expect(await account.sync()).toMatchObject([
			{ type: 'IdentityDeletionProcessStarted' },
			{ type: 'IdentityDeletionProcessStatusChanged' },
		]);
		await admin('POST', 'deletions', { address, lengthOfGracePeriodInDays: 1 });
		await admin('POST', 'clock', { advanceMs: dayMs });
		await admin('POST', 'jobs');
		expect(listOf(await admin('GET', 'identities'))).toEqual([]);
		expect((await admin('POST', 'deletions', { address })).status).toBe(404);
	});
});

describe('an announcement', () => {
	it('is shown in the language of the reader, or else in English', async () => {
		const account = await bench.account();
		const actions = [{ displayName: { en: 'Read', de: 'Lesen' }, link: 'https://example.com' }];
		const { status, result } = await admin('POST', 'announcements', {
			...{ texts, actions, severity: 'High', iqlQuery: 'GivenName' },
			expiresAt: '2099-01-01T00:00:00.000Z',
		});
		expect(status).toBe(201);
		const shown = async (language: string) =>
			listOf(await account.call('GET', `Announcements?language=${language}`));
		expect(await shown('de')).toEqual([
			{
				id: expect.stringMatching(/^ANC\w{17}$/) as string,
				createdAt: expect.any(String),
				expiresAt: '2099-01-01T00:00:00Z',
				severity: 'High',
				title: 'Hallo',
				body: 'Welt',
				iqlQuery: 'GivenName',
				actions: [{ displayName: 'Lesen', link: 'https://example.com' }],
			},
		]);
		expect(await shown('fr')).toMatchObject([
			{ title: 'Hello', actions: [{ displayName: 'Read' }] },
		]);
		expect((await admin('DELETE', `announcements/${String(result['id'])}`)).status).toBe(204);
		expect((await admin('DELETE', `announcements/${String(result['id'])}`)).status).toBe(404);
		expect(await shown('de')).toEqual([]);
	});

	it('is for everybody or for those it names, who are told at once, until it is over', async () => {
		const [one, other] = [await bench.account(), await bench.account()];
		const [oneStream, otherStream] = [await eventStream(one), await eventStream(other)];
		await admin('POST', 'announcements', { texts, recipients: [one.address] });
		const expiresAt = new Date(bench.sandbox.state.now() + 1_000).toISOString();
		await admin('POST', 'announcements', { texts, expiresAt });
		await oneStream.reaches('NewAnnouncement');
		await otherStream.reaches('NewAnnouncement');
		const count = async (account: typeof one) =>
			listOf(await account.call('GET', 'Announcements?language=en')).length;
		expect([await count(one), await count(other)]).toEqual([2, 1]);
		bench.sandbox.advanceClock(2_000);
		expect([await count(one), await count(other)]).toEqual([1, 0]);
		expect(oneStream.events).toEqual(['ConnectionOpened', 'NewAnnouncement', 'NewAnnouncement']);
		expect(otherStream.events).toEqual(['ConnectionOpened', 'NewAnnouncement']);
		await oneStream.close();
		await otherStream.close();
	});

	it('is requested in a language, with an access token', async () => {
		const account = await bench.account();
		for (const query of ['', '?language=', '?language=xx', '?language=english']) {
			expect((await account.call('GET', `Announcements${query}`)).code).toBe(
				'error.platform.validation.invalidAnnouncementLanguage',
			);
		}
		expect((await bench.call('GET', '/api/v2/Announcements?language=en')).status).toBe(401);
	});
});

describe('a notification', () => {
	it('has a configured code, goes to peers, and can be inspected', async () => {
		const { to, from } = await bench.pending();
		const stranger = await bench.account();
		const send = (recipients: unknown, code: string) =>
			from.call('POST', 'Notifications', { recipients, code });
		const refusal = 'error.platform.validation.notification.';
		expect((await send([to.address], 'hello')).code).toBe(`${refusal}codeDoesNotExist`);
		await admin('POST', 'notifications', { code: 'hello', texts });
		expect((await send([to.address, stranger.address], 'hello')).code).toBe(
			`${refusal}noRelationshipToOneOrMoreRecipientsExists`,
		);
		expect((await send([], 'hello')).code).toBe('error.platform.validation.invalidPropertyValue');
		expect((await send([to.address], 'hello')).status).toBe(204);
		expect(listOf(await admin('GET', 'notifications'))).toEqual([
			{
				createdAt: expect.any(String) as string,
				from: from.address,
				recipients: [to.address],
				code: 'hello',
			},
		]);
	});

	it('needs a relationship that is not over', async () => {
		const { to, from, id } = await bench.active();
		await from.call('PUT', `Relationships/${id}/Terminate`, {});
		await from.call('PUT', `Relationships/${id}/Decompose`, {});
		const sent = await to.call('POST', 'Notifications', {
			recipients: [from.address],
			code: 'test',
		});
		expect(sent.code).toBe(
			'error.platform.validation.notification.relationshipToRecipientIsNotInCorrectStatus',
		);
	});
});

describe('the tag collection', () => {
	it('has another entity tag when it was replaced', async () => {
		const tags = { supportedLanguages: ['en'], tagsForAttributeValueTypes: {} };
		const first = await bench.call('GET', '/api/v2/Tags');
		const known = { 'if-none-match': first.headers.get('etag') ?? '' };
		expect((await bench.call('GET', '/api/v2/Tags', undefined, known)).status).toBe(304);
		expect((await admin('PUT', 'tags', { supportedLanguages: 'en' })).status).toBe(400);
		expect((await admin('PUT', 'tags', tags)).status).toBe(204);
		const second = await bench.call('GET', '/api/v2/Tags', undefined, known);
		expect([second.status, second.result]).toEqual([200, tags]);
	});
});

describe('housekeeping', () => {
	const later = (days: number): void => {
		bench.sandbox.advanceClock(days * dayMs);
		bench.sandbox.runJobs();
	};

	it('removes what expired 30 days ago, and nothing before', async () => {
		const { to, relationshipTemplateId } = await bench.active();
		const { state } = bench.sandbox;
		const expiresAt = new Date(state.now() + dayMs).toISOString();
		await to.template({ expiresAt });
		await to.call('POST', 'Tokens', { content: bytes(9), expiresAt });
		await to.call('POST', 'Challenges', {});
		await admin('POST', 'announcements', { texts, expiresAt });
		const used = state.templates.get(relationshipTemplateId);
		if (used !== undefined) used.expiresAt = expiresAt;
		const endless = await to.template();
		const sizes = () => ({
			templates: [...state.templates.keys()],
			tokens: state.tokens.size,
			announcements: state.announcements.size,
			runs: state.runs.size > 0,
			challenges: state.challenges.size > 0,
		});
		const before = sizes();
		expect(before).toMatchObject({ tokens: 1, announcements: 1, runs: true, challenges: true });
		later(29);
		expect(sizes()).toEqual(before);
		later(3);
		expect(sizes()).toEqual({
			// One was used by a relationship, the other never expires.
			templates: [relationshipTemplateId, endless],
			tokens: 0,
			announcements: 0,
			runs: false,
			challenges: false,
		});
	});

	it('removes relationships that both sides have left', async () => {
		const { to, from, id, relationshipTemplateId } = await bench.active();
		const { state } = bench.sandbox;
		const used = state.templates.get(relationshipTemplateId);
		if (used !== undefined) used.expiresAt = new Date(state.now() + dayMs).toISOString();
		await from.call('PUT', `Relationships/${id}/Terminate`, {});
		await from.call('PUT', `Relationships/${id}/Decompose`, {});
		later(31);
		expect(state.relationships.has(id)).toBe(true);
		await to.logIn();
		await to.call('PUT', `Relationships/${id}/Decompose`, {});
		later(31);
		expect(state.relationships.has(id)).toBe(false);
		expect(state.newestBetween(to.address, from.address)).toBeUndefined();
		expect(state.templates.has(relationshipTemplateId)).toBe(false);
		await to.logIn();
		expect((await to.call('GET', `Relationships/${id}`)).status).toBe(404);
	});

	it('removes expired files', () => {
		const { state } = bench.sandbox;
		const expiresAt = new Date(state.now() + dayMs).toISOString();
		const id = unknownId('FIL');
		state.files.set(id, { id, expiresAt } as never);
		later(30);
		expect(state.files.has(id)).toBe(true);
		later(2);
		expect(state.files.has(id)).toBe(false);
	});
});
