import type { RelationshipRecord } from '../../../../core/model/record/relationship';
import { empty, failureOf, problem, result } from '../../backbone/fixture-server';
import { relationshipRecord } from '../../sync/reconciliation/comparison-bench';
import { alreadyDecomposed, id, recordNotFound, RelationshipBench } from './relationship-bench';

let bench: RelationshipBench;
beforeEach(async () => {
	bench = await RelationshipBench.open();
});
afterEach(() => bench.close());

const changed = 'transport.relationshipChanged';
const retry = {
	...{ attempts: 1, firstFailedAt: '2029-12-31T00:00:00.000Z' },
	lastFailure: { code: 'error.some', message: 'It failed.' },
};

const receive = (wire: ReturnType<RelationshipBench['created']>, wasKnown = true) =>
	bench.store.transact((tx) => bench.relationships.receive(tx, { wire, wasKnown }));

describe('a relationship that is read again', () => {
	const terminated = (by: 'us' | 'peer') =>
		bench.created({
			status: 'Terminated',
			auditLog: [bench.wireEntry('peer', 'Creation'), bench.wireEntry(by, 'Termination', 1)],
		});
	const add = (parts: Partial<RelationshipRecord> = {}) =>
		bench.add({ auditLog: [bench.entry('peer', 'Creation')], ...parts });

	it('is stored and published once', async () => {
		await add();
		for (let times = 0; times < 2; times++) await receive(terminated('peer'));
		const record = await bench.record();
		expect(record).toMatchObject({ status: 'Terminated', createdAt: '2029-12-01T00:00:00.000Z' });
		expect(record?.auditLog).toHaveLength(2);
		expect(await bench.published()).toEqual([changed]);
	});

	it('changes nothing if it is older', async () => {
		await receiveNewest();
		const before = await bench.record();
		await receive(bench.created());
		expect(await bench.record()).toEqual(before);
		expect(await bench.published()).toEqual([]);
	});
	const receiveNewest = () =>
		add({
			status: 'Terminated',
			auditLog: [bench.entry('peer', 'Creation'), bench.entry('us', 'Termination', 1)],
		});

	it.each(['us', 'peer'] as const)(
		'ends an operation of this account if its newest entry is by this account, not: %s',
		async (by) => {
			await add({ operation: 'terminate@2030-01-01T00:00:00.000Z', retry });
			await receive(terminated(by));
			const kept = await bench.record();
			expect([kept?.operation !== undefined, kept?.retry !== undefined]).toEqual(
				by === 'us' ? [false, false] : [true, true],
			);
		},
	);

	it('does not come back after its decomposition', async () => {
		await bench.addTemplate('us');
		await receive(bench.created(), true);
		expect(await bench.record()).toBeUndefined();
		expect(bench.notified).toEqual([]);
		await receive(bench.created(), false);
		expect(await bench.record()).toMatchObject({ status: 'Pending' });
	});

	it('tells that the identity of the peer is deleted', async () => {
		await add();
		const end = bench.wireEntry('peer', 'DecompositionDueToIdentityDeletion', 5);
		const wire = bench.created({
			status: 'DeletionProposed',
			auditLog: [bench.wireEntry('peer', 'Creation'), end],
		});
		await receive(wire);
		expect(await bench.record()).toMatchObject({
			peerDeletionInfo: { deletionStatus: 'Deleted', deletionDate: end.createdAt },
		});
		expect(await bench.published()).toEqual([changed, 'transport.peerDeleted']);
		expect(bench.notified).toEqual(['relationshipLeftByPeer REL1']);
	});

	it.each([
		['Pending', 'Active', 'AcceptanceOfCreation', ['relationshipAccepted REL1']],
		['Terminated', 'Active', 'AcceptanceOfReactivation', []],
		['Active', 'Active', 'AcceptanceOfCreation', []],
		['Active', 'Terminated', 'Termination', []],
		['Pending', 'Rejected', 'RejectionOfCreation', ['relationshipEnded REL1']],
		['Pending', 'Revoked', 'RevocationOfCreation', ['relationshipEnded REL1']],
		['Active', 'DeletionProposed', 'Decomposition', ['relationshipLeftByPeer REL1']],
	] as const)(
		'is observed when it goes from %s to %s by %s: %j',
		async (before, status, reason, notified) => {
			await add({ status: before });
			const auditLog = [bench.wireEntry('peer', 'Creation'), bench.wireEntry('peer', reason, 1)];
			await receive(bench.created({ status, auditLog }));
			expect(bench.notified).toEqual(notified);
		},
	);

	it('is observed as left by the peer after a termination by this account', async () => {
		await add();
		const auditLog = [
			bench.wireEntry('us', 'Termination'),
			bench.wireEntry('peer', 'Decomposition', 1),
		];
		await receive(bench.created({ status: 'DeletionProposed', auditLog }));
		expect(bench.notified).toEqual(['relationshipLeftByPeer REL1']);
	});

	it('is not observed as accepted when it is reactivated', async () => {
		await add({ status: 'Terminated' });
		const auditLog = [
			bench.wireEntry('peer', 'Creation'),
			bench.wireEntry('us', 'AcceptanceOfCreation', 1),
			bench.wireEntry('us', 'AcceptanceOfReactivation', 2),
		];
		await receive(bench.created({ status: 'Active', auditLog }));
		expect(bench.notified).toEqual([]);
	});

	it('is published without an audit log, too', async () => {
		await add({ status: 'Terminated', auditLog: [] });
		await receive(bench.created({ status: 'Active', auditLog: [] }));
		expect(await bench.record()).toMatchObject({ status: 'Active' });
		expect(await bench.published()).toEqual([changed]);
		expect(bench.notified).toEqual([]);
	});

	it('is not observed as left by the peer if this account has left it', async () => {
		await add();
		const auditLog = [
			bench.wireEntry('peer', 'Creation'),
			bench.wireEntry('us', 'Decomposition', 1),
		];
		await receive(bench.created({ status: 'DeletionProposed', auditLog }));
		expect(await bench.record()).toMatchObject({ status: 'DeletionProposed' });
		expect(bench.notified).toEqual([]);
	});
});

