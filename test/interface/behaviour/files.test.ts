import { inOneHour } from '../../support/gateways';
import { allWork, filtered } from '../support/filters';
import { World, type Answered } from '../support/world';

jest.setTimeout(60_000);

/* docs/protocol/http-api.md 18.1, 18.2: files */
let world: World;
beforeAll(async () => {
	world = await World.open();
});
afterAll(() => world.close());

const invalid = 'error.runtime.validation.invalidPropertyValue';

function form(fields: object, file: File | null = new File(['Text'], 'note.txt')): FormData {
	const body = new FormData();
	if (file !== null) body.append('file', file);
	for (const [name, value] of Object.entries(fields)) {
		for (const one of [value].flat()) body.append(name, String(one));
	}
	return body;
}
const upload = async (fields: object = {}, file?: File | null): Promise<Answered> =>
	await world.a.http.ask('POST /Files/Own', { body: form(fields, file) });
const uploaded = async (fields: object = {}, file?: File): Promise<Answered> =>
	(await upload({ title: 'A note', ...fields }, file)).result;
const load = async (reference: unknown, more: object = {}, side = world.b): Promise<Answered> =>
	await side.http.ask('POST /Files/Peer', { json: { reference, ...more } });
const tokenFor = async ({ id }: Answered, more: object = {}): Promise<Answered> =>
	await world.a.http.ask(`POST /Files/${id}/Token`, { json: { ephemeral: false, ...more } });

it.each<[string, object, File]>([
	['a plain name', {}, new File(['Text'], 'note.txt')],
	['umlauts', { description: 'Für alle' }, new File(['Text'], 'Übersicht äöü.txt')],
	['spaces', { description: 'Text' }, new File(['Text'], 'my own note.txt')],
	['no description', { title: 'Title only' }, new File(['Text'], 'note.txt')],
	['tags', { tags: ['x:one', 'x:two'] }, new File(['Text'], 'note.txt')],
	['nothing in it', {}, new File([], 'empty.txt')],
	['what was uploaded before', {}, new File(['Text'], 'note.txt')],
])(
	'http-api 18.1: files 1; http-api 18.1: files 3 | a file is uploaded with %s, and keeps its size',
	async (_name, fields, file) => {
		const { status, result } = await upload(fields, file);
		expect([status, result]).toMatchObject([
			201,
			{ filename: file.name, filesize: file.size, isOwn: true, ...fields },
		]);
		const { bytes } = await world.a.http.ask(`GET /Files/${result.id}/Download`);
		expect(new TextDecoder().decode(bytes)).toBe(await file.text());
	},
);

it('http-api 18.1: files 2 | it is in both lists and reachable by its id', async () => {
	const own = await uploaded();
	for (const list of ['Files', 'Files/Own']) {
		expect((await world.a.http.ask(`GET /${list}`)).result).toContainEqual(own);
	}
	expect((await world.a.http.ask('GET /Files/Peer')).result).toEqual([]);
	expect((await world.a.http.ask(`GET /Files/${own.id}`)).result).toEqual(own);
});

it('http-api 18.1: files 4; http-api 18.2: missing file part; http-api 18.2: past, unparsable expiry | no file, and an expiry that is over or none, are errors', async () => {
	for (const [answer, message] of [
		[await upload({}, null), "must have required property 'content'"],
		[await upload({ expiresAt: '2020-01-01T00:00:00.000Z' }), "'expiresAt' must be in the future"],
		[await upload({ expiresAt: '' }), 'expiresAt must match ISO8601 datetime format'],
	] as const) {
		expect([answer.status, answer.error.code, answer.error.message]).toEqual([
			400,
			invalid,
			message,
		]);
	}
});

it('http-api 18.1: files 5; http-api 18.2: unknown file | an unknown one is not found, in the words of its record', async () => {
	const texts: ReadonlyArray<readonly [string, string]> = [
		['Files/FILaaaaaaaaaaaaaaaaa', 'File'],
		['RelationshipTemplates/RLTaaaaaaaaaaaaaaaaa', 'RelationshipTemplate'],
		['Messages/MSGaaaaaaaaaaaaaaaaa', 'Message'],
		['Relationships/RELaaaaaaaaaaaaaaaaa', 'Relationship'],
		['Tokens/TOKaaaaaaaaaaaaaaaaa', 'Token'],
	];
	for (const [path, record] of texts) {
		const { status, error } = await world.a.http.ask(`GET /${path}`);
		expect([status, error.code, error.message]).toEqual([
			404,
			'error.runtime.recordNotFound',
			`${record} not found. Make sure the ID exists and the record is not expired.`,
		]);
	}
});

