import { compareRelationships } from '../../../../core/sync/reconciliation/relationship-comparison';
import { relationshipBody, result } from '../../backbone/fixture-server';
import { ComparisonBench, recovered, relationshipRecord } from './comparison-bench';

const entry = (reason: string, createdAt: string) => ({
	createdAt,
	createdBy: relationshipBody.from,
	createdByDevice: 'DVC1',
	reason,
	oldStatus: null,
	newStatus: 'Active',
});
const [early, late] = ['2030-01-01T00:00:00.000Z', '2030-01-02T00:00:00.000Z'] as const;

let bench: ComparisonBench;
let listed: object[];

beforeEach(async () => {
	listed = [];
	bench = await ComparisonBench.open({
		'GET /api/v2/Relationships': (request, response) => result(listed)(request, response),
	});
});
afterEach(() => bench.close());

const wireOf = (id: string, parts: object = {}) => ({
	...relationshipBody,
	id,
	status: 'Active',
	auditLog: [],
	...parts,
});

const compare = (position = 0) => compareRelationships(bench, position, {});

describe('comparing relationships', () => {
	it.each([
		['Termination', 'RelationshipStatusChanged'],
		['ReactivationRequested', 'RelationshipReactivationRequested'],
		['AcceptanceOfReactivation', 'RelationshipReactivationCompleted'],
	])('finds a change by its newest entry: %s', async (reason, type) => {
		await bench.addRelationships(relationshipRecord('REL1'));
		const auditLog = [entry(reason, late), entry('Creation', early)];
		listed = [wireOf('REL1', { auditLog })];
		expect(await compare()).toStrictEqual({
			compared: 1,
			found: [
				recovered({
					id: `recovered:REL1:Active:2:${bench.now}`,
					type,
					payload: { relationshipId: 'REL1' },
					createdAt: late,
				}),
			],
		});
		// The Backbone guarantees no order of entries.
		listed = [wireOf('REL1', { auditLog: auditLog.toReversed() })];
		expect((await compare()).found).toMatchObject([{ type, createdAt: late }]);
	});

	it('finds the newest of many entries, and the later one of two at the same instant', async () => {
		await bench.addRelationships(relationshipRecord('REL1'));
		const latest = '2030-01-03T00:00:00.000Z';
		const auditLog = [
			entry('Creation', early),
			entry('Termination', late),
			entry('RejectionOfReactivation', latest),
			entry('ReactivationRequested', latest),
		];
		listed = [wireOf('REL1', { auditLog })];
		expect((await compare()).found).toMatchObject([
			{ type: 'RelationshipReactivationRequested', createdAt: latest },
		]);
	});

	it('finds another status, also without an entry', async () => {
		await bench.addRelationships(relationshipRecord('REL1', { status: 'Pending' }));
		listed = [wireOf('REL1')];
		expect((await compare()).found).toMatchObject([
			{
				id: `recovered:REL1:Active:0:${bench.now}`,
				type: 'RelationshipStatusChanged',
				createdAt: relationshipBody.createdAt,
			},
		]);
	});

	it('finds nothing where both sides agree, or the list has no such relationship', async () => {
		const [first, second] = [relationshipRecord('REL1'), relationshipRecord('REL2')];
		await bench.addRelationships(first, second);
		listed = [wireOf('REL1')];
		expect(await compare()).toStrictEqual({ compared: 2, found: [] });
	});

	it('reads a group, and continues after it', async () => {
		const all = Array.from({ length: 50 }, (_, index) => relationshipRecord(`REL${index}`));
		await bench.addRelationships(...all);
		const first = await compare();
		expect(first).toStrictEqual({ compared: 50, found: [], next: expect.any(Number) });
		await bench.addRelationships(relationshipRecord('REL50'));
		expect(await compare(first.next)).toStrictEqual({ compared: 1, found: [] });
	});
});