describe('fetching a relationship', () => {
	const fetch = () => bench.relationships.fetch(id, {});

	it('tells whether it was known before', async () => {
		const wire = bench.created();
		bench.answer('GET /REL1', result(wire));
		expect(await fetch()).toMatchObject({ wire: { id }, wasKnown: false });
		await bench.add();
		expect(await fetch()).toMatchObject({ wire: { id }, wasKnown: true });
	});

	it('reads the list if this account has decomposed it without a trace', async () => {
		await bench.add();
		bench.answer('GET /REL1', problem(400, alreadyDecomposed));
		bench.answer('GET ', result([bench.created({ status: 'DeletionProposed' })]));
		expect(await fetch()).toMatchObject({ wire: { status: 'DeletionProposed' }, wasKnown: true });
		expect(bench.called).toEqual(['GET /REL1', 'GET ']);
	});

	it('fails if the list does not have it', async () => {
		await bench.add();
		bench.answer('GET /REL1', problem(400, alreadyDecomposed));
		bench.answer('GET ', result([]));
		expect((await failureOf(fetch()))['code']).toBe(alreadyDecomposed);
	});

	it('fails if the list has it in an unreadable form', async () => {
		await bench.add();
		bench.answer('GET /REL1', problem(400, alreadyDecomposed));
		bench.answer('GET ', result([{ id }]));
		expect((await failureOf(fetch()))['code']).toBe('error.gateway.backbone.unexpectedAnswer');
	});

	it.each<[string, Partial<RelationshipRecord> | undefined, number, string]>([
		['it is unknown', undefined, 400, alreadyDecomposed],
		['its decomposition is in progress', { operation: 'decompose@x' }, 400, alreadyDecomposed],
		['the Backbone refuses for another reason', {}, 404, recordNotFound],
	])('does not read the list if %s', async (_why, parts, status, platformCode) => {
		if (parts !== undefined) await bench.add(parts);
		bench.answer('GET /REL1', problem(status, platformCode));
		const { code } = await failureOf(fetch());
		expect(code).toBe(status === 404 ? 'error.runtime.recordNotFound' : platformCode);
		expect(bench.called).toEqual(['GET /REL1']);
	});
});

