import { settle } from '../support/gateways';
import { arbitrary, consent, memberNames, World, yes, type Answered } from './support/world';

jest.setTimeout(60_000);

/* docs/protocol/interface-summary.md 2.4, 3: Relationship, its states and its transitions */
let world: World;
beforeAll(async () => {
	world = await World.open({ related: false });
});
afterAll(() => world.close());

const shown = async (id: string): Promise<Answered> =>
	await world.a.client.ask('relationships.getRelationship', id);
const act = async (id: string, action: string, side = world.a): Promise<Answered> =>
	await side.client.ask(`relationships.${action}`, id);

it('interface 2.4: id | begins with REL', async () => {
	const { id } = await world.pending(await world.stranger());
	expect(id).toMatch(/^REL[A-Za-z0-9]{17}$/);
	expect((await shown(id)).id).toBe(id);
	const { status } = await world.a.http.ask(`GET /Relationships/ABC${id.slice(3)}`);
	expect(status).toBe(400);
});

it('interface 2.4: status; interface 3: paragraph 1; interface 9: Version 4 to 5 changes.4 | is one of six, all of which are reached', async () => {
	const reached = new Set<string>();
	const see = async (id: string): Promise<void> => {
		reached.add((await shown(id)).status);
	};
	const rejected = await world.pending(await world.stranger());
	await act(rejected.id, 'rejectRelationship');
	await see(rejected.id);
	const revoker = await world.stranger();
	const revoked = await world.pending(revoker);
	await act(revoked.id, 'revokeRelationship', revoker);
	await settle(world.a.http.gateway);
	await see(revoked.id);
	const leaving = await world.stranger();
	const { id } = await world.pending(leaving);
	await see(id);
	await act(id, 'acceptRelationship');
	await see(id);
	await act(id, 'terminateRelationship');
	await see(id);
	await settle(leaving.http.gateway);
	await act(id, 'decomposeRelationship', leaving);
	await settle(world.a.http.gateway);
	await see(id);
	expect([...reached].sort()).toEqual([
		'Active',
		'DeletionProposed',
		'Pending',
		'Rejected',
		'Revoked',
		'Terminated',
	]);
});

it('interface 2.4: peer | is the address of the other one, on both sides', async () => {
	const c = await world.stranger();
	const created = await world.pending(c);
	expect(created.peer).toBe(world.a.address);
	expect((await shown(created.id)).peer).toBe(c.address);
});

it('interface 2.4: creationContent | follows the kind of the template', async () => {
	const c = await world.stranger();
	const plain = await world.pending(c);
	expect((await shown(plain.id)).creationContent).toEqual(arbitrary('RelationshipCreation'));

	const d = await world.stranger();
	const template = await world.createTemplate({
		'@type': 'RelationshipTemplateContent',
		onNewRelationship: { items: [consent()] },
	});
	await d.client.ask('relationshipTemplates.loadPeerRelationshipTemplate', {
		reference: template.truncatedReference,
	});
	const { status } = await d.http.ask('POST /Relationships', {
		json: { templateId: template.id, creationContent: arbitrary('RelationshipCreation') },
	});
	expect(status).toBe(400);
	const [request] = await d.client.ask('incomingRequests.getRequests', {});
	await d.client.ask('incomingRequests.accept', request.id, { items: [yes] });
	await settle(world.a.http.gateway);
	const [relationship] = await world.a.client.ask('relationships.getRelationships', {
		template: { id: template.id },
	});
	expect(relationship.creationContent).toMatchObject({
		'@type': 'RelationshipCreationContent',
		response: { result: 'Accepted' },
	});
});

it('interface 2.4: auditLog; interface 2.4: paragraph 3 | tells every change, from the creation on', async () => {
	const c = await world.stranger();
	const { id } = await world.pending(c);
	await act(id, 'acceptRelationship');
	const { auditLog } = await act(id, 'terminateRelationship');
	expect(auditLog).toMatchObject([
		{ reason: 'Creation', newStatus: 'Pending', createdBy: c.address },
		{
			reason: 'AcceptanceOfCreation',
			oldStatus: 'Pending',
			newStatus: 'Active',
			createdBy: world.a.address,
		},
		{
			reason: 'Termination',
			oldStatus: 'Active',
			newStatus: 'Terminated',
			createdBy: world.a.address,
		},
	]);
	expect(auditLog[0]).not.toHaveProperty('oldStatus');
	await settle(c.http.gateway);
	expect((await act(id, 'getRelationship', c)).auditLog).toEqual(auditLog);
});

it('interface 2.4: paragraph 1 | has no changes', async () => {
	const { id } = await world.pending(await world.stranger());
	await act(id, 'acceptRelationship');
	const names = memberNames([
		await shown(id),
		await world.a.client.ask('relationships.getRelationships', {}),
	]);
	expect(names).not.toContain('changes');
	expect([...names].filter((name) => /relationshipchange/i.test(name))).toEqual([]);
});

