import { inOneHour, settle } from '../support/gateways';
import { arbitrary, memberNames, World, type Answered } from './support/world';

jest.setTimeout(60_000);

/* docs/protocol/interface-summary.md 2.5, 2.6: Message, File and Token */
let world: World;
beforeAll(async () => {
	world = await World.open();
});
afterAll(() => world.close());

const mail = (change: object = {}) => ({
	'@type': 'Mail',
	to: [world.b.address],
	subject: 'Hello',
	body: 'How are you?',
	...change,
});
const post = async (content: unknown, more: object = {}): Promise<Answered> =>
	await world.a.http.ask('POST /Messages', {
		json: { recipients: [world.b.address], content, ...more },
	});
const received = async (id: string): Promise<Answered> => {
	await settle(world.b.http.gateway);
	return await world.b.client.ask('messages.getMessage', id);
};

it('interface 2.5: recipients | are addresses, and required', async () => {
	const { status, result } = await post(mail());
	expect(status).toBe(201);
	expect(result.recipients).toMatchObject([{ address: world.b.address }]);
	for (const recipients of [undefined, [], world.b.address, [5], ['id1nobody']]) {
		expect((await post(mail(), { recipients })).status).toBe(400);
	}
});

it('interface 2.5: content | is a mail, or wrapped', async () => {
	for (const content of [mail(), arbitrary('Message')]) {
		const { result } = await post(content);
		expect((await received(result.id)).content['@type']).toBe(content['@type']);
	}
	for (const content of [undefined, { any: 'thing' }, 'text', { '@type': 'Nonsense' }]) {
		expect((await post(content)).status).toBe(400);
	}
});

it('interface 2.5: Mail content.@type | is Mail', async () => {
	const { result } = await post(mail());
	expect((await received(result.id)).content['@type']).toBe('Mail');
	for (const type of ['mail', 'MAIL', undefined]) {
		expect((await post(mail({ '@type': type }))).status).toBe(400);
	}
});

it('interface 2.5: Mail content.to | names recipients of the message', async () => {
	const { result } = await post(mail());
	expect((await received(result.id)).content.to).toEqual([world.b.address]);
	for (const to of [undefined, [], world.b.address, [5]]) {
		const answer = await post(mail({ to }));
		expect([to, answer.status]).toEqual([to, 400]);
	}
});

it.each(['subject', 'body'])('the %s of a mail is text', async (name) => {
	expect((await post(mail({ [name]: 5 }))).status).toBe(400);
});

it('interface 2.5: Mail content.subject | arrives as it was written', async () => {
	const { result } = await post(mail({ subject: 'Grüße 🙂' }));
	expect((await received(result.id)).content.subject).toBe('Grüße 🙂');
	for (const subject of [undefined, 5, null]) {
		expect((await post(mail({ subject }))).status).toBe(400);
	}
});

it('interface 2.5: Mail content.body | arrives as it was written', async () => {
	const body = 'First line\n\nSecond line with <b>tags</b>';
	const { result } = await post(mail({ body }));
	expect((await received(result.id)).content.body).toBe(body);
	for (const wrong of [undefined, 5, null]) {
		expect((await post(mail({ body: wrong }))).status).toBe(400);
	}
});

describe('interface 2.5, with two recipients', () => {
	let usual: World;

	beforeAll(async () => {
		usual = world;
		world = await World.open({ maxMessageRecipients: 2 });
	});

	afterAll(async () => {
		await world.close();
		world = usual;
	});

	it('interface 2.5: paragraph 1 | a mail goes to several, with attachments', async () => {
		const c = await world.stranger();
		const { id } = await world.pending(c);
		await world.a.client.ask('relationships.acceptRelationship', id);
		const file = await world.a.client.ask('files.uploadOwnFile', {
			title: 'A note',
			expiresAt: inOneHour(),
			filename: 'note.txt',
			file: Buffer.from('Text'),
		});
		const recipients = [world.b.address, c.address];
		const { status, result } = await post(mail({ to: recipients }), {
			recipients,
			attachments: [file.id],
		});
		expect(status).toBe(201);
		await settle(c.http.gateway);
		for (const message of [
			await received(result.id),
			await c.client.ask('messages.getMessage', result.id),
		]) {
			expect(message.content.to).toEqual(recipients);
			expect(message.attachments).toMatchObject([{ id: file.id }]);
		}
	});
});

describe('interface 2.5, more', () => {
	it('interface 2.5: paragraph 1 | other content is found in content.value', async () => {
		const value = { any: ['thing', 5] };
		const { result } = await post(arbitrary('Message', value));
		expect((await received(result.id)).content).toEqual(arbitrary('Message', value));
	});
});

it('interface 2.6: paragraph 1 | files and tokens are loaded by truncated references, without secretKey anywhere', async () => {
	const file = await world.a.client.ask('files.uploadOwnFile', {
		title: 'Shared',
		expiresAt: inOneHour(),
		filename: 'note.txt',
		file: Buffer.from('Text'),
	});
	const token = await world.a.client.ask('tokens.createOwnToken', {
		content: { any: 'thing' },
		expiresAt: inOneHour(),
		ephemeral: false,
	});
	const loadedFile = await world.b.client.ask('files.loadPeerFile', {
		reference: file.truncatedReference,
	});
	const loadedToken = await world.b.client.ask('tokens.loadPeerToken', {
		reference: token.truncatedReference,
		ephemeral: false,
	});
	expect([loadedFile.id, loadedToken.id]).toEqual([file.id, token.id]);
	expect(loadedToken.content).toEqual({ any: 'thing' });
	expect(memberNames([file, token, loadedFile, loadedToken])).not.toContain('secretKey');
});
