import { silentLogger } from '../../../../core/base/logger';
import {
	acceptAutomatically,
	autoAcceptConsumer,
} from '../../../../core/domain/relationship/auto-accept';
import type { ConsumeOptions, Delivery } from '../../../../core/events/event-types';
import type { RelationshipRecord } from '../../../../core/model/record/relationship';
import { until } from '../../../support/until';
import { empty, failureOf, problem, result, type Responder } from '../../backbone/fixture-server';
import { id, recordNotFound, RelationshipBench } from './relationship-bench';

const services = {} as Parameters<typeof autoAcceptConsumer>[0];
const onProblem = (): void => undefined;

describe('the consumer that accepts relationships', () => {
	it('reads all pending relationships from the oldest on, one at a time', () => {
		expect(autoAcceptConsumer(services, { onProblem })).toStrictEqual({
			consumer: 'auto-accept',
			filter: { names: ['transport.relationshipChanged'], relationshipStatuses: ['Pending'] },
			...{ startFrom: 'oldest', batchSize: 1, deliver: expect.any(Function) },
		});
	});

	it('has a cursor of its own for each set of templates', () => {
		const templateIds = ['RLT2', 'RLT1', 'RLT2'];
		const { consumer, filter } = autoAcceptConsumer(services, { templateIds, onProblem });
		expect(consumer).toBe('auto-accept:RLT1:RLT2');
		expect(filter).toMatchObject({ templateIds });
	});
});

describe('accepting automatically', () => {
	let attempts: number;
	const optionsWith = (signal: AbortSignal) =>
		({ ...autoAcceptConsumer(services, { onProblem }), signal }) as ConsumeOptions & {
			readonly signal: AbortSignal;
		};

	beforeEach(() => {
		jest.useFakeTimers({ advanceTimers: true, doNotFake: ['nextTick', 'setImmediate', 'Date'] });
		attempts = 0;
	});
	afterEach(() => jest.useRealTimers());

	it('ends when its events end', async () => {
		const consume = (): Promise<void> => {
			attempts++;
			return Promise.resolve();
		};
		const { signal } = new AbortController();
		await acceptAutomatically(consume, optionsWith(signal), silentLogger);
		expect(attempts).toBe(1);
	});

	it('does not begin after its end', async () => {
		const consume = (): Promise<void> => Promise.reject(new Error(`attempt ${++attempts}`));
		await acceptAutomatically(consume, optionsWith(AbortSignal.abort()), silentLogger);
		expect(attempts).toBe(0);
	});

	it('ends with its signal, also while it pauses after a failure', async () => {
		const abort = new AbortController();
		const errors: unknown[] = [];
		const logger = { ...silentLogger, error: (text: string) => errors.push(text) };
		const consume = (): Promise<void> => Promise.reject(new Error(`attempt ${++attempts}`));
		const ended = acceptAutomatically(consume, optionsWith(abort.signal), logger);
		await until(() => errors.length === 1);
		abort.abort();
		await ended;
		expect(attempts).toBe(1);
	});

	it('reports nothing when its signal ends it', async () => {
		const abort = new AbortController();
		const errors: unknown[] = [];
		const logger = { ...silentLogger, error: (text: string) => errors.push(text) };
		const consume = (): Promise<void> => {
			abort.abort();
			return Promise.reject(new Error('aborted'));
		};
		await acceptAutomatically(consume, optionsWith(abort.signal), logger);
		expect(errors).toEqual([]);
	});
});

