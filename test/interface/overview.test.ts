import { silentLogger } from '../../core/base/logger';
import { startModules } from '../../core/server';
import { modulesSchema } from '../../core/server/config/modules-config';
import { relationshipDtoSchema } from '../../core/model/record/relationship';
import { reconciliationDtoSchema } from '../../core/model/record/reconciliation';
import { syncStatusDtoSchema } from '../../core/model/record/sync';
import { templateDtoSchema } from '../../core/model/record/template';
import { inOneHour, settle } from '../support/gateways';
import { until } from '../support/until';
import { arbitrary, consent, givenName, World, yes } from './support/world';

jest.setTimeout(60_000);

/* docs/protocol/interface-summary.md 1, 2, 6, 8: what the service does, its names and addresses */
let world: World;
beforeAll(async () => {
	world = await World.open();
});
afterAll(() => world.close());

const address = /^did:e:localhost:dids:[0-9a-f]{22}$/;
const mailTo = (to: string) => ({
	recipients: [to],
	content: { '@type': 'Mail', to: [to], subject: 'Hello', body: 'Text' },
});

it('interface 1: point 1 | it holds one identity, which stays', async () => {
	const identity = await world.a.client.ask('account.getIdentityInfo');
	expect(identity.address).toMatch(address);
	expect(await world.a.client.ask('account.getIdentityInfo')).toEqual(identity);
	expect(world.b.address).not.toBe(identity.address);
});

it('interface 1: point 2 | it creates attributes of its own', async () => {
	const own = await world.createAttribute({ '@type': 'DisplayName', value: 'Example Org' });
	expect(own.content.owner).toBe(world.a.address);
	expect(await world.a.client.ask('attributes.getAttribute', own.id)).toEqual(own);
});

describe('the main story', () => {
	it('interface 1: point 3 | a checked request goes into a template, which is a QR code', async () => {
		expect((await world.validate(consent())).isSuccess).toBe(true);
		const template = await world.createTemplate({
			'@type': 'RelationshipTemplateContent',
			onNewRelationship: { items: [consent()] },
		});
		expect(template.content.onNewRelationship.items).toMatchObject([consent()]);
		const picture = await world.a.client.ask(
			'relationshipTemplates.getQrCodeForOwnRelationshipTemplate',
			template.id,
		);
		expect(Buffer.from(picture).toString('latin1', 1, 4)).toBe('PNG');
	});

	it('interface 1: point 4 | a peer answers it with a pending relationship, which becomes active', async () => {
		const c = await world.stranger();
		const template = await world.createTemplate({
			'@type': 'RelationshipTemplateContent',
			onNewRelationship: { items: [consent()] },
		});
		await c.client.ask('relationshipTemplates.loadPeerRelationshipTemplate', {
			reference: template.truncatedReference,
		});
		const [request] = await c.client.ask('incomingRequests.getRequests', {});
		await c.client.ask('incomingRequests.accept', request.id, { items: [yes] });
		await settle(world.a.http.gateway);
		const [pending] = await world.a.client.ask('relationships.getRelationships', {
			template: { id: template.id },
		});
		expect(pending).toMatchObject({ status: 'Pending', peer: c.address });
		const active = await world.a.client.ask('relationships.acceptRelationship', pending.id);
		expect(active.status).toBe('Active');
	});

	it('interface 1: point 5 | an active relationship carries messages in both directions', async () => {
		const { a, b } = world;
		for (const [from, to] of [
			[a, b],
			[b, a],
		] as const) {
			const sent = await from.client.ask('messages.sendMessage', mailTo(to.address));
			await settle(to.http.gateway);
			const received = await to.client.ask('messages.getMessage', sent.id);
			expect(received).toMatchObject({ isOwn: false, content: { subject: 'Hello' } });
		}
		const c = await world.stranger();
		const { status } = await a.http.ask('POST /Messages', { json: mailTo(c.address) });
		expect(status).toBe(400);
	});
});

it('interface 1: point 7 | it has a page that documents it', async () => {
	const { address: origin } = world.a.http.server;
	const page = await fetch(`${origin}/docs`);
	expect([page.status, page.headers.get('content-type')]).toMatchObject([
		200,
		expect.stringMatching(/^text\/html/),
	]);
	const document = await fetch(`${origin}/docs/json`);
	expect(await document.json()).toMatchObject({
		paths: expect.objectContaining({ '/api/v2/Attributes': expect.anything() }),
	});
});

