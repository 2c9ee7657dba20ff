import type { RelationshipRecord } from '../../../../core/model/record/relationship';
import { comparePeers } from '../../../../core/sync/reconciliation/peer-comparison';
import { empty, failureOf, problem, result, type Responder } from '../../backbone/fixture-server';
import { ComparisonBench, recovered, relationshipRecord } from './comparison-bench';

const planned = result({
	canCreate: false,
	code: 'error.platform.validation.relationship.peerIsToBeDeleted',
});
const living = result({
	canCreate: false,
	code: 'error.platform.validation.relationship.relationshipToTargetAlreadyExists',
});

let bench: ComparisonBench;
/** Answers by peer. */
let answers: Record<string, Responder>;

beforeEach(async () => {
	answers = {};
	bench = await ComparisonBench.open({
		'GET /api/v2/Relationships/CanCreate': (request, response) =>
			(answers[request.query.get('peer') ?? ''] ?? living)(request, response),
	});
});
afterEach(() => bench.close());

const compare = (position: number, looks: Parameters<typeof comparePeers>[2]) =>
	comparePeers(bench, position, looks, {});

const askedPeers = (): string[] =>
	bench.server.calls('/api/v2/Relationships/CanCreate').map(({ query }) => query.get('peer') ?? '');

const add = async (count: number, parts: Partial<RelationshipRecord> = {}): Promise<void> =>
	await bench.addRelationships(
		...Array.from({ length: count }, (_, index) =>
			relationshipRecord(`REL${index}`, { peer: `peer-${index}`, ...parts }),
		),
	);

const info = (deletionStatus: 'ToBeDeleted' | 'Deleted') => ({
	peerDeletionInfo: { deletionStatus, deletionDate: '2030-02-01T00:00:00.000Z' },
});

describe('comparing peers', () => {
	it('finds those whose deletion was planned, and those whose plan was cancelled', async () => {
		await bench.addRelationships(
			relationshipRecord('REL0', { peer: 'planned' }),
			relationshipRecord('REL1', { peer: 'cancelled', ...info('ToBeDeleted') }),
			relationshipRecord('REL2', { peer: 'planned as known', ...info('ToBeDeleted') }),
			relationshipRecord('REL3', { peer: 'living' }),
		);
		answers = { planned, 'planned as known': planned };
		expect(await compare(0, { isAll: true })).toStrictEqual({
			compared: 4,
			found: [
				recovered({
					id: `recovered:REL0:toBeDeleted:${bench.now}`,
					type: 'PeerToBeDeleted',
					payload: { relationshipId: 'REL0', deletionDate: bench.now },
					createdAt: bench.now,
				}),
				recovered({
					id: `recovered:REL1:deletionCancelled:${bench.now}`,
					type: 'PeerDeletionCancelled',
					payload: { relationshipId: 'REL1' },
					createdAt: bench.now,
				}),
			],
		});
	});

	it('leaves out relationships that are over, and peers that are deleted', async () => {
		const statuses = ['Pending', 'Active', 'Terminated', 'Rejected', 'Revoked', 'DeletionProposed'];
		await bench.addRelationships(
			...statuses.map((status) =>
				relationshipRecord(`REL-${status}`, {
					peer: status,
					status: status as RelationshipRecord['status'],
				}),
			),
			relationshipRecord('REL-deleted', { peer: 'deleted', ...info('Deleted') }),
		);
		expect(await compare(0, { isAll: true })).toStrictEqual({ compared: 3, found: [] });
		expect(askedPeers()).toStrictEqual(['Pending', 'Active', 'Terminated']);
	});

	it('asks for all of a group when all are wanted, and continues after it', async () => {
		await add(50);
		const first = await compare(0, { isAll: true });
		expect(first).toStrictEqual({ compared: 50, found: [], next: expect.any(Number) });
		await bench.addRelationships(relationshipRecord('REL50', { peer: 'peer-50' }));
		expect(await compare(first.next ?? 0, { isAll: true })).toStrictEqual({
			compared: 1,
			found: [],
		});
		expect(askedPeers()).toStrictEqual(Array.from({ length: 51 }, (_, index) => `peer-${index}`));
	});

	it('asks for two in each comparison otherwise, and begins anew at the end', async () => {
		await bench.addRelationships(relationshipRecord('REL-over', { status: 'Revoked' }));
		await add(5);
		let askedTo: number | undefined;
		for (const compared of [2, 2, 1, 2]) {
			const looks = { isAll: false, ...(askedTo === undefined ? {} : { askedTo }) };
			const seen = await compare(7, looks);
			expect(seen).toStrictEqual({ compared, found: [], askedTo: expect.any(Number) });
			askedTo = seen.askedTo ?? -1;
			expect(askedTo === 0).toBe(compared === 1);
		}
		expect(askedPeers()).toStrictEqual([0, 1, 2, 3, 4, 0, 1].map((index) => `peer-${index}`));
	});

	it('begins anew when the last two are the end', async () => {
		await add(2);
		expect(await compare(0, { isAll: false, askedTo: 0 })).toMatchObject({ askedTo: 0 });
	});

	it('begins anew when no other is left to ask', async () => {
		await add(1);
		await bench.addRelationships(relationshipRecord('REL-over', { status: 'Revoked' }));
		const seen = await compare(0, { isAll: false, askedTo: 0 });
		expect(seen).toStrictEqual({ compared: 1, found: [], askedTo: 0 });
	});

	it('passes over a group without a peer to ask', async () => {
		await add(50, { status: 'Revoked' });
		const { position } = await bench.store.read((tx) => tx.relationships.scan(0, 50));
		const seen = await compare(0, { isAll: false, askedTo: 0 });
		expect(seen).toStrictEqual({ compared: 0, found: [], askedTo: position });
	});

	it.each([
		['a refusal', problem(404, 'error.platform.recordNotFound')],
		['an answer that cannot be read', result('no answer')],
		['an answer without content', result(undefined)],
	])('takes a peer for unchanged after %s', async (_kind, answer) => {
		await add(1, info('ToBeDeleted'));
		answers = { 'peer-0': answer };
		expect(await compare(0, { isAll: true })).toStrictEqual({ compared: 1, found: [] });
	});

	it('ends when it is aborted', async () => {
		await add(1);
		const abort = new AbortController();
		answers = { 'peer-0': () => abort.abort() };
		const { signal } = abort;
		const error = await failureOf(comparePeers(bench, 0, { isAll: true }, { signal }));
		expect(error).toBe(signal.reason);
	});

	it('ends when the Backbone does not answer', async () => {
		await add(1);
		answers = { 'peer-0': empty(503) };
		const error = await failureOf(compare(0, { isAll: true }));
		expect(error['kind']).toBe('unavailable');
	});
});
