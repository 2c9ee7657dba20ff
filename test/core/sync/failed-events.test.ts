import { inOneList } from '../../support/backbone/pages';
import { messageErrors } from '../../../core/domain/message/message-errors';
import { dropProblem } from '../../../core/domain/parked-problem';
import type { InboxEvent } from '../../../core/model/record/sync';
import { dueEvents, markDone, recordFailure, tryAgain } from '../../../core/sync/sync-inbox';
import { eventsWaitingForRelationship, nextTryAt } from '../../../core/sync/waiting-events';
import type { Store } from '../../../core/store/store';
import { TestClock } from '../../support/clock';
import { newEvent } from '../../support/records';
import { openMemoryStore } from '../../support/store';

const retryDelaysMs = [2_000, 30_000, 600_000, 3_600_000, 21_600_000];
const hourMs = 3_600_000;

let clock: TestClock;
let store: Store;
beforeEach(async () => {
	clock = new TestClock();
	store = await openMemoryStore(clock);
});
afterEach(() => store.close());

const at = (passedMs: number): string => new Date(clock.now() + passedMs).toISOString();

const eventOf = (id: string, parts: Partial<InboxEvent> = {}): InboxEvent => ({
	id,
	runId: 'SYR1',
	type: 'MessageReceived',
	index: 0,
	createdAt: at(0),
	payload: { id: `MSG-of-${id}` },
	state: 'pending',
	attempts: 0,
	...parts,
});

const add = async (...events: readonly InboxEvent[]): Promise<void> =>
	await store.transact(async (tx) => {
		for (const event of events) await tx.inbox.insert(event, undefined);
	});

const stored = async (id: string): Promise<InboxEvent | undefined> =>
	(await store.read((tx) => tx.inbox.get(id)))?.record;

const published = () => store.read((tx) => tx.outbox.readAfter(0, 10));

const failed = messageErrors.create('notFound', { message: 'There is no such message.' });
const early = messageErrors.create('deliveredTooEarly', { message: 'Too early.' });
const failure = { code: failed.code, message: failed.message };
const earlyFailure = { code: early.code, message: early.message };

const fail = (event: InboxEvent, error: unknown = failed) =>
	recordFailure(store, clock, event, error);

describe('an external event that failed', () => {
	it.each(retryDelaysMs.map((delayMs, attempts) => [attempts, delayMs]))(
		'after %i attempts is tried again in %i ms',
		async (attempts, delayMs) => {
			const event = eventOf('SYI1', { attempts });
			await add(event);
			expect(await fail(event)).toStrictEqual({
				...{ eventId: 'SYI1', type: 'MessageReceived', ...failure },
				parked: false,
			});
			expect(await stored('SYI1')).toStrictEqual({
				...event,
				...{ attempts: attempts + 1, lastFailure: failure, notBefore: at(delayMs) },
			});
			expect(await published()).toEqual([]);
		},
	);

	it('after the last attempt is parked, which is published once', async () => {
		const event = eventOf('SYI1', { attempts: retryDelaysMs.length });
		await add(event);
		expect(await fail(event)).toMatchObject({ parked: true });
		const parked = { ...event, attempts: 6, state: 'parked', lastFailure: failure } as const;
		expect(await stored('SYI1')).toStrictEqual(parked);
		const report = {
			name: 'gateway.externalEventGivenUp',
			createdAt: at(0),
			subject: 'SYI1',
			data: { eventId: 'SYI1', type: 'MessageReceived', ...failure },
		};
		expect(await published()).toMatchObject([report]);
		// A person tries it again, without success.
		await store.transact((tx) => tryAgain(tx, parked));
		const again = (await stored('SYI1')) as InboxEvent;
		expect(again.state).toBe('pending');
		expect(await fail(again)).toMatchObject({ parked: true });
		expect(await published()).toHaveLength(1);
	});

	it.each([
		[0, 0],
		[1, 1_000],
		[2, 600_000],
	])('before its predecessor, after %i attempts, is tried again in %i ms', async (attempts, ms) => {
		const event = eventOf('SYI1', { attempts });
		await add(event);
		await fail(event, early);
		expect(await stored('SYI1')).toMatchObject({ notBefore: at(ms), lastFailure: earlyFailure });
	});

	it('because of a defect shows a general code', async () => {
		const event = eventOf('SYI1');
		await add(event);
		expect(await fail(event, new TypeError('A defect'))).toMatchObject({
			code: 'error.transport.unknown',
			message: 'The event could not be processed.',
		});
	});

	it('and was handled meanwhile stays as it is', async () => {
		const event = eventOf('SYI1');
		await add({ ...event, state: 'done' });
		expect(await fail(event)).toMatchObject({ parked: false });
		expect((await stored('SYI1'))?.state).toBe('done');
		await fail(eventOf('SYI2'));
		expect(await stored('SYI2')).toBeUndefined();
	});

	it('is done if another failed one has the same content', async () => {
		const payload = { id: 'MSG1' };
		const first = eventOf('SYI1', { payload, attempts: 1, state: 'parked' });
		const second = eventOf('SYI2', { payload });
		await add(first, second);
		expect(await fail(second)).toBeUndefined();
		expect(await stored('SYI2')).toStrictEqual({
			...second,
			...{ payload: {}, state: 'done', attempts: 1 },
		});
		expect(await stored('SYI1')).toStrictEqual(first);
	});

	it('is not a repetition of events with other content', async () => {
		const other = eventOf('SYI2', { attempts: 1, lastFailure: failure });
		const done = eventOf('SYI3', { payload: eventOf('SYI1').payload, state: 'done', attempts: 1 });
		await add(eventOf('SYI1'), other, done);
		expect(await fail(eventOf('SYI1'))).toMatchObject({ parked: false });
		expect((await stored('SYI1'))?.state).toBe('pending');
	});

	it('is not a repetition of itself', async () => {
		const event = eventOf('SYI1', { attempts: 1, lastFailure: failure });
		await add(event);
		expect(await fail(event)).toMatchObject({ parked: false });
		expect((await stored('SYI1'))?.attempts).toBe(2);
	});

	it('is due when its time has come', async () => {
		await add(
			eventOf('SYI1', { notBefore: at(0) }),
			eventOf('SYI2', { notBefore: at(1) }),
			eventOf('SYI3', { state: 'parked' }),
			eventOf('SYI4', { state: 'done' }),
		);
		const due = await inOneList(dueEvents(store, clock, {}));
		expect(due.map(({ id }) => id)).toEqual(['SYI1']);
	});
});