describe('the deletion of the identity of a peer', () => {
	const planned = (deletionDate: string) =>
		({ deletionStatus: 'ToBeDeleted', deletionDate }) as const;
	const [early, late] = [planned('2030-02-01T00:00:00.000Z'), planned('2030-03-01T00:00:00.000Z')];
	const deleted = { ...late, deletionStatus: 'Deleted' } as const;
	type Info = RelationshipRecord['peerDeletionInfo'];

	it.each<[string, Info, Info, string | undefined]>([
		['is planned', undefined, early, 'transport.peerToBeDeleted'],
		['is planned again', early, early, undefined],
		['was planned before', late, early, undefined],
		['is planned later', early, late, 'transport.peerToBeDeleted'],
		['is cancelled', early, undefined, 'transport.peerDeletionCancelled'],
		['is cancelled twice', undefined, undefined, undefined],
		['is carried out', early, deleted, 'transport.peerDeleted'],
		['is carried out at once', undefined, deleted, 'transport.peerDeleted'],
		['is carried out twice', deleted, deleted, undefined],
		['was planned before it was carried out', deleted, late, undefined],
		['is cancelled in spite of all', deleted, undefined, 'transport.peerDeletionCancelled'],
	])('is stored and published when it %s', async (_what, before, info, event) => {
		await bench.add(before === undefined ? {} : { peerDeletionInfo: before });
		await bench.store.transact((tx) => bench.relationships.applyPeerDeletion(tx, id, info));
		expect((await bench.record())?.peerDeletionInfo).toEqual(event === undefined ? before : info);
		expect(await bench.published()).toEqual(event === undefined ? [] : [event]);
	});

	it('needs a relationship', async () => {
		const error = await failureOf(
			bench.store.transact((tx) => bench.relationships.applyPeerDeletion(tx, id, early)),
		);
		expect([error['code'], error['facts']]).toEqual([
			'error.transport.recordNotFound',
			{ relationshipId: id },
		]);
	});

	const ask = () => bench.relationships.isPeerToBeDeleted(id, {});
	const toBeDeleted = 'error.platform.validation.relationship.peerIsToBeDeleted';

	it.each([
		[result({ canCreate: false, code: toBeDeleted }), true],
		[result({ canCreate: false, code: 'error.platform.some' }), false],
		[result({ canCreate: true }), false],
		[problem(404, recordNotFound, 'Identity not found.'), true],
	])('is asked at the Backbone (%#)', async (answer, isToBeDeleted) => {
		await bench.add();
		bench.answer('GET /CanCreate', answer);
		expect(await ask()).toBe(isToBeDeleted);
	});

	it('is not known without an answer, or without a relationship', async () => {
		expect(await ask()).toBeUndefined();
		expect(bench.called).toEqual([]);
		await bench.add();
		bench.answer('GET /CanCreate', empty(503));
		expect((await failureOf(ask()))['kind']).toBe('unavailable');
	});
});

describe('stored relationships', () => {
	const add = (record: RelationshipRecord) =>
		bench.store.transact((tx) =>
			tx.relationships.insert(record, { template: { secretKey: 'A'.repeat(43) } }),
		);

	beforeEach(async () => {
		for (const [index, status] of (['Active', 'Terminated', 'Pending'] as const).entries()) {
			const parts = { status, peer: `peer ${index}`, templateId: `RLT${index}` };
			await add(relationshipRecord(`REL${index}`, parts));
		}
	});

	it('are found by their IDs, in that order', async () => {
		const found = await bench.relationships.getMany(['REL2', 'REL9', 'REL0']);
		expect(found.map((dto) => dto.id)).toEqual(['REL2', 'REL0']);
		expect(await bench.relationships.getMany([])).toEqual([]);
		expect(await bench.relationships.get('REL1')).toMatchObject({ status: 'Terminated' });
		expect((await failureOf(bench.relationships.get('REL9')))['facts']).toEqual({
			relationshipId: 'REL9',
		});
	});

	it.each([
		[{ peer: 'peer 1' }, ['REL1']],
		[{ status: 'Pending' }, ['REL2']],
		[{ 'template.id': 'RLT0' }, ['REL0']],
		[{ templateId: 'RLT1' }, ['REL1']],
		[{ status: ['Active', 'Pending'] }, ['REL0', 'REL2']],
	])('are listed by a query: %j', async (query, ids) => {
		const found = await bench.relationships.list({ query });
		expect(found.map((dto) => dto.id)).toEqual(ids);
	});
});
