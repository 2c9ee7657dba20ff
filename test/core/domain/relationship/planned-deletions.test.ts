import { silentLogger } from '../../../../core/base/logger';
import { reviewPlannedDeletions } from '../../../../core/domain/relationship/planned-deletions';
import { RelationshipService } from '../../../../core/domain/relationship/relationship-service';
import type { RelationshipRecord } from '../../../../core/model/record/relationship';
import { empty, failureOf, problem, result, type Responder } from '../../backbone/fixture-server';
import { ComparisonBench, relationshipRecord } from '../../sync/reconciliation/comparison-bench';

const living = result({ canCreate: false, code: 'error.platform.some' });
const planned = result({
	canCreate: false,
	code: 'error.platform.validation.relationship.peerIsToBeDeleted',
});
const info = { deletionStatus: 'ToBeDeleted', deletionDate: '2030-02-01T00:00:00.000Z' } as const;

let bench: ComparisonBench;
let answer: Responder;

beforeEach(async () => {
	answer = living;
	bench = await ComparisonBench.open({
		'GET /api/v2/Relationships/CanCreate': (request, response) => answer(request, response),
	});
});
afterEach(() => bench.close());

const review = async (peers: readonly string[], signal?: AbortSignal): Promise<void> => {
	const { store, backbone, clock } = bench;
	const account = { backboneBaseUrl: bench.server.baseUrl };
	const context = { store, backbone, clock, account, logger: silentLogger };
	const relationships = new RelationshipService(
		context as unknown as ConstructorParameters<typeof RelationshipService>[0],
	);
	await reviewPlannedDeletions(relationships, peers, { signal });
};

const asked = (): unknown[] =>
	bench.server.calls('/api/v2/Relationships/CanCreate').map(({ query }) => query.get('peer'));

const add = (id: string, parts: Partial<RelationshipRecord>): Promise<void> =>
	bench.addRelationships(relationshipRecord(id, { peer: `peer of ${id}`, ...parts }));

const infoOf = async (id: string) =>
	(await bench.store.read((tx) => tx.relationships.get(id)))?.record.peerDeletionInfo;

const events = async (): Promise<string[]> =>
	(await bench.store.read((tx) => tx.outbox.readAfter(0, 10))).map(({ name }) => name);

describe('the planned deletion of a peer', () => {
	it('that was cancelled is forgotten, which is published', async () => {
		await add('REL1', { peerDeletionInfo: info });
		await review(['peer of REL1']);
		expect(await infoOf('REL1')).toBeUndefined();
		expect(await events()).toContain('transport.peerDeletionCancelled');
	});

	it('costs a call only for named peers that are marked', async () => {
		await add('REL1', { peerDeletionInfo: info });
		await add('REL2', {});
		await add('REL3', { peerDeletionInfo: { ...info, deletionStatus: 'Deleted' } });
		await add('REL4', { peerDeletionInfo: info });
		await review([]);
		expect(asked()).toEqual([]);
		await review(['peer of REL1', 'peer of REL2', 'peer of REL3', 'nobody']);
		expect(asked()).toEqual(['peer of REL1']);
		expect(await infoOf('REL4')).toEqual(info);
	});

	it.each([
		['is still planned', planned],
		['is not known', empty(503)],
		['is over', problem(404, 'error.platform.recordNotFound', 'Identity not found.')],
	])('stays if it %s at the Backbone, and others are looked at', async (_kind, first) => {
		await add('REL1', { peerDeletionInfo: info });
		await add('REL2', { peerDeletionInfo: info });
		answer = (request, response) =>
			(request.query.get('peer') === 'peer of REL1' ? first : living)(request, response);
		await review(['peer of REL1', 'peer of REL2']);
		expect(await infoOf('REL1')).toEqual(info);
		expect(await infoOf('REL2')).toBeUndefined();
	});

	it.each([
		['was planned anew', { ...info, deletionDate: '2030-03-01T00:00:00.000Z' }],
		['has happened', { ...info, deletionStatus: 'Deleted' as const }],
	])('stays if it %s during the call', async (_kind, meanwhile) => {
		await add('REL1', { peerDeletionInfo: info });
		answer = (request, response) => {
			const change = bench.store.transact(async (tx) => {
				const entry = await tx.relationships.get('REL1');
				if (entry === undefined) throw new Error('The relationship is gone');
				await tx.relationships.update({ ...entry.record, peerDeletionInfo: meanwhile });
			});
			void change.then(() => living(request, response));
		};
		await review(['peer of REL1']);
		expect(await infoOf('REL1')).toEqual(meanwhile);
		expect(await events()).toEqual([]);
	});

	it('needs no change if the relationship is removed during the call', async () => {
		await add('REL1', { peerDeletionInfo: info });
		answer = (request, response) => {
			const removal = bench.store.transact((tx) => tx.relationships.delete('REL1'));
			void removal.then(() => living(request, response));
		};
		await review(['peer of REL1']);
		expect(await events()).toEqual([]);
	});

	it('needs no change if the mark is removed during the call', async () => {
		await add('REL1', { peerDeletionInfo: info });
		answer = (request, response) => {
			const change = bench.store.transact(async (tx) => {
				const entry = await tx.relationships.get('REL1');
				if (entry === undefined) throw new Error('The relationship is gone');
				const { peerDeletionInfo: _mark, ...rest } = entry.record;
				await tx.relationships.update(rest);
			});
			void change.then(() => living(request, response));
		};
		await review(['peer of REL1']);
		expect(await events()).toEqual([]);
	});

	it('is looked at later if the look is aborted', async () => {
		await add('REL1', { peerDeletionInfo: info });
		const abort = new AbortController();
		answer = () => abort.abort();
		expect(await failureOf(review(['peer of REL1'], abort.signal))).toBe(abort.signal.reason);
		expect(await infoOf('REL1')).toEqual(info);
	});
});