it('http-api 18.1: files 6; http-api 18.1: paragraph 1 | the lists of all, of own ones and of peers are filtered', async () => {
	let own: Answered;
	do {
		own = await uploaded({ description: 'Described', tags: ['x:one'], expiresAt: inOneHour() });
		// A filter that begins with another character may be an operator.
	} while (!/^\w/.test(own.ownershipToken));
	const loaded = (await load(own.truncatedReference)).result;
	const fields = [
		...['createdAt', 'createdBy', 'createdByDevice', 'description', 'expiresAt', 'filename'],
		...['filesize', 'mimetype', 'title', 'tags'],
	];
	const ofOwn = [...fields, 'ownershipToken'];
	expect(await filtered(world.a, 'Files', own, [...ofOwn, 'isOwn'])).toEqual(
		allWork([...ofOwn, 'isOwn']),
	);
	expect(await filtered(world.a, 'Files/Own', own, ofOwn)).toEqual(allWork(ofOwn));
	expect(await filtered(world.b, 'Files/Peer', loaded, fields)).toEqual(allWork(fields));
});

describe('of others', () => {
	it('http-api 18.1: files 7; http-api 18.1: files 8 | a file is unknown before it is loaded, and then equal to the file of its owner', async () => {
		const own = await uploaded();
		const { ownershipToken, ...rest } = own;
		expect(ownershipToken).toMatch(/./);
		const token = (await tokenFor(own)).result;
		for (const reference of [token.truncatedReference, own.truncatedReference]) {
			const side = await world.stranger();
			expect((await side.http.ask(`GET /Files/${own.id}`)).status).toBe(404);
			const { status, result } = await load(reference, {}, side);
			expect([status, result]).toEqual([201, { ...rest, isOwn: false }]);
			expect((await side.http.ask(`GET /Files/${own.id}`)).result).toEqual(result);
			expect((await side.http.ask('GET /Files')).result).toEqual([result]);
		}
	});

	it('http-api 18.1: files 9 | a personalised token says for whom, and works for them only', async () => {
		const own = await uploaded();
		const { status, result } = await tokenFor(own, { forIdentity: world.b.address });
		expect([status, result.forIdentity]).toEqual([201, world.b.address]);
		const other = await load(result.truncatedReference, {}, await world.stranger());
		expect([other.status, other.error.code]).toEqual([
			400,
			'error.transport.general.notIntendedForYou',
		]);
		expect((await load(result.truncatedReference)).result.id).toBe(own.id);
	});

	it.each([['FILaaaaaaaaaaaaaaaaa'], ['TOKaaaaaaaaaaaaaaaaa'], [null], [''], [undefined]])(
		'http-api 18.1: files 10; http-api 18.2: bad reference at Files/Peer | %j is not a reference',
		async (reference) => {
			const { status, error } = await load(reference);
			expect([status, error.code, error.message]).toEqual([
				400,
				invalid,
				'token / file reference invalid',
			]);
		},
	);

	it.each([
		{ password: 'a password' },
		{ password: '1234', passwordIsPin: true },
		{ password: 'a password', passwordLocationIndicator: 'Email' },
		{ password: '1234', passwordIsPin: true, passwordLocationIndicator: 50 },
	])(
		'http-api 18.1: files 11 | a protected token needs the password: %j',
		async (passwordProtection) => {
			const own = await uploaded();
			const { status, result } = await tokenFor(own, { passwordProtection });
			expect([status, result.passwordProtection]).toEqual([201, passwordProtection]);
			const side = await world.stranger();
			const { truncatedReference: reference } = result;
			expect((await load(reference, {}, side)).error.code).toBe(
				'error.transport.noPasswordProvided',
			);
			expect((await load(reference, { password: '9999' }, side)).status).toBe(404);
			const { password } = passwordProtection;
			expect((await load(reference, { password }, side)).result.id).toBe(own.id);
		},
	);
});

it('http-api 18.1: files 12 | a deleted one is not found', async () => {
	const own = await uploaded();
	expect((await world.a.http.ask(`DELETE /Files/${own.id}`)).status).toBe(204);
	expect((await world.a.http.ask(`GET /Files/${own.id}`)).status).toBe(404);
	expect((await load(own.truncatedReference)).status).toBe(404);
});

it('http-api 18.1: files 13 | a new ownership token that the Backbone does not keep is refused, and the former one stays', async () => {
	const own = await uploaded();
	const { status, error } = await world.a.http.ask(
		`PATCH /Files/${own.id}/RegenerateOwnershipToken`,
	);
	expect([status, error.code]).toEqual([400, 'error.gateway.files.tokenNotRenewed']);
	expect(own.ownershipToken).toMatch(/./);
	const { result } = await world.a.http.ask(`GET /Files/${own.id}`);
	expect(result.ownershipToken).toBe(own.ownershipToken);
});
