import type { AuditLogEntry } from '../../../../core/model/record/relationship';
import { failureOf, problem, result } from '../../backbone/fixture-server';
import {
	alreadyDecomposed,
	during,
	id,
	recordNotFound,
	RelationshipBench,
} from './relationship-bench';

let bench: RelationshipBench;
beforeEach(async () => {
	bench = await RelationshipBench.open();
});
afterEach(() => bench.close());

const refusal = problem(400, 'error.platform.validation.relationship.someReason');

describe('a decomposition', () => {
	const decomposed = 'transport.relationshipDecomposedBySelf';
	const call = 'PUT /REL1/Decompose';
	const shown = (reason: AuditLogEntry['reason']) =>
		bench.created({
			status: 'DeletionProposed',
			auditLog: [bench.wireEntry('peer', 'Termination'), bench.wireEntry('us', reason, 3)],
		});
	const leftAt = async (): Promise<unknown> => {
		const rows = await bench.store.read((tx) => tx.inbox.list());
		return rows.map(({ record }) => record.payload['leftAt'])[0];
	};

	beforeEach(() =>
		bench.add({ status: 'Terminated', auditLog: [bench.entry('peer', 'Termination')] }),
	);

	it('removes the relationship, with the time of the Backbone', async () => {
		let marked: unknown;
		const look = async (): Promise<void> => {
			marked = (await bench.record())?.operation;
		};
		bench.answer(call, during(look, result(shown('Decomposition'))));
		await bench.actions.decompose(id);
		expect(marked).toBe(`decompose@${bench.now}`);
		expect(await bench.record()).toBeUndefined();
		expect(await bench.published()).toEqual([decomposed]);
		expect(await leftAt()).toBe('2030-01-01T00:03:00.000Z');
		expect(bench.actions.isUnderWay(id)).toBe(false);
	});

	it.each([
		['has been made before', 400, alreadyDecomposed],
		['has no relationship at the Backbone', 404, recordNotFound],
	])('removes the relationship if it %s', async (_why, status, code) => {
		bench.answer(call, problem(status, code));
		await bench.actions.decompose(id);
		expect(await bench.record()).toBeUndefined();
		expect(await leftAt()).toBe('2030-01-01T00:00:00.000Z');
		expect(bench.called).toEqual([call]);
	});

	it('of which an earlier call has been carried out removes the relationship', async () => {
		bench.answer(call, refusal);
		bench.answer('GET /REL1', result(shown('Decomposition')));
		await bench.actions.decompose(id);
		expect(await bench.record()).toBeUndefined();
	});

	it('that is refused changes nothing', async () => {
		bench.answer(call, problem(403, 'error.platform.forbidden'));
		expect((await failureOf(bench.actions.decompose(id)))['kind']).toBe('forbidden');
		const record = await bench.record();
		expect(record).toMatchObject({ status: 'Terminated' });
		expect(record).not.toHaveProperty('operation');
		expect(await bench.published()).toEqual([]);
	});
});
