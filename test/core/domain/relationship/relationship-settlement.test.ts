import type { RelationshipRecord } from '../../../../core/model/record/relationship';
import { failureOf, problem, result } from '../../backbone/fixture-server';
import { relationshipRecord } from '../../sync/reconciliation/comparison-bench';
import { alreadyDecomposed, id, recordNotFound, RelationshipBench } from './relationship-bench';

/* What a sync does about operations whose answer was lost. */

let bench: RelationshipBench;
beforeEach(async () => {
	bench = await RelationshipBench.open();
});
afterEach(() => bench.close());

const patienceMs = 90_000;

const begin = (action: string, parts: Partial<RelationshipRecord> = {}): Promise<void> =>
	bench.add({
		auditLog: [bench.entry('peer', 'Creation')],
		operation: `${action}@${bench.now}`,
		...parts,
	});

const unchanged = () =>
	bench.created({ status: 'Active', auditLog: [bench.wireEntry('peer', 'Creation')] });

const withEntry = (...entry: Parameters<RelationshipBench['wireEntry']>) =>
	bench.created({
		status: 'Terminated',
		auditLog: [bench.wireEntry('peer', 'Creation'), bench.wireEntry(...entry)],
	});

const operation = async () => (await bench.record())?.operation;

describe('an operation without an answer', () => {
	it('is found out by reading the relationship again', async () => {
		await begin('terminate');
		bench.answer('GET ', result([withEntry('us', 'Termination', 1)]));
		expect(await bench.settle()).toEqual([id]);
		expect(await bench.record()).toMatchObject({ status: 'Terminated' });
		expect(await operation()).toBeUndefined();
		expect(await bench.published()).toEqual(['transport.relationshipChanged']);
		expect(await bench.settle()).toStrictEqual([]);
		expect(bench.called).toEqual(['GET ']);
	});

	it.each([
		[patienceMs - 1, false],
		[patienceMs, true],
	])('that changed nothing is forgotten after %i ms: %s', async (ms, isForgotten) => {
		await begin('terminate');
		bench.answer('GET ', result([unchanged()]));
		bench.clock.advance(ms);
		expect(await bench.settle()).toEqual(isForgotten ? [id] : []);
		expect((await operation()) === undefined).toBe(isForgotten);
	});

	it.each([
		[patienceMs - 1, false],
		[patienceMs, true],
	])('on a relationship that is hidden is forgotten after %i ms: %s', async (ms, isForgotten) => {
		await begin('terminate');
		bench.answer('GET ', result([]));
		bench.clock.advance(ms);
		expect(await bench.settle()).toEqual(isForgotten ? [id] : []);
		expect((await operation()) === undefined).toBe(isForgotten);
		expect(await bench.record()).toMatchObject({ status: 'Active' });
	});

	it('goes on after an action of the peer, which is stored', async () => {
		await begin('terminate');
		bench.answer('GET ', result([withEntry('peer', 'Termination', 1)]));
		expect(await bench.settle()).toEqual([id]);
		expect(await bench.record()).toMatchObject({ status: 'Terminated' });
		expect(await operation()).toBeDefined();
	});

	it('does not bring back a relationship that is removed during the look', async () => {
		await bench.addTemplate('us');
		await begin('terminate');
		bench.answer('GET ', (request, response) => {
			const removal = bench.store.transact((tx) => tx.relationships.delete(id));
			void removal.then(() => result([withEntry('us', 'Termination', 1)])(request, response));
		});
		expect(await bench.settle()).toStrictEqual([]);
		expect(await bench.record()).toBeUndefined();
	});

	it('is tried again if the answer is not readable', async () => {
		await begin('terminate');
		bench.answer('GET ', result([{ id }]));
		expect(await bench.settle()).toStrictEqual([]);
		expect(await bench.record()).toMatchObject({
			operation: `terminate@${bench.now}`,
			retry: { attempts: 1, lastFailure: { code: 'error.gateway.backbone.unexpectedAnswer' } },
		});
	});

	it('is left alone while it is in progress in this process', async () => {
		await bench.add({ auditLog: [bench.entry('peer', 'Creation')] });
		let during: readonly string[] | undefined;
		bench.answer('PUT /REL1/Terminate', (_request, response) => {
			const settled = bench.settle().then((ids) => (during = ids));
			void settled.then(() => result(withEntry('us', 'Termination', 1))(_request, response));
		});
		await bench.actions.take('terminate', id);
		expect(during).toEqual([]);
		expect(bench.called).toEqual(['PUT /REL1/Terminate']);
	});

	it('does not stop that of another relationship', async () => {
		await begin('terminate');
		const other = relationshipRecord('REL2', { operation: `terminate@${bench.now}` });
		const secrets = { template: { secretKey: 'A'.repeat(43) } };
		await bench.store.transact((tx) => tx.relationships.insert(other, secrets));
		bench.answer('GET ', (request, response) => {
			const isFirst = request.url.includes('REL1');
			(isFirst ? problem(403, 'error.platform.forbidden') : result([]))(request, response);
		});
		bench.clock.advance(patienceMs);
		expect(await bench.settle()).toEqual(['REL2']);
	});

	it('waits if the sync is aborted', async () => {
		await begin('terminate');
		const abort = new AbortController();
		bench.answer('GET ', () => abort.abort());
		expect(await failureOf(bench.settle(abort.signal))).toBe(abort.signal.reason);
		expect(await operation()).toBeDefined();
		expect(await bench.record()).not.toHaveProperty('retry');
	});
});

describe('a decomposition without an answer', () => {
	const begun = () => begin('decompose', { status: 'Terminated' });

	it.each([
		['refuses to show it', problem(400, alreadyDecomposed)],
		['has forgotten it', problem(404, recordNotFound)],
	])('is over if the Backbone %s', async (_how, answer) => {
		await begun();
		bench.answer('GET /REL1', answer);
		expect(await bench.settle()).toEqual([id]);
		expect(await bench.record()).toBeUndefined();
		expect(await bench.published()).toEqual(['transport.relationshipDecomposedBySelf']);
		expect(bench.called).toEqual(['GET /REL1']);
	});

	it('is over if the Backbone shows it as decomposed by this account', async () => {
		await begun();
		bench.answer('GET /REL1', result(withEntry('us', 'Decomposition', 1)));
		expect(await bench.settle()).toEqual([id]);
		expect(await bench.record()).toBeUndefined();
	});

	it('is not over if the Backbone shows it as decomposed by the peer', async () => {
		await begun();
		const wire = { ...withEntry('peer', 'Decomposition', 1), status: 'DeletionProposed' };
		bench.answer('GET /REL1', result(wire));
		expect(await bench.settle()).toEqual([id]);
		expect(await bench.record()).toMatchObject({ status: 'DeletionProposed' });
	});

	it('is forgotten if the Backbone shows no trace of it long afterwards', async () => {
		await begun();
		const wire = { ...unchanged(), status: 'Terminated' };
		bench.answer('GET /REL1', result(wire));
		expect(await bench.settle()).toStrictEqual([]);
		bench.clock.advance(patienceMs);
		expect(await bench.settle()).toEqual([id]);
		expect(await bench.record()).toMatchObject({ status: 'Terminated' });
		expect(await operation()).toBeUndefined();
	});

	it('is tried again after another refusal', async () => {
		await begun();
		bench.answer('GET /REL1', problem(403, 'error.platform.forbidden'));
		expect(await bench.settle()).toStrictEqual([]);
		expect(await bench.record()).toMatchObject({ retry: { attempts: 1 } });
	});
});
