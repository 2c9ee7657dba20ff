import { ownText } from '../../../core/model/json';
import type {
	FileDto,
	Gateway,
	ListQueryInput,
	RelationshipDto,
	UploadFileInput,
} from '../../../core';
import { failureOf } from '../../core/backbone/fixture-server';
import { inOneHour, mailTo, relate, TestNetwork } from '../../support/gateways';

/* Lists with queries of callers (docs/protocol/transport.md 17), on what gateways really stored. */
let network: TestNetwork;
let a: Gateway;
let b: Gateway;
let addressA: string;
let addressB: string;
let relationshipId: string;

beforeAll(async () => {
	network = await TestNetwork.open();
	a = await network.gateway();
	b = await network.gateway();
	({ relationshipId, addressA, addressB } = await relate(a, b));
});

afterAll(() => network.close());

type Listed = ReadonlyArray<{ readonly id: string }>;
const idsOf = async (list: Promise<Listed>): Promise<string[]> => (await list).map(({ id }) => id);

describe('a query for relationships', () => {
	it('looks at peer, status and template', async () => {
		const { template } = (await a.relationships.get(relationshipId)) satisfies RelationshipDto;
		const found = (query: ListQueryInput): Promise<string[]> =>
			idsOf(a.relationships.list({ query }));
		for (const query of [
			{ peer: addressB },
			{ status: ['Active', 'Pending'] },
			{ 'template.id': template.id },
			{ templateId: template.id, status: '!Terminated' },
		]) {
			expect(await found(query)).toEqual([relationshipId]);
		}
		expect(await found({ peer: addressA })).toEqual([]);
		expect(await found({ status: ['!Active'] })).toEqual([]);
	});
});

describe('a query for messages', () => {
	it('looks at content, attachments and who took part', async () => {
		const file = await a.files.upload(
			{ filename: 'a.txt', mimetype: 'text/plain' },
			Buffer.from('a'),
		);
		const plain = await a.messages.send(mailTo(addressB, 'Order 4711', 'one'));
		const mail = mailTo(addressB, 'Invoice', 'two');
		const attached = await a.messages.send({ ...mail, attachments: [file.id] });
		const found = (query: ListQueryInput): Promise<string[]> => idsOf(a.messages.list({ query }));
		expect(await found({ 'content.subject': '~order' })).toEqual([plain.id]);
		expect(await found({ 'content.subject': '$4711', 'content.@type': 'Mail' })).toEqual([
			plain.id,
		]);
		expect(await found({ attachments: '+' })).toEqual([attached.id]);
		expect(await found({ attachments: [file.id] })).toEqual([attached.id]);
		expect(await found({ participant: addressB, 'content.body': '!one' })).toEqual([attached.id]);
		expect(await found({ 'recipients.relationshipId': relationshipId, isOwn: 'true' })).toEqual([
			plain.id,
			attached.id,
		]);
		expect(await found({ wasReadAt: '' })).toEqual([]);
	});

	it('goes together with order, limit and conditions of our own', async () => {
		const newest = await a.messages.list({
			query: { 'recipients.address': addressB },
			where: [{ field: 'isOwn', op: 'eq', value: true }],
			orderBy: { field: 'inserted', direction: 'desc' },
			limit: 1,
		});
		expect(newest.map(({ content }) => ownText(content, 'subject'))).toEqual(['Invoice']);
	});
});

describe('a query for files', () => {
	/** `!` begins an inequality, and `!=` does, so these tokens cannot be asked for in both ways. */
	async function uploadWithPlainToken(named: UploadFileInput): Promise<FileDto> {
		const file = await a.files.upload(named, Buffer.from('own'));
		if (!/^[!=]/.test(file.ownershipToken ?? '')) return file;
		await a.files.delete(file.id);
		return await uploadWithPlainToken(named);
	}

	it('finds a file by its ownership token, which is sealed', async () => {
		const named = { filename: 'own.txt', mimetype: 'text/plain', tags: ['x:a'] };
		const { id, ownershipToken = '' } = await uploadWithPlainToken(named);
		const found = (query: ListQueryInput): Promise<string[]> => idsOf(a.files.list({ query }));
		expect(await found({ ownershipToken })).toEqual([id]);
		expect(await found({ ownershipToken: [ownershipToken, 'another'] })).toEqual([id]);
		expect(await found({ ownershipToken: `!${ownershipToken}` })).not.toContain(id);
		expect(await found({ ownershipToken: '!' })).toEqual([]);
		// These signs mean something in queries, and may begin a token all the same.
		for (const sign of ['<', '>=', '^', '$', '~']) {
			expect(await found({ ownershipToken: [ownershipToken, `${sign}another`] })).toEqual([id]);
		}
		expect(await found({ ownershipToken: '', tags: 'x:a', filesize: '3' })).toEqual([id]);
	});

	it('gives way to callers that ask for own files, or for files of peers, only', async () => {
		const own = [{ field: 'isOwn', op: 'eq', value: true } as const];
		const query = { filename: 'own.txt', isOwn: 'false' };
		expect(await a.files.list({ query })).toEqual([]);
		expect(await a.files.list({ query, where: own })).toHaveLength(1);
	});
});

