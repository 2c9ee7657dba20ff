import type { StatusAction } from '../../../../core/domain/relationship/relationship-transitions';
import type { AuditLogEntry, RelationshipStatus } from '../../../../core/model/record/relationship';
import { empty, failureOf, problem, result, type Responder } from '../../backbone/fixture-server';
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

interface Step {
	readonly action: StatusAction;
	readonly path: string;
	readonly before: RelationshipStatus;
	readonly last: readonly ['us' | 'peer', AuditLogEntry['reason']];
	readonly after: RelationshipStatus;
	readonly reason: AuditLogEntry['reason'];
	readonly notified?: string;
	readonly syncs?: number;
}

const asked = 'ReactivationRequested';

const steps: readonly Step[] = [
	{
		...{ action: 'accept', path: 'Accept', before: 'Pending', last: ['peer', 'Creation'] },
		...{ after: 'Active', reason: 'AcceptanceOfCreation', notified: 'Accepted', syncs: 1 },
	},
	{
		...{ action: 'reject', path: 'Reject', before: 'Pending', last: ['peer', 'Creation'] },
		...{ after: 'Rejected', reason: 'RejectionOfCreation', notified: 'Ended' },
	},
	{
		...{ action: 'revoke', path: 'Revoke', before: 'Pending', last: ['us', 'Creation'] },
		...{ after: 'Revoked', reason: 'RevocationOfCreation', notified: 'Ended' },
	},
	{
		...{ action: 'terminate', path: 'Terminate', before: 'Active' },
		...{ last: ['peer', 'AcceptanceOfCreation'], after: 'Terminated', reason: 'Termination' },
	},
	{
		...{ action: 'requestReactivation', path: 'Reactivate', before: 'Terminated' },
		...{ last: ['peer', 'Termination'], after: 'Terminated', reason: asked },
	},
	{
		...{ action: 'acceptReactivation', path: 'Reactivate/Accept', before: 'Terminated' },
		...{ last: ['peer', asked], after: 'Active', reason: 'AcceptanceOfReactivation', syncs: 1 },
	},
	{
		...{ action: 'rejectReactivation', path: 'Reactivate/Reject', before: 'Terminated' },
		...{ last: ['peer', asked], after: 'Terminated', reason: 'RejectionOfReactivation' },
	},
	{
		...{ action: 'revokeReactivation', path: 'Reactivate/Revoke', before: 'Terminated' },
		...{ last: ['us', asked], after: 'Terminated', reason: 'RevocationOfReactivation' },
	},
];

const terminated: Step = steps[3] as Step;

const retry = {
	...{ attempts: 1, firstFailedAt: '2029-12-31T00:00:00.000Z' },
	lastFailure: { code: 'error.some', message: 'It failed.' },
};

/** Stores the relationship as it is before the step. */
const arrange = ({ before, last }: Step): Promise<void> =>
	bench.add({ status: before, auditLog: [bench.entry(...last)], retry });

/** The relationship after the step, as the Backbone shows it. */
const after = ({ last, after: status, reason }: Step, by: 'us' | 'peer' = 'us') =>
	bench.created({
		status,
		auditLog: [bench.wireEntry(...last), bench.wireEntry(by, reason, 1)],
	});

const take = ({ action }: Step, signal?: AbortSignal) => bench.actions.take(action, id, { signal });

const refusal = problem(400, 'error.platform.validation.relationship.someReason');

