import { empty, failureOf, FixtureServer, json, raw, type Responder } from './fixture-server';

const path = 'GET /api/v2/Tags';
const tag = (children: object = {}) => ({ displayNames: { en: 'one', de: 'eins' }, children });
const collection = (tags: object) => ({
	supportedLanguages: ['en', 'de'],
	tagsForAttributeValueTypes: { EMailAddress: tags },
});
const answering = (tags: object, headers: Record<string, string> = {}): Responder =>
	json(200, { result: collection(tags) }, headers);

describe('the tag collection', () => {
	let server: FixtureServer;

	afterEach(() => server.close());

	it('comes with its tree and entity tag', async () => {
		const tags = { private: tag({ home: tag() }) };
		server = await FixtureServer.open({ [path]: answering(tags, { etag: '"abc+/="' }) });
		await expect(server.connect().tags.get()).resolves.toEqual({
			collection: collection(tags),
			etag: '"abc+/="',
		});
	});

	it('is not sent again while it is the known one', async () => {
		server = await FixtureServer.open({ [path]: empty(304) });
		await expect(server.connect().tags.get({ etag: '"abc"' })).resolves.toBe('unchanged');
		expect(server.seen.at(-1)?.headers['if-none-match']).toBe('"abc"');
	});

	it('is refused when it is unchanged without having been asked for', async () => {
		server = await FixtureServer.open({ [path]: empty(304) });
		const error = await failureOf(server.connect().tags.get());
		expect(error.code).toBe('error.gateway.backbone.redirected');
	});

	it.each([
		['is not quoted', 'abc'],
		['is endless', `"${'a'.repeat(300)}"`],
		['holds a quote', '"a"b"'],
	])('has no entity tag when what was given %s', async (_name, etag) => {
		server = await FixtureServer.open({ [path]: answering({}, { etag }) });
		await expect(server.connect().tags.get()).resolves.toMatchObject({ etag: undefined });
	});

	it('is asked for in full with an entity tag that is none', async () => {
		server = await FixtureServer.open({ [path]: answering({}) });
		await server.connect().tags.get({ etag: 'x\r\nevil: 1' });
		expect(server.seen.at(-1)?.headers['if-none-match']).toBeUndefined();
	});

	it('may lack children and names', async () => {
		const bare = { displayNames: {}, children: {} };
		server = await FixtureServer.open({ [path]: answering({ a: {}, b: { children: null } }) });
		await expect(server.connect().tags.get()).resolves.toMatchObject({
			collection: { tagsForAttributeValueTypes: { EMailAddress: { a: bare, b: bare } } },
		});
	});

	it.each<[string, unknown, object]>([
		['a list in place of tags', collection([tag()]), {}],
		['a tag that is a text', collection({ a: 'one', b: tag() }), { EMailAddress: { b: tag() } }],
		[
			'a name that is not a text',
			collection({ a: { displayNames: { en: 1, de: 'eins' }, children: {} } }),
			{ EMailAddress: { a: { displayNames: { de: 'eins' }, children: {} } } },
		],
		['no languages', { tagsForAttributeValueTypes: { Street: {} } }, { Street: {} }],
	])('is read without what cannot be read: %s', async (_name, tags, readable) => {
		server = await FixtureServer.open({ [path]: json(200, { result: tags }) });
		await expect(server.connect().tags.get()).resolves.toMatchObject({
			collection: { tagsForAttributeValueTypes: readable },
		});
	});

	it.each<[string, unknown]>([
		['with endless names', collection({ ['a'.repeat(2_000)]: tag() })],
		['with more values than a client reads', collection(wide(70_000))],
		['without tags', { supportedLanguages: ['en'] }],
	])('is refused when it is %s', async (_name, tags) => {
		server = await FixtureServer.open({ [path]: json(200, { result: tags }) });
		const error = await failureOf(server.connect().tags.get());
		expect(error.code).toBe('error.gateway.backbone.unexpectedAnswer');
	});

	it('is refused when it is nested deeper than a stack reaches', async () => {
		const levels = 20_000;
		const inner = '{"children":{"a":'.repeat(levels) + '{}' + '}}'.repeat(levels);
		const text = JSON.stringify({ result: collection({ a: 'here' }) }).replace('"here"', inner);
		server = await FixtureServer.open({ [path]: raw(200, text) });
		const error = await failureOf(server.connect().tags.get());
		expect(error.code).toBe('error.gateway.backbone.unexpectedAnswer');
	});
});

function wide(count: number): Record<string, object> {
	return Object.fromEntries(Array.from({ length: count }, (_none, index) => [`t${index}`, tag()]));
}
