import { inOneHour } from '../../support/gateways';
import { allWork, filtered } from '../support/filters';
import { arbitrary, World, type Answered } from '../support/world';

jest.setTimeout(60_000);

/* docs/protocol/http-api.md 18.1, 18.2: relationshipTemplates, tokens */
let world: World;
beforeAll(async () => {
	world = await World.open();
});
afterAll(() => world.close());

const invalid = 'error.runtime.validation.invalidPropertyValue';
const template = async (more: object = {}): Promise<Answered> =>
	await world.a.http.ask('POST /RelationshipTemplates/Own', {
		json: { content: arbitrary('RelationshipTemplate'), expiresAt: inOneHour(), ...more },
	});
const token = async (more: object = {}): Promise<Answered> =>
	await world.a.http.ask('POST /Tokens/Own', {
		json: { content: { any: 'thing' }, expiresAt: inOneHour(), ephemeral: false, ...more },
	});
const tokenFor = async ({ id }: Answered, more: object = {}): Promise<Answered> =>
	await world.a.http.ask(`POST /RelationshipTemplates/Own/${id}/Token`, {
		json: { ephemeral: false, ...more },
	});

type Collection = 'RelationshipTemplates' | 'Tokens';
const load = async (
	collection: Collection,
	{ truncatedReference: reference }: Answered,
	more: object = {},
	side = world.b,
): Promise<Answered> => {
	const json = { reference, ...more, ...(collection === 'Tokens' && { ephemeral: false }) };
	return await side.http.ask(`POST /${collection}/Peer`, { json });
};

const protections = [
	{ password: 'a password' },
	{ password: '1234', passwordIsPin: true },
	{ password: 'a password', passwordLocationIndicator: 'Letter' },
	{ password: '1234', passwordIsPin: true, passwordLocationIndicator: 99 },
];

/** Loads it as a new reader: without, with a wrong and with the right password. */
async function expectProtected(
	collection: Collection,
	own: Answered,
	password: string,
): Promise<Answered> {
	const side = await world.stranger();
	const without = await load(collection, own, {}, side);
	expect([without.status, without.error.code]).toEqual([400, 'error.transport.noPasswordProvided']);
	expect((await load(collection, own, { password: '9999' }, side)).status).toBe(404);
	const loaded = await load(collection, own, { password }, side);
	expect(loaded.status).toBe(201);
	return loaded.result;
}

async function expectPersonal(collection: Collection, own: Answered): Promise<void> {
	expect(own.forIdentity).toBe(world.b.address);
	const other = await load(collection, own, {}, await world.stranger());
	expect([other.status, other.error.code]).toEqual([
		400,
		'error.transport.general.notIntendedForYou',
	]);
	expect((await load(collection, own)).status).toBe(201);
}