describe('an action on a relationship', () => {
	it.each(steps)('calls the Backbone and stores its answer: $action', async (step) => {
		await arrange(step);
		const { action, path, after: status, reason, notified } = step;
		let marked: unknown;
		let isUnderWay: unknown;
		const look = async (): Promise<void> => {
			marked = await bench.record();
			isUnderWay = bench.actions.isUnderWay(id);
		};
		bench.answer(`PUT /REL1/${path}`, during(look, result(after(step))));
		const dto = await take(step);
		expect(isUnderWay).toBe(true);
		expect(dto).toMatchObject({ id, status });
		expect(dto.auditLog.map((entry) => entry.reason)).toEqual([step.last[1], reason]);
		expect(marked).toMatchObject({ operation: `${action}@${bench.now}` });
		expect(marked).not.toHaveProperty('retry');
		const record = await bench.record();
		expect(record).toMatchObject({ status, auditLog: dto.auditLog });
		expect(record).not.toHaveProperty('operation');
		expect(bench.called).toEqual([`PUT /REL1/${path}`]);
		expect(bench.notified).toEqual(notified === undefined ? [] : [`relationship${notified} REL1`]);
		expect(bench.wakes).toBe(step.syncs ?? 0);
		expect((await bench.published())[0]).toBe('transport.relationshipChanged');
		expect(bench.actions.isUnderWay(id)).toBe(false);
	});

	it('is refused without a call where the table of actions forbids it', async () => {
		await bench.add({ auditLog: [bench.entry('us', 'Creation')] });
		const error = await failureOf(bench.actions.take('accept', id));
		expect(error['code']).toBe('error.transport.relationships.wrongRelationshipStatus');
		expect(bench.called).toEqual([]);
		expect(await bench.record()).not.toHaveProperty('operation');
		expect(bench.actions.isUnderWay(id)).toBe(false);
	});

	it('needs a relationship', async () => {
		for (const work of [bench.actions.take('accept', id), bench.actions.decompose(id)]) {
			const error = await failureOf(work);
			expect([error['code'], error['facts']]).toEqual([
				'error.runtime.recordNotFound',
				{ relationshipId: id },
			]);
		}
	});

	it('publishes nothing that a sync has published during the call', async () => {
		await arrange(terminated);
		const sync = (): Promise<void> =>
			bench.store.transact((tx) =>
				bench.relationships.receive(tx, { wire: after(terminated), wasKnown: true }),
			);
		bench.answer('PUT /REL1/Terminate', during(sync, result(after(terminated))));
		expect(await take(terminated)).toMatchObject({ status: 'Terminated' });
		expect(await bench.published()).toEqual(['transport.relationshipChanged']);
		expect(await bench.record()).not.toHaveProperty('operation');
	});

	it('only removes its mark when the sync was later than the answer', async () => {
		await arrange(terminated);
		const { auditLog } = after(terminated);
		const later = [...auditLog, bench.wireEntry('peer', asked, 2)];
		let isMarked: unknown;
		const sync = async (): Promise<void> => {
			const wire = { ...after(terminated), auditLog: later };
			await bench.store.transact((tx) => bench.relationships.receive(tx, { wire, wasKnown: true }));
			isMarked = (await bench.record())?.operation !== undefined;
		};
		bench.answer('PUT /REL1/Terminate', during(sync, result(after(terminated))));
		await take(terminated);
		expect(isMarked).toBe(true);
		const record = await bench.record();
		expect(record?.auditLog).toHaveLength(3);
		expect(record).not.toHaveProperty('operation');
	});

	it('has no relationship to store when it was removed during the call', async () => {
		await arrange(terminated);
		const remove = (): Promise<void> =>
			bench.store.transact(async (tx) => void (await tx.relationships.delete(id)));
		bench.answer('PUT /REL1/Terminate', during(remove, result(after(terminated))));
		expect((await failureOf(take(terminated)))['code']).toBe('error.runtime.recordNotFound');
	});
});