it('interface 2.4: paragraph 2 | content of other kinds is wrapped, and found in creationContent.value', async () => {
	const c = await world.stranger();
	const template = await world.createTemplate(arbitrary('RelationshipTemplate'));
	await c.client.ask('relationshipTemplates.loadPeerRelationshipTemplate', {
		reference: template.truncatedReference,
	});
	const create = async (creationContent: unknown): Promise<Answered> =>
		await c.http.ask('POST /Relationships', {
			json: { templateId: template.id, creationContent },
		});
	for (const bare of [{ any: 'thing' }, 'text', arbitrary('Message')]) {
		expect((await create(bare)).status).toBe(400);
	}
	const value = { any: ['thing', 5] };
	const { result } = await create(arbitrary('RelationshipCreation', value));
	await settle(world.a.http.gateway);
	expect((await shown(result.id)).creationContent).toEqual(
		arbitrary('RelationshipCreation', value),
	);
});

describe('the creation', () => {
	it('interface 3: (none) | makes a pending relationship of a valid template, told after a sync', async () => {
		const { id } = await world.pending(await world.stranger());
		const relationship = await shown(id);
		expect(relationship).toMatchObject({ status: 'Pending', auditLog: [{ reason: 'Creation' }] });
		const told = await world.a.http.gateway.events.recent(
			{ names: ['transport.relationshipChanged'] },
			100,
		);
		expect(told.at(-1)).toMatchObject({ data: relationship });
		expect(told.filter(({ data }) => (data as Answered).id === id)).toHaveLength(1);
	});

	it('interface 3: (none) | is refused with a template that is used up or over', async () => {
		const template = await world.createTemplate(arbitrary('RelationshipTemplate'), {
			maxNumberOfAllocations: 1,
		});
		await world.pending(await world.stranger(), template);
		const late = await world.stranger();
		const { status } = await late.http.ask('POST /RelationshipTemplates/Peer', {
			json: { reference: template.truncatedReference },
		});
		expect(status).toBeGreaterThanOrEqual(400);
		const { status: unknown } = await late.http.ask('POST /Relationships', {
			json: { templateId: template.id, creationContent: arbitrary('RelationshipCreation') },
		});
		expect(unknown).toBe(404);
	});
});

describe('a pending relationship', () => {
	it('interface 3: Pending | becomes active when the one who did not create it accepts', async () => {
		const c = await world.stranger();
		const { id } = await world.pending(c);
		const own = await c.http.ask(`PUT /Relationships/${id}/Accept`);
		expect([own.status, own.error.code]).toEqual([
			400,
			'error.transport.relationships.operationOnlyAllowedForPeer',
		]);
		const accepted = await world.a.http.ask(`PUT /Relationships/${id}/Accept`);
		expect(accepted).toMatchObject({
			status: 200,
			result: { status: 'Active', peer: c.address },
		});
		const again = await world.a.http.ask(`PUT /Relationships/${id}/Accept`);
		expect([again.status, again.error.code]).toEqual([
			400,
			'error.transport.relationships.wrongRelationshipStatus',
		]);
	});

	it('interface 3: paragraph 2 | is rejected by the one and revoked by the other', async () => {
		for (const [action, isOurs, status] of [
			['Reject', true, 'Rejected'],
			['Revoke', false, 'Revoked'],
		] as const) {
			const c = await world.stranger();
			const { id } = await world.pending(c);
			const [right, wrong] = isOurs ? [world.a, c] : [c, world.a];
			const refused = await wrong.http.ask(`PUT /Relationships/${id}/${action}`);
			expect(refused.status).toBe(400);
			const done = await right.http.ask(`PUT /Relationships/${id}/${action}`);
			expect(done).toMatchObject({ status: 200, result: { status } });
			const over = await right.http.ask(`PUT /Relationships/${id}/${action}`);
			expect(over.status).toBe(400);
		}
	});
});

it('interface 3: paragraph 2 | an active one is terminated, brought back and decomposed', async () => {
	const c = await world.stranger();
	const { id } = await world.pending(c);
	const does = async (side: typeof c, action: string, expected: string): Promise<void> => {
		await settle(side.http.gateway);
		const result = await side.client.ask(`relationships.${action}`, id);
		expect([action, result.status]).toEqual([action, expected]);
	};
	await does(world.a, 'acceptRelationship', 'Active');
	await does(c, 'terminateRelationship', 'Terminated');
	await does(c, 'requestRelationshipReactivation', 'Terminated');
	await does(c, 'revokeRelationshipReactivation', 'Terminated');
	await does(c, 'requestRelationshipReactivation', 'Terminated');
	await does(world.a, 'rejectRelationshipReactivation', 'Terminated');
	await does(world.a, 'requestRelationshipReactivation', 'Terminated');
	await does(c, 'acceptRelationshipReactivation', 'Active');
	await does(c, 'terminateRelationship', 'Terminated');
	await c.client.ask('relationships.decomposeRelationship', id);
	expect(await c.client.refused('relationships.getRelationship', id)).toBe(
		'error.runtime.recordNotFound',
	);
	for (const tail of ['Reactivate/Accept', 'Terminate', 'Reject']) {
		const { status } = await world.a.http.ask(`PUT /Relationships/${id}/${tail}`);
		expect(status).toBe(400);
	}
});