describe('templates', () => {
	it('http-api 18.1: relationshipTemplates 1 | are created with and without a limit, which is absent then', async () => {
		const limited = await template({ maxNumberOfAllocations: 3 });
		expect([limited.status, limited.result.maxNumberOfAllocations]).toEqual([201, 3]);
		const open = await template();
		expect(open.status).toBe(201);
		expect(open.result).not.toHaveProperty('maxNumberOfAllocations');
	});

	it('http-api 18.1: relationshipTemplates 2 | are listed and got', async () => {
		const { result } = await template();
		const list = await world.a.http.ask('GET /RelationshipTemplates');
		expect([list.status, list.result]).toEqual([200, expect.arrayContaining([result])]);
		const one = await world.a.http.ask(`GET /RelationshipTemplates/${result.id}`);
		expect([one.status, one.result]).toEqual([200, result]);
	});

	it('http-api 18.1: relationshipTemplates 3 | do not have a limit of 0', async () => {
		const { status, error } = await template({ maxNumberOfAllocations: 0 });
		expect([status, error.code, error.message]).toEqual([
			400,
			invalid,
			'maxNumberOfAllocations must be >= 1',
		]);
	});

	it('http-api 18.1: relationshipTemplates 4 | can be for one identity, directly and by token', async () => {
		const { result } = await template({ forIdentity: world.b.address });
		await expectPersonal('RelationshipTemplates', result);
		const byToken = await tokenFor(result, { forIdentity: world.b.address });
		expect(byToken.status).toBe(201);
		await expectPersonal('RelationshipTemplates', byToken.result);
		const open = await tokenFor(result);
		expect([open.status, open.error.code]).toEqual([
			400,
			'error.runtime.relationshipTemplates.personalizationMustBeInherited',
		]);
	});

	it('http-api 18.1: relationshipTemplates 5 | that are open can have a token for one identity', async () => {
		const { result } = await template();
		expect(result).not.toHaveProperty('forIdentity');
		const byToken = await tokenFor(result, { forIdentity: world.b.address });
		await expectPersonal('RelationshipTemplates', byToken.result);
	});

	it.each(protections)(
		'http-api 18.1: relationshipTemplates 6 | are protected directly, by token with what they have, and by token alone: %j',
		async (passwordProtection) => {
			const { password } = passwordProtection;
			const { result } = await template({ passwordProtection });
			expect(result.passwordProtection).toEqual(passwordProtection);
			const loaded = await expectProtected('RelationshipTemplates', result, password);
			expect(loaded.passwordProtection).toEqual(passwordProtection);
			const bare = await tokenFor(result);
			expect([bare.status, bare.error.code]).toEqual([
				400,
				'error.runtime.relationshipTemplates.passwordProtectionMustBeInherited',
			]);
			const inherited = await tokenFor(result, { passwordProtection });
			await expectProtected('RelationshipTemplates', inherited.result, password);
			const open = (await template()).result;
			const alone = await tokenFor(open, { passwordProtection });
			expect(alone.result.passwordProtection).toEqual(passwordProtection);
			await expectProtected('RelationshipTemplates', alone.result, password);
		},
	);

	it('http-api 18.1: relationshipTemplates 7; http-api 18.2: unknown type; http-api 18.2: template content of the internal type Message | are refused with malformed content, or of a type that is unknown or not theirs', async () => {
		for (const content of [{ any: 'thing' }, { '@type': 'RelationshipTemplateContent' }, 'text']) {
			const { status, error } = await template({ content });
			expect(status).toBe(400);
			expect(error.code).toMatch(/^error\.(runtime|consumption)\./);
		}
		const internal = await template({ content: { '@type': 'Message' } });
		expect([internal.status, internal.error.code, internal.error.message]).toEqual([
			400,
			'error.runtime.requestDeserialization',
			'Message.secretKey :: Value is not defined',
		]);
		const unknown = await template({ content: { '@type': 'Custom', value: 1 } });
		expect([unknown.status, unknown.error.message]).toEqual([
			400,
			expect.stringContaining(
				"Type 'Custom' with version 1 was not found within reflection classes. You might have to install a module first.",
			),
		]);
	});

	it('http-api 18.1: relationshipTemplates 8; http-api 18.1: paragraph 1 | are filtered in all lists, also by their protection', async () => {
		const passwordProtection = {
			password: '2468',
			passwordIsPin: true,
			passwordLocationIndicator: 'SMS',
		};
		const own = (await template({ maxNumberOfAllocations: 7, passwordProtection })).result;
		const { result } = await load('RelationshipTemplates', own, { password: '2468' });
		const fields = [
			...['createdAt', 'createdBy', 'createdByDevice', 'expiresAt', 'maxNumberOfAllocations'],
		];
		const all = [...fields, 'isOwn'];
		expect(await filtered(world.a, 'RelationshipTemplates', own, all)).toEqual(allWork(all));
		const ofOwn = [
			...fields,
			'passwordProtection.password',
			'passwordProtection.passwordLocationIndicator',
		];
		expect(await filtered(world.a, 'RelationshipTemplates/Own', own, ofOwn)).toEqual(
			allWork(ofOwn),
		);
		expect(await filtered(world.b, 'RelationshipTemplates/Peer', result, ofOwn)).toEqual(
			allWork(ofOwn),
		);
		await expectPins('RelationshipTemplates/Own', own, (await template()).result);
	});
});

