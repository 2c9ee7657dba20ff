import { inOneList } from '../../support/backbone/pages';
import type { InboxEvent } from '../../../core/model/record/sync';
import { leftPeerAt, rememberLeftPeer } from '../../../core/domain/left-peer';
import { inboxRetention } from '../../../core/sync/inbox-retention';
import { dueEvents } from '../../../core/sync/sync-inbox';
import { TestClock } from '../../support/clock';
import { openTestStore, type TestStore } from '../../support/store';

const clock = new TestClock();
let opened: TestStore;

beforeEach(async () => {
	opened = await openTestStore(clock);
});
afterEach(() => opened.dispose());

const event = (id: string, index: number, createdAt: string): InboxEvent => ({
	id,
	runId: 'SYR1',
	type: 'MessageReceived',
	index,
	createdAt,
	payload: {},
	state: 'pending',
	attempts: 0,
});

const store = async (...events: readonly InboxEvent[]): Promise<void> =>
	await opened.store.transact(async (tx) => {
		for (const one of events) await tx.inbox.insert(one, undefined);
	});

describe('events whose index has started again', () => {
	it('are due in the order of their creation, by index within the same instant', async () => {
		await store(
			event('SYI-new-0', 0, '2029-12-31T12:00:00.000Z'),
			event('SYI-new-2', 2, '2029-12-31T12:00:00.001Z'),
			event('SYI-new-1', 1, '2029-12-31T12:00:00.001Z'),
			event('SYI-new-3', 3, '2029-12-31T12:00:00.001Z'),
			event('SYI-old-41', 41, '2029-12-31T11:00:00.000Z'),
		);
		const due = await inOneList(dueEvents(opened.store, clock, {}));
		const ids = due.map(({ id }) => id.replace('SYI-', ''));
		expect(ids).toEqual(['old-41', 'new-0', 'new-1', 'new-2', 'new-3']);
	});

	it('are not in the way of removing old ones with higher numbers', async () => {
		const recent = Array.from({ length: 500 }, (_, index) => ({
			...event(`SYI-new-${index}`, index, '2029-12-31T12:00:00.000Z'),
			state: 'done' as const,
		}));
		const old = { ...event('SYI-old', 900, '2029-12-01T00:00:00.000Z'), state: 'done' as const };
		await store(...recent, old);
		const slice = inboxRetention(opened.store, {
			now: () => Date.parse('2029-12-31T12:00:00.000Z'),
		});
		expect(await slice()).toBe(false);
		expect(await opened.store.read((tx) => tx.inbox.get('SYI-old'))).toBeUndefined();
		expect(await opened.store.read((tx) => tx.inbox.count())).toBe(500);
	});
});

it('old events are removed a hundred at a time', async () => {
	const old = Array.from({ length: 100 }, (_, index) => ({
		...event(`SYI${index}`, index, '2029-12-01T00:00:00.000Z'),
		state: 'done' as const,
	}));
	await store(...old);
	const slice = inboxRetention(opened.store, clock);
	expect(await slice()).toBe(true);
	expect(await opened.store.read((tx) => tx.inbox.count())).toBe(0);
	expect(await slice()).toBe(false);
});

it('the mark of a peer that was left goes after a week, by our own clock', async () => {
	const leftAt = '2029-12-31T11:00:00.000Z';
	const peer = 'did:e:localhost:dids:0123456789abcdef012345';
	const leftWhenKeptAt = async (now: string): Promise<string | undefined> => {
		await inboxRetention(opened.store, { now: () => Date.parse(now) })();
		return await opened.store.read((tx) => leftPeerAt(tx, peer));
	};
	await opened.store.transact((tx) =>
		rememberLeftPeer(tx, peer, leftAt, '2030-01-01T12:00:00.000Z'),
	);
	expect(await leftWhenKeptAt('2030-01-08T12:00:00.000Z')).toBe(leftAt);
	expect(await leftWhenKeptAt('2030-01-08T12:00:00.001Z')).toBeUndefined();
});
