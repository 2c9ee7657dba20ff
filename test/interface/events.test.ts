import { settle } from '../support/gateways';
import { eventCatalogue, type EventName } from '../../core/events/catalogue';
import { sourceFiles } from '../../scripts/docs/source-files';
import { consent, no, World, yes, type Answered, type Side } from './support/world';
import { textsIn } from './support/texts';

jest.setTimeout(60_000);

/* docs/protocol/interface-summary.md 6: which events are published, when, and with what */
let world: World;
beforeAll(async () => {
	world = await World.open();
});
afterAll(() => world.close());

/** Data of the events of a name about one object, oldest first. */
async function told(side: Side, name: EventName, id: string): Promise<Answered[]> {
	const events = await side.http.gateway.events.recent({ names: [name] }, 1_000);
	return events.map(({ data }) => data as Answered).filter((data) => ids(data).includes(id));
}
const ids = (data: Answered): unknown[] => [data.id, data.relationshipId, data.request?.id];

const mail = async (subject: string): Promise<Answered> =>
	await world.a.client.ask('messages.sendMessage', {
		recipients: [world.b.address],
		content: { '@type': 'Mail', to: [world.b.address], subject, body: '' },
	});

it('interface 6: paragraph 1 | events carry the changed object, and consumers get each of them', async () => {
	const { gateway } = world.b.http;
	const delivered: unknown[] = [];
	const stop = new AbortController();
	const consuming = gateway.events.consume({
		consumer: 'interface',
		filter: { names: ['transport.messageReceived'] },
		startFrom: 'now',
		batchSize: 1,
		signal: stop.signal,
		deliver: ({ events }) => {
			delivered.push(...events.map(({ data }) => data));
			if (delivered.length === 2) stop.abort();
			return Promise.resolve({ kind: 'accepted' });
		},
	});
	await gateway.events.recent({}, 1);
	const sent = [await mail('First'), await mail('Second')];
	await settle(world.b.http.gateway);
	await consuming.catch(() => undefined);
	const messages = await Promise.all(sent.map(({ id }) => gateway.messages.get(id)));
	expect(delivered).toEqual(messages);
});

it('interface 6: transport.relationshipChanged | tells of a new pending relationship, and of its changes', async () => {
	const c = await world.stranger();
	const { id } = await world.pending(c);
	const name = 'transport.relationshipChanged';
	const pending = await world.a.client.ask('relationships.getRelationship', id);
	expect(await told(world.a, name, id)).toEqual([pending]);
	await world.a.client.ask('relationships.acceptRelationship', id);
	await settle(c.http.gateway);
	const active = await c.client.ask('relationships.getRelationship', id);
	expect((await told(c, name, id)).at(-1)).toEqual(active);
	await settle(c.http.gateway);
	expect((await told(c, name, id)).filter(({ status }) => status === 'Active')).toHaveLength(1);
});

it('interface 6: transport.messageReceived | tells of a message once it is synchronised, to its recipient only', async () => {
	const { id } = await mail('Told');
	const name = 'transport.messageReceived';
	expect(await told(world.b, name, id)).toEqual([]);
	await settle(world.b.http.gateway);
	expect(await told(world.b, name, id)).toMatchObject([{ id, content: { subject: 'Told' } }]);
	await settle(world.a.http.gateway);
	expect(await told(world.a, name, id)).toEqual([]);
});

it('interface 6: consumption.incomingRequestReceived | tells of a request of a peer', async () => {
	const id = await world.sendRequest(consent());
	const name = 'consumption.incomingRequestReceived';
	expect(await told(world.b, name, id)).toMatchObject([{ id, isOwn: false }]);
	expect(await told(world.a, name, id)).toEqual([]);
});

it('interface 6: consumption.incomingRequestStatusChanged | tells of every status of such a request', async () => {
	const id = await world.sendRequest(consent());
	const name = 'consumption.incomingRequestStatusChanged';
	const statuses = async (): Promise<unknown[]> =>
		(await told(world.b, name, id)).map((data) => [data.oldStatus, data.newStatus]);
	const before = await statuses();
	expect(before.at(-1)).toEqual([expect.any(String), 'ManualDecisionRequired']);
	await world.b.client.ask('incomingRequests.reject', id, { items: [no] });
	expect((await statuses()).slice(before.length)).toEqual([
		['ManualDecisionRequired', 'Decided'],
		['Decided', 'Completed'],
	]);
	const changes = await told(world.b, name, id);
	expect(changes.at(-1).request).toMatchObject({ id, status: 'Completed' });
});