describe('the delivery of a pending relationship', () => {
	let bench: RelationshipBench;
	let problems: unknown[];
	beforeEach(async () => {
		problems = [];
		bench = await RelationshipBench.open();
	});
	afterEach(() => bench.close());

	const { signal } = new AbortController();
	const event = (data: object) => ({ events: [{ data }] }) as unknown as Delivery;
	const deliver = (delivery = event({ id }), during = signal) => {
		const { relationships, actions: relationshipActions } = bench;
		const report = (problem: unknown): void => void problems.push(problem);
		const consumer = autoAcceptConsumer(
			{ relationships, relationshipActions },
			{ onProblem: report },
		);
		return consumer.deliver(delivery, { signal: during } as never);
	};
	const add = (parts: Partial<RelationshipRecord> = {}) =>
		bench.add({ status: 'Pending', auditLog: [bench.entry('peer', 'Creation')], ...parts });
	const accept = 'PUT /REL1/Accept';
	const parked = { kind: 'parked', reason: expect.any(String) };

	it('accepts it', async () => {
		await add();
		const auditLog = [
			bench.wireEntry('peer', 'Creation'),
			bench.wireEntry('us', 'AcceptanceOfCreation', 1),
		];
		bench.answer(accept, result(bench.created({ status: 'Active', auditLog })));
		expect(await deliver()).toEqual({ kind: 'accepted' });
		expect(await bench.record()).toMatchObject({ status: 'Active' });
		expect(problems).toEqual([]);
	});

	it.each<[string, Partial<RelationshipRecord>]>([
		['was created by this account', { createdByUs: true }],
		['is not pending any more', { status: 'Active' }],
	])('is done without a call if it %s', async (_why, parts) => {
		await add(parts);
		expect(await deliver()).toEqual({ kind: 'accepted' });
		expect(bench.called).toEqual([]);
	});

	it('is done if it names no relationship', async () => {
		expect(await deliver({ events: [] } as unknown as Delivery)).toEqual({ kind: 'accepted' });
		expect(await deliver(event({ id: 1 }))).toEqual({ kind: 'accepted' });
	});

	it('is repeated half a minute later if the Backbone does not answer', async () => {
		await add();
		bench.answer(accept, empty(503));
		expect(await deliver()).toMatchObject({ kind: 'repeat', afterMs: 30_000 });
		expect(problems).toEqual([]);
	});

	it.each<[string, Responder, boolean]>([
		['gone', problem(404, recordNotFound), false],
		['decided', problem(400, 'error.platform.validation.relationship.x'), false],
		['refused', problem(403, 'error.platform.forbidden', 'No.'), true],
	])('is parked if it is %s', async (_why, answer, isReported) => {
		await add();
		bench.answer(accept, answer);
		bench.answer(
			'GET /REL1',
			result(bench.created({ auditLog: [bench.wireEntry('peer', 'Creation')] })),
		);
		expect(await deliver()).toEqual(parked);
		expect(problems).toEqual(
			isReported
				? [
						{
							code: 'error.platform.forbidden',
							message: expect.stringContaining('No.'),
							remedy: expect.any(String),
						},
					]
				: [],
		);
	});

	it('is parked if the relationship is unknown', async () => {
		expect(await deliver()).toEqual(parked);
		expect(problems).toEqual([]);
	});

	it('fails if it is aborted', async () => {
		await add();
		const abort = new AbortController();
		bench.answer(accept, () => abort.abort());
		const { signal: during } = abort;
		expect(await failureOf(Promise.resolve(deliver(event({ id }), during)))).toBe(during.reason);
		expect(problems).toEqual([]);
	});

	it('is not begun after the end, and not repeated if the client is closed with it', async () => {
		await add({ status: 'Active' });
		const during = AbortSignal.abort(new Error('ended'));
		expect(await failureOf(Promise.resolve(deliver(event({ id }), during)))).toBe(during.reason);
		await bench.store.transact((tx) => tx.relationships.delete(id));
		await add();
		const abort = new AbortController();
		bench.answer(accept, () => {
			void bench.client.close();
			abort.abort();
		});
		const closing = Promise.resolve(deliver(event({ id }), abort.signal));
		expect(await failureOf(closing)).toBe(abort.signal.reason);
	});

	it('fails if the gateway has a defect', async () => {
		await add();
		const defect = new TypeError('The clock is broken');
		jest.spyOn(bench.clock, 'now').mockImplementation(() => {
			throw defect;
		});
		expect(await failureOf(Promise.resolve(deliver()))).toBe(defect);
		expect(problems).toEqual([]);
	});
});
