import {
	bytes,
	type RawAccount,
	type RawAnswer,
	RuleBench,
	sandboxOf,
	unknownId,
} from './support/raw-client';

/* docs/protocol/backbone-api.md 2 and 3 */
let bench: RuleBench;
let account: RawAccount;

beforeAll(async () => {
	bench = await RuleBench.open();
	account = await bench.account();
});

afterAll(() => bench.close());

const refusal = ({ status, code }: RawAnswer): string => `${status} ${code}`;
const invalidValue = '400 error.platform.validation.invalidPropertyValue';
const unreadable = '400 error.platform.inputCannotBeParsed';
const notFound = '404 error.platform.recordNotFound';

describe('an id', () => {
	const places: ReadonlyArray<readonly [string, string, string]> = [
		['GET', 'Challenges/{}', 'CHL'],
		['GET', 'RelationshipTemplates/{}', 'RLT'],
		['DELETE', 'RelationshipTemplates/{}', 'RLT'],
		['GET', 'Relationships/{}', 'REL'],
		['PUT', 'Relationships/{}/Accept', 'REL'],
		['GET', 'Messages/{}', 'MSG'],
		['GET', 'Files/{}', 'FIL'],
		['GET', 'Files/{}/metadata', 'FIL'],
		['GET', 'Tokens/{}', 'TOK'],
		['GET', 'SyncRuns/{}', 'SYR'],
		['GET', 'Identities/Self/DeletionProcesses/{}', 'IDP'],
		['DELETE', 'Devices/{}', 'DVC'],
	];

	it.each(places)(
		'has its prefix and 17 characters, or is invalid: %s %s',
		async (method, path, prefix) => {
			const ask = (id: string) =>
				account.call(method, path.replace('{}', id), method === 'PUT' ? {} : undefined);
			expect(refusal(await ask(unknownId(prefix)))).toBe(notFound);
			for (const odd of [
				unknownId('XYZ'),
				`${unknownId(prefix)}a`,
				`${prefix}%C3%A4`,
				`${prefix}%`,
			]) {
				expect(refusal(await ask(odd))).toBe(invalidValue);
			}
		},
	);

	it.each(['RelationshipTemplates', 'Relationships', 'Messages', 'Files', 'Tokens', 'Devices'])(
		'in a list of %s is checked, too',
		async (path) => {
			expect(refusal(await account.call('GET', `${path}?ids=nonsense`))).toBe(invalidValue);
		},
	);

	it('that is named twice counts once, with the password that was given', async () => {
		const password = Buffer.alloc(32, 1).toString('base64');
		const [one, two] = [await account.template({ password }), await account.template({ password })];
		const reader = await bench.account();
		const query = [one, one, two].map((id) => `ids=${id}`).join('&');
		const escaped = encodeURIComponent(password);
		const list = (more: string) => reader.call('GET', `RelationshipTemplates?${query}${more}`);
		expect((await list('')).result).toEqual([]);
		expect(
			(await list(`&templates.0.id=${two}&templates.0.password=${escaped}`)).result,
		).toMatchObject([{ id: two }]);
	});
});

describe('a list', () => {
	it('comes in the order of creation, however it is asked for', async () => {
		const expiresAt = new Date(Date.now() + 60_000).toISOString();
		const ids: string[] = [];
		for (let count = 0; count < 3; count++) {
			const { result } = await account.call('POST', 'Tokens', { content: bytes(1), expiresAt });
			ids.push(String(result['id']));
			sandboxOf(bench).advanceClock(1);
		}
		const query = ids.toReversed().map((id) => `ids=${id}`);
		const list = await account.call('GET', `Tokens?${query.join('&')}`);
		expect((list.result as unknown as Array<{ id: string }>).map(({ id }) => id)).toEqual(ids);
	});

	it.each(['PageNumber=x', 'PageSize=1.5'])('with %s cannot be read', async (query) => {
		expect(refusal(await account.call('GET', `Messages?${query}`))).toBe(unreadable);
	});
});

