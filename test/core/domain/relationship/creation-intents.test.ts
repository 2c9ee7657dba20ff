import { loosely } from '../../../support/loosely';
import { silentLogger } from '../../../../core/base/logger';
import {
	beginCreation,
	endCreation,
	endLostCreations,
	openCreations,
	waitBeforeCreatingAgainMs,
} from '../../../../core/domain/relationship/creation-intents';
import type { RelationshipDependencies } from '../../../../core/domain/relationship/relationship-dependencies';
import type { InboxEvent } from '../../../../core/model/record/sync';
import type { TemplateRecord } from '../../../../core/model/record/template';
import { templateRecord } from '../../../support/records';
import { empty, failureOf, problem, result, type Responder } from '../../backbone/fixture-server';
import { ComparisonBench } from '../../sync/reconciliation/comparison-bench';

const dayMs = 24 * 3_600_000;
const patienceMs = 2 * 60_000;

const pendingAtBackbone = result({ canCreate: false, code: 'error.platform.some' });
const nonePending = result({ canCreate: true });

let bench: ComparisonBench;
let canCreate: Responder;

beforeEach(async () => {
	canCreate = pendingAtBackbone;
	bench = await ComparisonBench.open({
		'GET /api/v2/Relationships/CanCreate': (request, response) => canCreate(request, response),
	});
});
afterEach(() => bench.close());

const context = (): RelationshipDependencies => {
	const { store, backbone, clock } = bench;
	const context = { store, backbone, clock, logger: silentLogger };
	return context as unknown as RelationshipDependencies;
};

const begin = async (id: string, templateId = 'RLT1'): Promise<void> =>
	await bench.store.transact((tx) =>
		beginCreation(tx, { id, templateId, creationContent: loosely({}), request: {} }, bench),
	);

const open = async (templateId = 'RLT1'): Promise<string[]> =>
	(await bench.store.read((tx) => openCreations(tx, templateId))).map(({ record }) => record.id);

const intent = async (id: string) =>
	(await bench.store.read((tx) => tx.relationshipIntents.get(id)))?.record;

const addTemplate = async (parts: Partial<TemplateRecord> = {}): Promise<void> => {
	const record = templateRecord('RLT1', { isOwn: false, createdBy: 'the peer', ...parts });
	await bench.store.transact((tx) => tx.templates.insert(record, { secretKey: 'k' }));
};

const hasTemplate = async (): Promise<boolean> =>
	(await bench.store.read((tx) => tx.templates.get('RLT1'))) !== undefined;

const addEvent = async (state: InboxEvent['state']): Promise<void> => {
	const event: InboxEvent = {
		...{ id: `SYI-${state}`, runId: 'SYR1', type: 'RelationshipStatusChanged', index: 0 },
		...{ createdAt: bench.now, payload: {}, state, attempts: 0 },
	};
	await bench.store.transact((tx) => tx.inbox.insert(event, undefined));
};

const asked = (): unknown[] =>
	bench.server.calls('/api/v2/Relationships/CanCreate').map(({ query }) => query.get('peer'));

describe('a creation whose answer may be lost', () => {
	it('is stored with its template and its time', async () => {
		await begin('one');
		await begin('other', 'RLT2');
		expect(await open()).toEqual(['one']);
		expect(await intent('one')).toStrictEqual({
			...{ id: 'one', templateId: 'RLT1', createdAt: bench.now, creationContent: {} },
		});
	});

	it('replaces the oldest of twenty for its template', async () => {
		const ids = Array.from({ length: 20 }, (_, index) => `creation ${index}`);
		for (const id of ids) await begin(id);
		expect(await open()).toEqual(ids);
		await begin('another');
		expect(await open()).toEqual([...ids.slice(1), 'another']);
	});

	it.each([
		[{ deletedAt: '2030-01-01T00:00:00.000Z' }, false],
		[{}, true],
		[{ isOwn: true, deletedAt: '2030-01-01T00:00:00.000Z' }, true],
	])('takes its template with it when it ends: %j, left: %s', async (parts, isLeft) => {
		await addTemplate(parts);
		for (const id of ['one', 'two']) await begin(id);
		const end = (id: string) => bench.store.transact((tx) => endCreation(tx, id));
		await end('one');
		expect(await open()).toEqual(['two']);
		expect(await hasTemplate()).toBe(true);
		await end('two');
		await end('two');
		expect(await open()).toEqual([]);
		expect(await hasTemplate()).toBe(isLeft);
	});
});