describe('a query for templates', () => {
	const content = { '@type': 'ArbitraryRelationshipTemplateContent' as const, value: 1 };
	let ids: Record<'open' | 'password' | 'pin', string>;

	const create = async (parts: object): Promise<string> =>
		(await b.templates.create({ expiresAt: inOneHour(), content, ...parts })).id;

	const found = async (query: object, where?: object): Promise<string[]> => {
		const list = await b.templates.list({ query: { isOwn: 'true', ...query }, ...where });
		return list.map(({ id }) => Object.entries(ids).find((entry) => entry[1] === id)?.[0] ?? id);
	};

	beforeAll(async () => {
		const password = { password: '007', passwordLocationIndicator: 'Letter' };
		const pin = { password: '1234', passwordIsPin: true, passwordLocationIndicator: 50 };
		ids = {
			open: await create({ maxNumberOfAllocations: 10 }),
			password: await create({ passwordProtection: password, maxNumberOfAllocations: 2 }),
			pin: await create({ passwordProtection: pin, forIdentity: addressA }),
		};
	});

	it.each<[object, string[]]>([
		[{ passwordProtection: '' }, ['password', 'pin']],
		[{ passwordProtection: '!' }, ['open']],
		[{ 'passwordProtection.password': '007' }, ['password']],
		[{ 'passwordProtection.password': '7' }, []],
		[{ 'passwordProtection.password': ['007', '1234'] }, ['password', 'pin']],
		[{ 'passwordProtection.passwordIsPin': 'true' }, ['pin']],
		[{ 'passwordProtection.passwordIsPin': '!' }, ['password']],
		[{ 'passwordProtection.passwordLocationIndicator': 'Letter' }, ['password']],
		[{ 'passwordProtection.passwordLocationIndicator': '2' }, ['password']],
		[{ 'passwordProtection.passwordLocationIndicator': ['50', 'SMS'] }, ['pin']],
		[{ 'passwordProtection.passwordLocationIndicator': 'Nowhere' }, []],
		[{ maxNumberOfAllocations: '>2' }, ['open']],
		[{ maxNumberOfAllocations: '!' }, ['pin']],
		[{ forIdentity: '', passwordProtection: '' }, ['pin']],
	])('%j finds %j', async (query, expected) => {
		expect(await found(query)).toEqual(expected);
	});

	it('counts pages after the look at each record', async () => {
		const query = { passwordProtection: '' };
		expect(await found(query, { limit: 1 })).toEqual(['password']);
		expect(await found(query, { limit: 1, offset: 1 })).toEqual(['pin']);
	});

	it('is the same for tokens', async () => {
		const token = await b.tokens.create({
			expiresAt: inOneHour(),
			ephemeral: false,
			content: { value: 1 },
			passwordProtection: { password: 'x' },
		});
		expect(await idsOf(b.tokens.list({ query: { 'passwordProtection.password': 'x' } }))).toEqual([
			token.id,
		]);
		expect(await b.tokens.list({ query: { passwordProtection: '!' } })).toEqual([]);
	});
});

describe('a query that is none', () => {
	it('is refused by every list', async () => {
		for (const noun of ['relationships', 'messages', 'files', 'templates', 'tokens'] as const) {
			expect(await failureOf(a[noun].list({ query: { secretKey: '' } }))).toMatchObject({
				code: 'error.runtime.validation.invalidPropertyValue',
				facts: { field: 'secretKey' },
			});
		}
	});

	it('that is larger than a database can take is refused', async () => {
		const query = { participant: Array.from({ length: 10_001 }, (_, index) => `did:${index}`) };
		expect(await failureOf(a.messages.list({ query }))).toMatchObject({
			code: 'error.gateway.store.queryTooLarge',
		});
	});
});