describe('a request', () => {
	it('gets its correlation id back, trimmed and cut, or a new one, and times', async () => {
		const ask = async (id?: string) =>
			(
				await account.call(
					'GET',
					'Version',
					undefined,
					id === undefined ? {} : { 'x-correlation-id': id },
				)
			).headers;
		expect((await ask(' mine ')).get('x-correlation-id')).toBe('mine');
		expect((await ask('a'.repeat(200))).get('x-correlation-id')).toBe('a'.repeat(100));
		const headers = await ask();
		expect(headers.get('x-correlation-id')).toMatch(/^[\da-f]{32}$/);
		expect(headers.get('x-trace-id')).toMatch(/^[\da-f-]{36}$/);
		expect(headers.get('x-trace-id')?.replaceAll('-', '')).not.toBe(
			headers.get('x-correlation-id'),
		);
		for (const name of ['x-request-time', 'x-response-time']) {
			expect(headers.get(name)).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
		}
		expect(headers.get('x-response-duration-ms')).toMatch(/^\d+$/);
	});

	it('may have an empty body without a content type, and as a PATCH of a form', async () => {
		const answer = await account.call('PATCH', 'Identities/Self/FeatureFlags', undefined, {
			'content-type': 'application/x-www-form-urlencoded',
		});
		expect(answer.status).toBe(204);
		const foreign = { 'content-type': 'text/plain' };
		const post = await account.call('POST', 'Challenges', '', foreign);
		expect(post.status).toBe(415);
	});

	it('with a line over 8 KiB is refused without body', async () => {
		const answer = await account.call('GET', `Messages?ids=${'a'.repeat(8_192)}`);
		expect([answer.status, answer.body]).toEqual([414, undefined]);
	});

	it.each([
		['2099-01-01T00:00:00Z', '2099-01-01T00:00:00Z'],
		['2099-01-01T00:00:00.1234567+02:00', '2098-12-31T22:00:00.123Z'],
		['2099-01-01T00:00:00', '2099-01-01T00:00:00Z'],
		['01/02/2099', '2099-01-02T00:00:00Z'],
	])('may write a date as %s', async (expiresAt, stored) => {
		const id = await account.template({ expiresAt });
		const { result } = await account.call('GET', `RelationshipTemplates/${id}`);
		expect(Date.parse(String(result['expiresAt']))).toBe(Date.parse(stored));
	});

	it.each(['2099-13-01T00:00:00Z', '13/01/2099', '99999999999'])(
		'may not write a date as %s',
		async (expiresAt) => {
			const body = { content: bytes(1), expiresAt };
			expect(refusal(await account.call('POST', 'RelationshipTemplates', body))).toBe(unreadable);
		},
	);

	it.each(['A', 'AA=A', 'AA==='])('may not write bytes as %j', async (content) => {
		const answer = await account.call('POST', 'RelationshipTemplates', { content });
		expect(refusal(answer)).toBe(unreadable);
	});

	it('may write bytes in either alphabet, and gets base64url without padding', async () => {
		for (const content of ['+/8=', '-_8=', '-_8', '- _8=']) {
			const id = await account.template({ content });
			expect((await account.call('GET', `RelationshipTemplates/${id}`)).result['content']).toBe(
				'-_8',
			);
		}
	});

	it('that fails has an id, a time with seven digits, and no data', async () => {
		const { body } = await account.call('GET', `Messages/${unknownId('MSG')}`);
		expect(body).toEqual({
			error: {
				id: expect.stringMatching(/^ERR[A-HJ-NP-Z1-9]{17}$/) as string,
				code: 'error.platform.recordNotFound',
				message: expect.stringMatching(/^Message not found\./) as string,
				docs: '',
				time: expect.stringMatching(/\.\d{7}Z$/) as string,
				data: null,
			},
		});
	});
});