it('interface 2: paragraph 1 | names have one spelling', async () => {
	const template = await world.createTemplate(arbitrary('RelationshipTemplate'));
	expect(templateDtoSchema.strict().parse(template)).toEqual(template);
	const [relationship] = await world.a.client.ask('relationships.getRelationships', {});
	expect(relationshipDtoSchema.strict().parse(relationship)).toEqual(relationship);
	const right = { content: arbitrary('RelationshipTemplate'), expiresAt: inOneHour() };
	for (const wrong of [
		{ ...right, expiresat: right.expiresAt },
		{ content: right.content, ExpiresAt: right.expiresAt },
		{ ...right, content: { ...right.content, '@type': 'arbitraryRelationshipTemplateContent' } },
		{ ...right, content: { ...right.content, '@type': 'ArbitraryMessageContent' } },
	]) {
		const { status } = await world.a.http.ask('POST /RelationshipTemplates/Own', { json: wrong });
		expect(status).toBe(400);
	}
	const lower = { content: { value: { ...givenName('Ada'), '@type': 'givenName' } } };
	expect((await world.a.http.ask('POST /Attributes', { json: lower })).status).toBe(400);
});

describe('modules', () => {
	it('interface 6: point 2; interface 1: point 6 | with server-sent events, what happens at the Backbone is synchronised at once', async () => {
		const { gateway } = world.b.http;
		const context = { facade: gateway, logger: silentLogger };
		const settings = modulesSchema.parse({ sse: { enabled: true } });
		const running = await startModules(context, settings);
		try {
			await until(async () => (await gateway.account.getSyncStatus()).pushConnected);
			const { result } = await world.b.http.ask('GET /Account/SyncStatus');
			expect(syncStatusDtoSchema.strict().parse(result)).toMatchObject({
				push: { state: 'connected', message: expect.stringContaining('Push works') },
			});
			const compared = await world.b.http.ask('POST /Account/Reconcile', {
				json: { full: true },
			});
			expect(reconciliationDtoSchema.strict().parse(compared.result)).toMatchObject({
				isFull: true,
			});
			const { id } = await world.a.client.ask('messages.sendMessage', mailTo(world.b.address));
			await until(async () => (await gateway.messages.list()).some((one) => one.id === id));
			const told = await gateway.events.recent({ names: ['transport.messageReceived'] }, 1_000);
			expect(told.at(-1)).toMatchObject({ data: { id } });
		} finally {
			await running.close();
		}
	});
});

/** Addresses of version 4, and others that are none. */
const noAddresses = [
	'id18uSgVGTSNqECvt1DJM3bZg6U8p6RSjott',
	'id1F3eYxXWSFKr8VjaEqB3aAvD3TN1VFhNQA',
	'did:e:localhost:dids:0123456789abcdef01234',
	'did:e:localhost:dids:0123456789ABCDEF012345',
	'did:e:localhost:0123456789abcdef012345',
	'did:web:localhost:dids:0123456789abcdef012345',
];

describe('addresses', () => {
	it('interface 8: Address length; interface 9: Version 4 to 5 changes.2 | end with 22 hexadecimal characters, and identities have no realm', async () => {
		for (const { client } of [world.a, world.b, await world.stranger()]) {
			const identity = await client.ask('account.getIdentityInfo');
			expect(identity.address).toMatch(address);
			expect(identity).not.toHaveProperty('realm');
		}
	});

	it.each(noAddresses)(
		'interface 8: Address length; interface 9: Version 4 to 5 changes.2 | of other forms are refused: %s',
		async (other) => {
			const refused = async (call: string, json: object): Promise<void> => {
				const { status, error } = await world.a.http.ask(call, { json });
				expect([call, status, error.code]).toEqual([
					call,
					400,
					expect.stringMatching(/^error\.(runtime|consumption|transport)\./),
				]);
			};
			await refused('POST /Messages', mailTo(other));
			await refused('POST /RelationshipTemplates/Own', {
				content: arbitrary('RelationshipTemplate'),
				expiresAt: inOneHour(),
				forIdentity: other,
			});
			await refused('POST /Tokens/Own', {
				content: { any: 'thing' },
				expiresAt: inOneHour(),
				ephemeral: false,
				forIdentity: other,
			});
			await refused('POST /Requests/Outgoing', { content: { items: [consent()] }, peer: other });
			await refused('PUT /IdentityMetadata', { reference: other, value: 'any' });
		},
	);
});
