import { DatabaseSync } from 'node:sqlite';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { silentLogger } from '../../../core/base/logger';
import { sendIntentRetention } from '../../../core/domain/message/sending/send-intent-retention';
import {
	consumerRetention,
	eventIndexing,
	eventRetention,
} from '../../../core/events/event-retention';
import type { SendIntentRecord } from '../../../core/model/record/message';
import type { InboxEvent } from '../../../core/model/record/sync';
import { Housekeeping, type RetentionSlice } from '../../../core/sync/housekeeping';
import { inboxRetention } from '../../../core/sync/inbox-retention';
import { TestClock } from '../../support/clock';
import { newEvent } from '../../support/records';
import { openTestStore, type TestStore } from '../../support/store';

const dayMs = 24 * 3_600_000;
const retentionDays = 14;

let clock: TestClock;
let opened: TestStore;
beforeEach(async () => {
	clock = new TestClock();
	opened = await openTestStore(clock);
});
afterEach(() => opened.dispose());

const at = (): string => new Date(clock.now()).toISOString();

const doneEvent = (id: string): InboxEvent => ({
	id,
	runId: 'SYR1',
	type: 'MessageReceived',
	index: 0,
	createdAt: at(),
	payload: {},
	state: 'done',
	attempts: 1,
});

const sentIntent = (id: string, state: 'sent' | 'failed' = 'sent'): SendIntentRecord => ({
	id,
	idempotencyKey: id,
	state,
	createdAt: at(),
	bodyHash: 'hash',
	recipients: [{ address: 'did:e:peer', relationshipId: 'REL1' }],
	content: {},
	attachments: [],
});

/** What one week of a steady load leaves behind. */
async function liveAWeek(week: number): Promise<void> {
	await opened.store.transact(async (tx) => {
		for (let index = 0; index < 60; index++) {
			const id = `${week}-${index}`;
			const event = newEvent({ text: 'x'.repeat(300) }, { createdAt: at(), subject: `MSG${id}` });
			await tx.outbox.append(event);
			await tx.inbox.insert(doneEvent(id), undefined);
			const state = index % 10 === 0 ? 'failed' : 'sent';
			await tx.sendIntents.insert(sentIntent(id, state), { messageKey: 'k'.repeat(40) });
		}
		const position = await tx.outbox.lastSequence();
		await tx.consumers.put({ name: 'trigger', position, parked: [], seenAt: at() });
	});
	clock.advance(7 * dayMs);
}

const allSlices = (): RetentionSlice[] => {
	const { store } = opened;
	return [
		eventRetention(store, clock, retentionDays),
		eventIndexing(store),
		consumerRetention(store, clock),
		inboxRetention(store, clock),
		sendIntentRetention(store, clock, 'sent', retentionDays),
		sendIntentRetention(store, clock, 'failed', retentionDays),
	];
};

const housekeeping = (slices = allSlices()): Housekeeping =>
	new Housekeeping({
		clock,
		logger: silentLogger,
		beginPass: () => true,
		slices,
	});

/** Pages in use, and all that the file has. */
function pagesOf(folder: string): { used: number; all: number } {
	const database = new DatabaseSync(join(folder, 'default.sqlite'), { readOnly: true });
	try {
		const pragma = (name: string): number =>
			Number(database.prepare(`pragma ${name}`).get()?.[name]);
		const all = pragma('page_count');
		return { all, used: all - pragma('freelist_count') };
	} finally {
		database.close();
	}
}