describe('creations that never arrived', () => {
	const endLost = () => endLostCreations(context(), {});

	beforeEach(async () => {
		await addTemplate();
		await begin('one');
	});

	it('are looked for a day later, and then once a day', async () => {
		bench.clock.advance(dayMs - 1);
		await endLost();
		expect(asked()).toEqual([]);
		bench.clock.advance(1);
		await endLost();
		expect(asked()).toEqual(['the peer']);
		expect((await intent('one'))?.checkedAt).toBe(bench.now);
		bench.clock.advance(dayMs - 1);
		await endLost();
		expect(asked()).toHaveLength(1);
		bench.clock.advance(1);
		await endLost();
		expect(asked()).toHaveLength(2);
	});

	it('end when none is pending at the Backbone', async () => {
		canCreate = nonePending;
		bench.clock.advance(dayMs);
		await endLost();
		expect(await open()).toEqual([]);
	});

	it('end when their template is gone, without a call', async () => {
		await bench.store.transact((tx) => tx.templates.delete('RLT1'));
		bench.clock.advance(dayMs);
		await endLost();
		expect(await open()).toEqual([]);
		expect(asked()).toEqual([]);
	});

	it('end when the owner of their template is gone', async () => {
		canCreate = problem(404, 'error.platform.recordNotFound', 'Identity not found.');
		bench.clock.advance(dayMs);
		await endLost();
		expect(await open()).toEqual([]);
	});

	it.each([
		['does not answer', empty(503)],
		['refuses the question', problem(403, 'error.platform.forbidden')],
	])('stay if the Backbone %s', async (_kind, answer) => {
		canCreate = answer;
		bench.clock.advance(dayMs);
		await endLost();
		expect(await open()).toEqual(['one']);
		expect((await intent('one'))?.checkedAt).toBe(bench.now);
	});

	it('stay if the question is aborted', async () => {
		const abort = new AbortController();
		canCreate = () => abort.abort();
		bench.clock.advance(dayMs);
		const { signal } = abort;
		expect(await failureOf(endLostCreations(context(), { signal }))).toBe(signal.reason);
		expect(await open()).toEqual(['one']);
	});

	it('stay if the gateway has a defect, which is not hidden', async () => {
		const defect = new TypeError('The client is broken');
		const relationships = { canCreate: () => Promise.reject(defect) };
		const broken = { ...context(), backbone: { relationships } } as never;
		bench.clock.advance(dayMs);
		expect(await failureOf(endLostCreations(broken, {}))).toBe(defect);
		expect((await intent('one'))?.checkedAt).toBeUndefined();
	});

	it('need no change if they have ended during the question', async () => {
		canCreate = (request, response) =>
			void endDuringCall('one').then(() => pendingAtBackbone(request, response));
		bench.clock.advance(dayMs);
		await endLost();
		expect(await open()).toEqual([]);
	});

	it.each([
		['pending', 0],
		['done', 1],
	] as const)('are not looked for while an event is %s: %i calls', async (state, calls) => {
		await addEvent(state);
		bench.clock.advance(dayMs);
		await endLost();
		expect(asked()).toHaveLength(calls);
	});
});

/** Ends a creation as a sync does. */
const endDuringCall = (id: string): Promise<void> =>
	bench.store.transact((tx) => endCreation(tx, id));

describe('the wait before a creation is repeated', () => {
	const waitMs = () => waitBeforeCreatingAgainMs('RLT1', context(), {});

	beforeEach(() => {
		canCreate = nonePending;
	});

	it('is none without an earlier one, and without a template', async () => {
		await addTemplate();
		expect(await waitMs()).toBe(0);
		await bench.store.transact((tx) => tx.templates.delete('RLT1'));
		await begin('one');
		expect(await waitMs()).toBe(0);
		expect(asked()).toEqual([]);
	});

	it('is none while one is pending at the Backbone', async () => {
		await addTemplate();
		await begin('one');
		canCreate = pendingAtBackbone;
		expect(await waitMs()).toBe(0);
		expect(asked()).toEqual(['the peer']);
		expect((await intent('one'))?.absentSince).toBeUndefined();
	});

	it('is two minutes after none was pending for the first time', async () => {
		await addTemplate();
		for (const id of ['one', 'two']) await begin(id);
		expect(await waitMs()).toBe(patienceMs);
		expect((await intent('one'))?.absentSince).toBeUndefined();
		expect((await intent('two'))?.absentSince).toBe(bench.now);
		bench.clock.advance(50_000);
		expect(await waitMs()).toBe(patienceMs - 50_000);
		bench.clock.advance(patienceMs);
		expect(await waitMs()).toBe(0);
	});

	it('is two minutes also if the earlier one has ended during the question', async () => {
		await addTemplate();
		await begin('one');
		canCreate = (request, response) =>
			void endDuringCall('one').then(() => nonePending(request, response));
		expect(await waitMs()).toBe(patienceMs);
		expect(await open()).toEqual([]);
	});

	it('begins anew while an event waits that may be about it', async () => {
		await addTemplate();
		await begin('one');
		await waitMs();
		await addEvent('done');
		bench.clock.advance(2 * patienceMs);
		expect(await waitMs()).toBe(0);
		await addEvent('pending');
		expect(await waitMs()).toBe(patienceMs);
	});
});
