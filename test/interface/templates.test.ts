import { inOneHour } from '../support/gateways';
import { arbitrary, consent, World, type Answered } from './support/world';

jest.setTimeout(60_000);

/* docs/protocol/interface-summary.md 2.3, 8: RelationshipTemplate and its limits */
let world: World;
beforeAll(async () => {
	world = await World.open({ related: false });
});
afterAll(() => world.close());

const content = (change: object = {}) => ({
	'@type': 'RelationshipTemplateContent',
	title: 'Demo',
	onNewRelationship: { '@type': 'Request', items: [consent()] },
	...change,
});
const post = async (json: object): Promise<Answered> =>
	await world.a.http.ask('POST /RelationshipTemplates/Own', {
		json: { content: content(), expiresAt: inOneHour(), ...json },
	});
const load = async (template: Answered): Promise<Answered> =>
	await world.b.http.ask('POST /RelationshipTemplates/Peer', {
		json: { reference: template.truncatedReference },
	});

it('interface 2.3: id | is given on creation, and stays', async () => {
	const template = await world.createTemplate(content());
	expect(template.id).toMatch(/^RLT[A-Za-z0-9]{17}$/);
	const again = await world.a.client.ask(
		'relationshipTemplates.getRelationshipTemplate',
		template.id,
	);
	expect(again.id).toBe(template.id);
	expect((await load(template)).result.id).toBe(template.id);
});

it('interface 2.3: maxNumberOfAllocations; interface 8: maxNumberOfAllocations of a RelationshipTemplate | restricts a template to so many relationships', async () => {
	const own = arbitrary('RelationshipTemplate');
	const template = await world.createTemplate(own, { maxNumberOfAllocations: 1 });
	expect(template.maxNumberOfAllocations).toBe(1);
	expect((await load(template)).status).toBe(201);
	const c = await world.stranger();
	const second = await c.http.ask('POST /RelationshipTemplates/Peer', {
		json: { reference: template.truncatedReference },
	});
	expect(second.status).toBeGreaterThanOrEqual(400);
	for (const maxNumberOfAllocations of [0, -1, 1.5, '1', null]) {
		const { status, error } = await post({ maxNumberOfAllocations });
		expect([status, error.code]).toEqual([400, 'error.runtime.validation.invalidPropertyValue']);
	}
	expect((await post({})).result).not.toHaveProperty('maxNumberOfAllocations');
});

it('interface 2.3: expiresAt; interface 8: expiresAt of a RelationshipTemplate | is an instant in the future, kept in UTC', async () => {
	const expiresAt = '2099-01-01T02:00:00.000+02:00';
	expect((await post({ expiresAt })).result.expiresAt).toBe('2099-01-01T00:00:00.000Z');
	for (const wrong of [
		new Date(Date.now() - 1_000).toISOString(),
		'2020-01-01T00:00:00.000Z',
		'tomorrow',
		5,
		null,
		undefined,
	]) {
		const { status, error } = await post({ expiresAt: wrong });
		expect([status, error.code]).toEqual([400, 'error.runtime.validation.invalidPropertyValue']);
	}
});

it('interface 2.3: content | is of the one kind or the other', async () => {
	for (const kind of [content(), arbitrary('RelationshipTemplate')]) {
		const template = await world.createTemplate(kind);
		expect(template.content['@type']).toBe(kind['@type']);
		expect((await load(template)).result.content).toEqual(template.content);
	}
});

describe('a RelationshipTemplateContent', () => {
	it('interface 2.3: RelationshipTemplateContent.@type | is written like this only', async () => {
		expect((await post({})).result.content['@type']).toBe('RelationshipTemplateContent');
		for (const type of ['TemplateContent', 'relationshipTemplateContent', 5, undefined]) {
			expect((await post({ content: content({ '@type': type }) })).status).toBe(400);
		}
	});

	it('interface 2.3: RelationshipTemplateContent.title | is text', async () => {
		expect((await post({})).result.content.title).toBe('Demo');
		expect((await post({ content: content({ title: 5 }) })).status).toBe(400);
	});

	it('interface 2.3: RelationshipTemplateContent.onNewRelationship | is the content of a request', async () => {
		const { status, result } = await post({
			content: content({ onNewRelationship: { items: [consent()] } }),
		});
		expect(status).toBe(201);
		expect(result.content.onNewRelationship.items).toMatchObject([consent()]);
		const c = await world.stranger();
		await c.client.ask('relationshipTemplates.loadPeerRelationshipTemplate', {
			reference: result.truncatedReference,
		});
		const requests = await c.client.ask('incomingRequests.getRequests', {
			source: { reference: result.id },
		});
		expect(requests).toMatchObject([{ content: { items: [consent()] } }]);
		for (const wrong of [{}, { items: [] }, { items: 5 }, [consent()], undefined]) {
			const answer = await post({ content: content({ onNewRelationship: wrong }) });
			expect([wrong, answer.status]).toEqual([wrong, 400]);
		}
	});
});

it('interface 2.3: paragraph 1 | other content is wrapped, and found in content.value', async () => {
	for (const value of [{ any: ['thing', 5] }, 'text', 5, [1], false]) {
		const { result } = await post({ content: arbitrary('RelationshipTemplate', value) });
		expect((await load(result)).result.content).toEqual({
			'@type': 'ArbitraryRelationshipTemplateContent',
			value,
		});
	}
	for (const bare of [{ any: 'thing' }, 'text', 5, arbitrary('Message')]) {
		expect((await post({ content: bare })).status).toBe(400);
	}
});