describe('housekeeping', () => {
	it('keeps an account with a steady load at one size for years', async () => {
		const keeper = housekeeping();
		const sizes: Array<{ used: number; all: number }> = [];
		for (let week = 0; week < 2 * 52; week++) {
			await liveAWeek(week);
			keeper.start();
			await keeper.settled();
			sizes.push(pagesOf(opened.folder));
		}
		const most = (from: number, to: number, which: 'used' | 'all'): number =>
			Math.max(...sizes.slice(from, to).map((size) => size[which]));
		// The first half year fills up what is kept for a while; from then on nothing is added.
		expect(most(78, 104, 'used')).toBeLessThanOrEqual(most(26, 52, 'used') * 1.02);
		expect(most(78, 104, 'all')).toBeLessThanOrEqual(most(26, 52, 'all') * 1.02);
	});

	it('removes little at a time, and lets others work in between', async () => {
		await opened.store.transact(async (tx) => {
			for (let index = 0; index < 2_000; index++) {
				await tx.outbox.append(newEvent({}, { createdAt: at(), subject: `S${index}` }));
				await tx.inbox.insert(doneEvent(`SYI${index}`), undefined);
			}
		});
		clock.advance(100 * dayMs);
		const left = [2_000];
		const turnsBetween: number[] = [];
		let turns = 0;
		let isDone = false;
		const turning = (async () => {
			for (; !isDone; turns++) await nextTurn();
		})();
		const watched = allSlices().map((slice) => async () => {
			const before = turns;
			const more = await slice();
			left.push(
				await opened.store.read((tx) => tx.outbox.readAfter(0, 3_000).then((e) => e.length)),
			);
			turnsBetween.push(turns - before);
			return more;
		});
		const keeper = housekeeping(watched);
		keeper.start();
		await keeper.settled();
		isDone = true;
		await turning;
		const removed = left.slice(1).map((count, index) => (left[index] ?? 0) - count);
		expect(Math.max(...removed)).toBe(200);
		expect(left.at(-1)).toBe(0);
		expect(turns).toBeGreaterThan(turnsBetween.length / 2);
		expect(await opened.store.read((tx) => tx.inbox.count())).toBe(0);
	});

	it('removes a slice of each kind although the account is closed at once', async () => {
		for (let week = 0; week < 2; week++) await liveAWeek(week);
		clock.advance(100 * dayMs);
		const keeper = housekeeping();
		keeper.start();
		await keeper.close();
		const left = await opened.store.read(async (tx) => ({
			events: (await tx.outbox.readAfter(0, 1_000)).length,
			inbox: await tx.inbox.count(),
			intents: await tx.sendIntents.count(),
		}));
		expect(left).toEqual({ events: 0, inbox: 20, intents: 8 });
		keeper.start();
		await keeper.settled();
		expect(await opened.store.read((tx) => tx.inbox.count())).toBe(20);
	});
});

describe('a finished send', () => {
	const keep = () => sendIntentRetention(opened.store, clock, 'sent', retentionDays)();
	const count = () => opened.store.read((tx) => tx.sendIntents.count());

	it('is kept as long as an event is stored whose delivery may be repeated', async () => {
		await opened.store.transact(async (tx) => {
			await tx.outbox.append(newEvent({}, { createdAt: at() }));
		});
		clock.advance(1_000);
		await opened.store.transact((tx) =>
			tx.sendIntents.insert(sentIntent('SND1'), { messageKey: '' }),
		);
		clock.advance(400 * dayMs);
		await keep();
		expect(await count()).toBe(1);
		await opened.store.transact((tx) => tx.outbox.prune(at(), { after: 0, limit: 10 }));
		await keep();
		expect(await count()).toBe(0);
	});

	it.each([
		[44 * dayMs, 1],
		[44 * dayMs + 1, 0],
	])('of %i ms ago leaves %i', async (passedMs, left) => {
		await opened.store.transact((tx) =>
			tx.sendIntents.insert(sentIntent('SND1'), { messageKey: '' }),
		);
		clock.advance(passedMs);
		await keep();
		expect(await count()).toBe(left);
	});

	it('is told from a process that is still open, whatever its age', async () => {
		const open = { ...sentIntent('SND1'), state: 'prepared' as const };
		await opened.store.transact((tx) => tx.sendIntents.insert(open, { messageKey: '' }));
		clock.advance(400 * dayMs);
		await keep();
		expect(await count()).toBe(1);
	});
});