/** By a PIN, by a password that is none, and by any or no protection. */
async function expectPins(list: string, withPin: Answered, open: Answered): Promise<void> {
	const ids = async (query: string): Promise<string[]> =>
		(await world.a.http.ask(`GET /${list}?${query}`)).result.map((one: Answered) => one.id);
	expect(await ids('passwordProtection.passwordIsPin=true')).toContain(withPin.id);
	expect(await ids('passwordProtection.passwordIsPin=true')).not.toContain(open.id);
	expect(await ids('passwordProtection.passwordIsPin=!')).not.toContain(withPin.id);
	expect(await ids('passwordProtection=')).toContain(withPin.id);
	expect(await ids('passwordProtection=')).not.toContain(open.id);
	expect(await ids('passwordProtection=!')).toContain(open.id);
}

describe('tokens', () => {
	it('http-api 18.1: tokens 1 | are created and loaded', async () => {
		const { status, result } = await token();
		expect(status).toBe(201);
		const loaded = await load('Tokens', result);
		expect([loaded.status, loaded.result]).toMatchObject([
			201,
			{ id: result.id, isOwn: false, content: { any: 'thing' } },
		]);
	});

	it('http-api 18.1: tokens 2 | can be for one identity', async () => {
		await expectPersonal('Tokens', (await token({ forIdentity: world.b.address })).result);
	});

	it.each(protections)('http-api 18.1: tokens 3 | can be protected: %j', async (protection) => {
		const { result } = await token({ passwordProtection: protection });
		expect(result.passwordProtection).toEqual(protection);
		const loaded = await expectProtected('Tokens', result, protection.password);
		expect(loaded).toMatchObject({ content: { any: 'thing' }, passwordProtection: protection });
	});

	it.each(['RecoveryKit', 'Nowhere', 'email', 0, 7, 49, 100])(
		'http-api 18.1: tokens 4; http-api 18.2: password location indicator | have no password at %j',
		async (passwordLocationIndicator) => {
			for (const create of [token, template]) {
				const { status, error } = await create({
					passwordProtection: { password: 'a', passwordLocationIndicator },
				});
				expect([status, error.code, error.message]).toEqual([
					400,
					invalid,
					'must be a number from 50 to 99 or one of the following strings: Self, Letter, RegistrationLetter, Email, SMS, Website',
				]);
			}
		},
	);

	it('http-api 18.1: tokens 5; http-api 18.1: paragraph 1 | are filtered in the lists of own ones, with PIN too, and of peers', async () => {
		const fields = ['createdAt', 'createdBy', 'createdByDevice', 'expiresAt', 'forIdentity'];
		const own = (await token({ forIdentity: world.b.address })).result;
		const loaded = (await load('Tokens', own)).result;
		expect(await filtered(world.a, 'Tokens/Own', own, fields)).toEqual(allWork(fields));
		expect(await filtered(world.b, 'Tokens/Peer', loaded, fields)).toEqual(allWork(fields));
		const passwordProtection = { password: '2468', passwordIsPin: true };
		const withPin = (await token({ passwordProtection })).result;
		await expectPins('Tokens/Own', withPin, own);
	});
});

it('http-api 18.2: past, unparsable expiry | is refused everywhere in the same words', async () => {
	const { result } = await template();
	for (const [expiresAt, message] of [
		['2020-01-01T00:00:00.000Z', "'expiresAt' must be in the future"],
		['tomorrow', 'expiresAt must match ISO8601 datetime format'],
	]) {
		for (const answer of [
			await template({ expiresAt }),
			await token({ expiresAt }),
			await tokenFor(result, { expiresAt }),
		]) {
			expect([answer.status, answer.error.message]).toEqual([400, message]);
		}
	}
});
