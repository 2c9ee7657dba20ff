import { WaitService } from '../../../core/domain/wait/wait-service';
import type { WaitRecord } from '../../../core/model/record/wait';
import { WaitNews } from '../../../core/resumption/wait-news';
import type { Store } from '../../../core/store/store';
import { createdAt, intentRecord, newEvent } from '../../support/records';
import { openMemoryStore } from '../../support/store';

const { signal } = new AbortController();

let store: Store;
let news: WaitNews;
beforeEach(async () => {
	store = await openMemoryStore();
	news = new WaitNews({ store, waits: new WaitService({ store }) });
});
afterEach(() => store.close());

/** An execution that waits for the reply to a mail. */
const wait = (n: number): WaitRecord => ({
	id: `instance:${n}:node`,
	key: `key${n}`,
	kind: 'mail',
	subject: `send${n}`,
	createdAt,
	resumeUrl: 'http://127.0.0.1/',
	note: {},
});

async function begin(first: number, count: number): Promise<void> {
	await store.transact(async (tx) => {
		for (let n = first; n < first + count; n++) await tx.waits.insert(wait(n), undefined);
	});
}

/** The mail was given up, so the wait has ended. */
async function giveUp(n: number): Promise<void> {
	await store.transact(async (tx) => {
		const id = `send${n}`;
		await tx.sendIntents.insert(intentRecord(id, { state: 'failed' }), { messageKey: 'key' });
		await tx.outbox.append(
			newEvent({ intentId: id }, { name: 'gateway.messageNotSent', subject: id }),
		);
	});
}

const applyAll = async (): Promise<void> => {
	while (await news.apply(signal));
};

const ended = async (): Promise<string[]> => {
	const entries = await store.read((tx) => tx.waits.list());
	return entries
		.filter(({ record }) => record.outcome !== undefined)
		.map(({ record }) => record.subject);
};

it('a wait that had ended before it was noticed is found', async () => {
	await begin(1, 3);
	await giveUp(2);
	await applyAll();
	expect(await ended()).toEqual(['send2']);
});

it('more events and waits than one reading takes are all considered', async () => {
	await begin(1, 450);
	await applyAll();
	for (let n = 1; n <= 450; n += 3) await giveUp(n);
	await store.transact(async (tx) => {
		for (let n = 0; n < 450; n++) await tx.outbox.append(newEvent({}, { subject: `other${n}` }));
	});
	await giveUp(450);
	await applyAll();
	expect(await ended()).toHaveLength(151);
});

it('events that were removed unread lead to a reading of all waits', async () => {
	await begin(1, 3);
	await applyAll();
	await store.transact(async (tx) => {
		await tx.sendIntents.insert(intentRecord('send3', { state: 'failed' }), { messageKey: 'key' });
		await tx.outbox.passTo((await tx.outbox.lastSequence()) + 10);
		await tx.outbox.append(newEvent({}, { subject: 'other' }));
	});
	await applyAll();
	expect(await ended()).toEqual(['send3']);
});