describe('handling a stored event', () => {
	const waiting = (state: InboxEvent['state']) =>
		eventOf('SYI1', { state, notBefore: at(1), lastFailure: failure, leftPeers: ['hash'] });

	it('erases its payload once it is done', async () => {
		await add(waiting('pending'));
		await store.transact((tx) => markDone(tx, waiting('pending')));
		expect(await stored('SYI1')).toStrictEqual(
			eventOf('SYI1', { state: 'done', payload: {}, attempts: 1 }),
		);
	});

	it.each(['pending', 'parked'] as const)('tries one again that is %s', async (state) => {
		await add(waiting(state));
		await store.transact((tx) => tryAgain(tx, waiting(state)));
		const { notBefore: _notBefore, ...rest } = waiting('pending');
		expect(await stored('SYI1')).toStrictEqual(rest);
	});

	it('leaves one alone that is done', async () => {
		await add(waiting('done'));
		await store.transact((tx) => tryAgain(tx, waiting('done')));
		expect(await stored('SYI1')).toStrictEqual(waiting('done'));
	});

	it('discards it together with its report', async () => {
		await add(waiting('parked'), eventOf('SYI2'));
		await store.transact(async (tx) => {
			for (const subject of ['SYI1', 'SYI2'])
				await tx.outbox.append(newEvent({ about: subject }, { subject }));
			await dropProblem(tx, 'SYI1');
		});
		expect(await stored('SYI1')).toBeUndefined();
		expect(await stored('SYI2')).toBeDefined();
		expect((await published()).map(({ data }) => data['about'])).toEqual([undefined, 'SYI2']);
	});
});

describe('events that wait for a relationship', () => {
	const codes = [
		'error.transport.recordNotFound',
		'error.gateway.messages.deliveredTooEarly',
		'error.runtime.recordNotFound',
	];

	it('are tried after a relationship has changed, oldest first', async () => {
		const [relationship, delivered, other] = codes.map((code, index) =>
			eventOf(`SYI${index}`, { createdAt: at(-index), lastFailure: { code, message: '' } }),
		) as [InboxEvent, InboxEvent, InboxEvent];
		const done = eventOf('SYI8', { ...relationship, id: 'SYI8', state: 'done' });
		await add(relationship, delivered, other, done, eventOf('SYI9'));
		const waitingAfter = (touched: Parameters<typeof eventsWaitingForRelationship>[1]) =>
			store.read((tx) => eventsWaitingForRelationship(tx, touched));
		expect(await waitingAfter([])).toEqual([]);
		expect(await waitingAfter([{ messageId: 'MSG1' }])).toEqual([]);
		const touched = [{ messageId: 'MSG1' }, { relationshipId: 'REL1' }];
		expect(await waitingAfter(touched)).toEqual([delivered, relationship]);
	});

	const next = async (): Promise<number | undefined> => {
		const time = await store.read((tx) => nextTryAt(tx, clock.now()));
		return time === undefined ? undefined : time - clock.now();
	};
	const waitingSince = (agoMs: number, notBefore: string) =>
		eventOf('SYI1', {
			...{ createdAt: at(-agoMs), notBefore, attempts: 1 },
			lastFailure: earlyFailure,
		});

	it('are tried every second for half a minute', async () => {
		await add(waitingSince(30_000, at(hourMs)));
		expect(await next()).toBe(1_000);
		await store.transact((tx) => tx.inbox.update(waitingSince(30_001, at(hourMs))));
		expect(await next()).toBe(hourMs);
	});

	it('are tried earlier if that is planned, but not in the past', async () => {
		await add(waitingSince(0, at(300)));
		expect(await next()).toBe(300);
		await store.transact((tx) => tx.inbox.update(waitingSince(0, at(-300))));
		expect(await next()).toBe(0);
	});

	it('have no other time than planned if they wait for something else', async () => {
		await add({ ...waitingSince(0, at(hourMs)), lastFailure: failure });
		expect(await next()).toBe(hourMs);
	});

	it('determine the next attempt without events that were given up', async () => {
		await add(
			eventOf('SYI1', { notBefore: at(hourMs), attempts: 1 }),
			eventOf('SYI2', { notBefore: at(300), attempts: 6, state: 'parked' }),
		);
		expect(await next()).toBe(hourMs);
	});

	it('determine the next attempt with the earliest of all', async () => {
		expect(await next()).toBeUndefined();
		await add(eventOf('SYI1', { notBefore: at(-1), attempts: 1 }));
		expect(await next()).toBeUndefined();
		await add(eventOf('SYI2', { notBefore: at(2 * hourMs), attempts: 1 }));
		expect(await next()).toBe(2 * hourMs);
		await add(eventOf('SYI3', { notBefore: at(hourMs), attempts: 1 }));
		expect(await next()).toBe(hourMs);
		await add(eventOf('SYI4', { notBefore: at(0), attempts: 1 }));
		expect(await next()).toBe(0);
	});
});