describe('an action whose call fails', () => {
	const operation = () => `terminate@${bench.now}`;

	beforeEach(() => arrange(terminated));

	it('keeps its mark if the outcome is unknown', async () => {
		bench.answer('PUT /REL1/Terminate', empty(503));
		expect((await failureOf(take(terminated)))['kind']).toBe('unavailable');
		expect(await bench.record()).toMatchObject({ status: 'Active', operation: operation() });
		expect(bench.called).toEqual(['PUT /REL1/Terminate']);
		expect(bench.actions.isUnderWay(id)).toBe(false);
	});

	it('keeps its mark if it is aborted', async () => {
		const abort = new AbortController();
		bench.answer('PUT /REL1/Terminate', () => abort.abort());
		expect(await failureOf(take(terminated, abort.signal))).toBe(abort.signal.reason);
		expect(await bench.record()).toMatchObject({ operation: operation() });
	});

	it('ends without another look if the refusal is not about the state', async () => {
		bench.answer('PUT /REL1/Terminate', problem(403, 'error.platform.forbidden'));
		expect((await failureOf(take(terminated)))['kind']).toBe('forbidden');
		const record = await bench.record();
		expect(record).toMatchObject({ status: 'Active' });
		expect(record).not.toHaveProperty('operation');
		expect(bench.called).toEqual(['PUT /REL1/Terminate']);
	});

	it('ends with the refusal if the state does not explain it', async () => {
		bench.answer('PUT /REL1/Terminate', refusal);
		const auditLog = [bench.wireEntry('peer', 'AcceptanceOfCreation')];
		bench.answer('GET /REL1', result(bench.created({ status: 'Active', auditLog })));
		const error = await failureOf(take(terminated));
		expect(error['code']).toBe('error.platform.validation.relationship.someReason');
		expect(await bench.record()).not.toHaveProperty('operation');
		expect(await bench.published()).toEqual([]);
	});

	it('ends with the refusal if the Backbone shows no audit log', async () => {
		bench.answer('PUT /REL1/Terminate', refusal);
		bench.answer('GET /REL1', result(bench.created({ status: 'Active', auditLog: [] })));
		const error = await failureOf(take(terminated));
		expect(error['code']).toBe('error.platform.validation.relationship.someReason');
	});

	it.each<[string, Responder]>([
		['refuses it', problem(403, 'error.platform.forbidden')],
		['refuses it for its state', refusal],
	])('brings no removed relationship back if the Backbone %s', async (_how, answer) => {
		await bench.addTemplate('us');
		const remove = (): Promise<void> =>
			bench.store.transact(async (tx) => void (await tx.relationships.delete(id)));
		bench.answer('PUT /REL1/Terminate', during(remove, answer));
		bench.answer('GET /REL1', result(after(terminated, 'peer')));
		expect('kind' in (await failureOf(take(terminated)))).toBe(true);
		expect(await bench.record()).toBeUndefined();
	});

	it('is explained by an action of the peer', async () => {
		bench.answer('PUT /REL1/Terminate', refusal);
		bench.answer('GET /REL1', result(after(terminated, 'peer')));
		const error = await failureOf(take(terminated));
		expect(error['code']).toBe('error.transport.relationships.wrongRelationshipStatus');
		expect(await bench.record()).toMatchObject({ status: 'Terminated' });
		expect(await bench.record()).not.toHaveProperty('operation');
		expect(bench.wakes).toBe(0);
	});

	it('has succeeded if an earlier call has', async () => {
		bench.answer('PUT /REL1/Terminate', refusal);
		bench.answer('GET /REL1', result(after(terminated)));
		expect(await take(terminated)).toMatchObject({ status: 'Terminated' });
		expect(await bench.published()).toEqual(['transport.relationshipChanged']);
		expect(await bench.record()).not.toHaveProperty('operation');
	});

	it('has not succeeded if the newest entry of this account is another one', async () => {
		bench.answer('PUT /REL1/Terminate', refusal);
		const auditLog = [
			bench.wireEntry('peer', 'Creation'),
			bench.wireEntry('us', 'Termination', 1),
			bench.wireEntry('us', asked, 2),
		];
		bench.answer('GET /REL1', result(bench.created({ status: 'Terminated', auditLog })));
		const error = await failureOf(take(terminated));
		expect(error['code']).toBe('error.transport.relationships.wrongRelationshipStatus');
	});

	it('removes the relationship if this account has decomposed it', async () => {
		bench.answer('PUT /REL1/Terminate', refusal);
		bench.answer('GET /REL1', problem(400, alreadyDecomposed));
		const error = await failureOf(take(terminated));
		expect([error['code'], error['facts']]).toEqual([
			'error.runtime.recordNotFound',
			{ relationshipId: id },
		]);
		expect(await bench.record()).toBeUndefined();
		expect(bench.notified).toEqual(['relationshipDecomposed REL1']);
	});

	it('keeps its mark if the state is not answered', async () => {
		bench.answer('PUT /REL1/Terminate', refusal);
		bench.answer('GET /REL1', problem(404, recordNotFound));
		expect((await failureOf(take(terminated)))['code']).toBe('error.runtime.recordNotFound');
		expect(await bench.record()).toMatchObject({ operation: operation() });
	});
});

it('an acceptance that an earlier call has made starts a sync as well', async () => {
	const [accepted] = steps as [Step];
	await arrange(accepted);
	bench.answer('PUT /REL1/Accept', refusal);
	bench.answer('GET /REL1', result(after(accepted)));
	expect(await take(accepted)).toMatchObject({ status: 'Active' });
	expect(bench.wakes).toBe(1);
});