describe('the answer that comes with a relationship', () => {
	const current = 'consumption.outgoingRequestFromRelationshipCreationCreatedAndCompleted';
	const former = 'consumption.outgoingRequestFromRelationshipCreationChangeCreatedAndCompleted';

	it('interface 6: consumption.outgoingRequestFromRelationshipCreationCreatedAndCompleted | is told under its new name only', async () => {
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
		const [completed] = await world.a.client.ask('outgoingRequests.getRequests', {
			peer: c.address,
		});
		expect(completed.status).toBe('Completed');
		expect(await told(world.a, current, completed.id)).toEqual([completed]);

		const all = await world.a.http.gateway.events.recent({}, 1_000);
		expect(all.map(({ event }) => event)).not.toContain(former);
		expect(Object.keys(eventCatalogue)).not.toContain(former);
		const written = sourceFiles('core').filter((file) => textsIn(file).includes(former));
		expect(written).toEqual([]);
	});
});

describe('leaving', () => {
	let c: Side;
	let id: string;
	beforeAll(async () => {
		c = await world.stranger();
		({ id } = await world.pending(c));
		await world.a.client.ask('relationships.acceptRelationship', id);
		await world.a.client.ask('relationships.terminateRelationship', id);
		await settle(c.http.gateway);
	});

	it('interface 6: transport.relationshipReactivationRequested | tells both sides who asks to go on', async () => {
		const name = 'transport.relationshipReactivationRequested';
		expect(await told(c, name, id)).toEqual([]);
		await world.a.client.ask('relationships.requestRelationshipReactivation', id);
		await settle(c.http.gateway);
		expect(await told(c, name, id)).toMatchObject([
			{ id, status: 'Terminated', auditLog: expect.arrayContaining([]) },
		]);
		const [{ auditLog }] = await told(c, name, id);
		expect(auditLog.at(-1)).toMatchObject({
			reason: 'ReactivationRequested',
			createdBy: world.a.address,
		});
	});

	it('interface 6: transport.relationshipReactivationCompleted | tells how that ended', async () => {
		const name = 'transport.relationshipReactivationCompleted';
		expect(await told(world.a, name, id)).toEqual([]);
		await c.client.ask('relationships.acceptRelationshipReactivation', id);
		await settle(world.a.http.gateway);
		expect(await told(world.a, name, id)).toMatchObject([{ id, status: 'Active' }]);
	});

	it('interface 6: transport.relationshipDecomposedBySelf | reaches only the side that left', async () => {
		const name = 'transport.relationshipDecomposedBySelf';
		await c.client.ask('relationships.terminateRelationship', id);
		expect(await told(c, name, id)).toEqual([]);
		await c.client.ask('relationships.decomposeRelationship', id);
		expect(await told(c, name, id)).toEqual([{ relationshipId: id }]);
		await settle(world.a.http.gateway);
		expect(await told(world.a, name, id)).toEqual([]);
	});
});

it('interface 6: point 1 | what a sync brought is learned from events alone', async () => {
	const c = await world.stranger();
	const { id: messageId } = await mail('By event');
	const created = await world.pending(c);
	const answers = [
		await world.b.http.ask('POST /Account/Sync'),
		await world.a.http.ask('POST /Account/Sync'),
	];
	expect(answers.map(({ status, bytes }) => [status, bytes.length])).toEqual([
		[204, 0],
		[204, 0],
	]);
	// The Backbone may take longer than these two calls.
	await settle(world.a.http.gateway);
	await settle(world.b.http.gateway);
	expect(await told(world.b, 'transport.messageReceived', messageId)).toHaveLength(1);
	expect(await told(world.a, 'transport.relationshipChanged', created.id)).toHaveLength(1);
});
