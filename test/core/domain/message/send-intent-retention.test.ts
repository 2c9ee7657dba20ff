import { sendIntentRetention } from '../../../../core/domain/message/sending/send-intent-retention';
import type { SendIntentRecord } from '../../../../core/model/record/message';
import type { Store } from '../../../../core/store/store';
import { TestClock } from '../../../support/clock';
import { intentRecord, messageSecrets, newEvent } from '../../../support/records';
import { openMemoryStore } from '../../../support/store';

const dayMs = 24 * 3_600_000;
const retentionDays = 14;
const keptDays = retentionDays + 30;

let store: Store;
let clock: TestClock;
beforeEach(async () => {
	clock = new TestClock();
	store = await openMemoryStore(clock);
});
afterEach(() => store.close());

const ago = (ms: number): string => new Date(clock.now() - ms).toISOString();

const add = async (id: string, ageMs: number, state: SendIntentRecord['state'] = 'sent') => {
	const record = intentRecord(id, { state, createdAt: ago(ageMs), idempotencyKey: id });
	await store.transact((tx) => tx.sendIntents.insert(record, messageSecrets));
};

const addEvent = (ageMs: number): Promise<unknown> =>
	store.transact((tx) => tx.outbox.append(newEvent({}, { createdAt: ago(ageMs) })));

const expire = (state: 'sent' | 'failed' = 'sent'): Promise<boolean> =>
	sendIntentRetention(store, clock, state, retentionDays)();

const kept = async (): Promise<string[]> =>
	(await store.read((tx) => tx.sendIntents.list())).map(({ record }) => record.id);

describe('finished sends', () => {
	it('are kept for thirty days beyond the retention of events', async () => {
		await add('SND1', keptDays * dayMs + 1);
		await add('SND2', keptDays * dayMs);
		expect(await expire()).toBe(false);
		expect(await kept()).toEqual(['SND2']);
	});

	it('are kept as long as an older event is stored', async () => {
		await addEvent((keptDays + 2) * dayMs);
		await add('SND1', (keptDays + 2) * dayMs + 1);
		await add('SND2', (keptDays + 2) * dayMs);
		await add('SND3', (keptDays + 1) * dayMs);
		await expire();
		expect(await kept()).toEqual(['SND2', 'SND3']);
	});

	it('are not removed earlier because of a newer event', async () => {
		await addEvent(1);
		await add('SND1', keptDays * dayMs + 1);
		await add('SND2', dayMs);
		await expire();
		expect(await kept()).toEqual(['SND2']);
	});

	it('are removed for one state at a time; open ones stay', async () => {
		const ageMs = 2 * keptDays * dayMs;
		await add('SND1', ageMs, 'sent');
		await add('SND2', ageMs, 'failed');
		await add('SND3', ageMs, 'prepared');
		await expire('failed');
		expect(await kept()).toEqual(['SND1', 'SND3']);
		await expire('sent');
		expect(await kept()).toEqual(['SND3']);
	});

	it('are removed in slices, the oldest first', async () => {
		for (let index = 0; index < 101; index++) {
			await add(`SND${index}`, (2 * keptDays + index) * dayMs);
		}
		expect(await expire()).toBe(true);
		expect(await kept()).toEqual(['SND0']);
		expect(await expire()).toBe(false);
		expect(await kept()).toEqual([]);
	});
});
