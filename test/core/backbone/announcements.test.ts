import { address, createdAt, failureOf, FixtureServer, problem, result } from './fixture-server';

const announcement = {
	id: 'ANC1',
	createdAt,
	expiresAt: null,
	severity: 'High',
	title: 'Downtime',
	body: 'Tonight',
	iqlQuery: null,
	actions: [{ displayName: 'More', link: 'https://example.org' }],
};

describe('announcements', () => {
	const path = 'GET /api/v2/Announcements';
	let server: FixtureServer;

	afterEach(() => server.close());

	it('come as the operator wrote them', async () => {
		const { iqlQuery: _query, ...shown } = announcement;
		const { actions: _actions, ...plain } = shown;
		server = await FixtureServer.open({ [path]: result([announcement, plain]) });
		await expect(server.connect().announcements.list('en')).resolves.toEqual([
			shown,
			{ ...plain, actions: [] },
		]);
	});

	it('cannot smuggle anything into the query', async () => {
		server = await FixtureServer.open({ [path]: result([]) });
		await server.connect().announcements.list('en&x=1');
		expect(server.seen.at(-1)?.url.split('?')[1]).toBe('language=en%26x%3D1');
	});

	it('in a language that is none are refused by the Backbone', async () => {
		const code = 'error.platform.validation.invalidAnnouncementLanguage';
		server = await FixtureServer.open({ [path]: problem(400, code) });
		const error = await failureOf(server.connect().announcements.list('xx'));
		expect(error).toMatchObject({ code, kind: 'invalid' });
	});

	it('keep a severity that is not known', async () => {
		server = await FixtureServer.open({ [path]: result([{ ...announcement, severity: 'Fatal' }]) });
		const [found] = await server.connect().announcements.list('en');
		expect(found?.severity).toBe('Fatal');
	});

	it('are as long as the operator wants them', async () => {
		const body = 'ä'.repeat(100_001);
		server = await FixtureServer.open({ [path]: result([{ ...announcement, body }]) });
		await expect(server.connect().announcements.list('en')).resolves.toMatchObject([{ body }]);
	});

	it.each<[string, unknown]>([
		['a body that is not a text', { ...announcement, body: 7 }],
		['an action without a link', { ...announcement, actions: [{ displayName: 'x' }] }],
		['nothing in it', null],
	])('come without the one with %s', async (_name, odd) => {
		server = await FixtureServer.open({ [path]: result([odd, { ...announcement, id: 'ANC2' }]) });
		const found = await server.connect().announcements.list('en');
		expect(found.map(({ id }) => id)).toEqual(['ANC2']);
	});

	it('are refused without an end', async () => {
		const endless = Array.from({ length: 10_001 }, () => announcement);
		server = await FixtureServer.open({ [path]: result(endless) });
		const error = await failureOf(server.connect().announcements.list('en'));
		expect(error.code).toBe('error.gateway.backbone.pageTooLarge');
	});
});

describe('a notification through the Backbone', () => {
	const path = '/api/v2/Notifications';
	const body = { recipients: [address], code: 'NewMail' };
	let server: FixtureServer;

	afterEach(() => server.close());

	it('is sent once, whatever becomes of the answer', async () => {
		server = await FixtureServer.open({
			[`POST ${path}`]: (_request, response) => response.socket?.destroy(),
		});
		await failureOf(server.connect().notifications.send(body));
		expect(server.calls(path)).toHaveLength(1);
	});

	it.each([
		['noRelationshipToOneOrMoreRecipientsExists', 'conflict'],
		['relationshipToRecipientIsNotInCorrectStatus', 'conflict'],
		['codeDoesNotExist', 'invalid'],
	])('refused with %s keeps that code, kind %s', async (name, kind) => {
		const code = `error.platform.validation.notification.${name}`;
		server = await FixtureServer.open({ [`POST ${path}`]: problem(400, code) });
		const error = await failureOf(server.connect().notifications.send(body));
		expect(error).toMatchObject({ code, kind });
	});

	it('with an unknown code says all that there are, however many', async () => {
		const code = 'error.platform.validation.notification.codeDoesNotExist';
		const codes = Array.from({ length: 60 }, (_, index) => `Notification${index}`);
		const message = `Configured: ${codes.join(', ')}.`;
		server = await FixtureServer.open({ [`POST ${path}`]: problem(400, code, message) });
		const error = await failureOf(server.connect().notifications.send(body));
		expect(error.message).toContain(message);
		expect(error['remedy']).toMatch(/one of the codes/);
	});
});
