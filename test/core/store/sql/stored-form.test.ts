import { DatabaseSync } from 'node:sqlite';
import { hashText, openText, StoreKey } from '../../../../core/crypto/sealing';
import type { Store } from '../../../../core/store/store';
import { createdAt, messageRecord, messageSecrets, newEvent } from '../../../support/records';
import { identityExample } from '../../../support/fields/identity-example';
import { openMemoryStore } from '../../../support/store';

const consumer = { name: 'webhook', position: 0, parked: [], seenAt: createdAt };

/** Data of released versions is in this form, so that later versions can read it. */
describe('the stored form of an account whose contents are sealed', () => {
	const key = new StoreKey(new Uint8Array(32).fill(7));
	let database: DatabaseSync;
	let store: Store;

	beforeEach(async () => {
		database = new DatabaseSync(':memory:');
		store = await openMemoryStore(undefined, database, true, key);
	});

	afterEach(() => store.close());

	const row = (sql: string) => database.prepare(sql).get() as Record<string, string>;

	it('binds records, secrets, events and consumers to their places', async () => {
		const record = messageRecord('MSG1');
		const event = newEvent({ id: 'MSG1' }, { subject: 'MSG1' });
		await store.transact(async (tx) => {
			await tx.messages.insert(record, messageSecrets);
			await tx.outbox.append(event);
			await tx.consumers.put(consumer);
		});
		const opened = (sealed: string | undefined, table: string, id: string, part?: 'document') =>
			JSON.parse(openText(key, sealed ?? '', { table, id, ...(part && { part }) })) as unknown;
		const message = row(
			'select document, secrets, c_subject from messages join messages_documents using (ordinal)',
		);
		expect(opened(message['document'], 'messages', 'MSG1', 'document')).toEqual(record);
		expect(opened(message['secrets'], 'messages', 'MSG1')).toEqual(messageSecrets);
		const subject = hashText(key, 'subject of MSG1', { table: 'messages', column: 'c_subject' });
		expect(message['c_subject']).toBe(subject);
		const inOutbox = row('select data, subject from outbox');
		expect(opened(inOutbox['data'], 'outbox', '1', 'document')).toEqual(event);
		const about = hashText(key, 'MSG1', { table: 'outbox', column: 'subject' });
		expect(inOutbox['subject']).toBe(about);
		const { document } = row('select document from consumers');
		expect(opened(document, 'consumers', 'webhook', 'document')).toEqual(consumer);
	});

	it('leaves the identity readable for callers without the key, and seals its secrets', async () => {
		const { record, secrets } = identityExample;
		await store.transact((tx) => tx.identity.insert(record, secrets));
		const found = row('select document, secrets from identity_documents');
		expect(JSON.parse(found['document'] ?? '')).toEqual(record);
		const opened = openText(key, found['secrets'] ?? '', { table: 'identity', id: 'self' });
		expect(JSON.parse(opened)).toEqual(secrets);
		expect((await store.read((tx) => tx.identity.get('self')))?.record).toEqual(record);
	});

	it('counts the numbers of removed events under a name of its own', async () => {
		await store.transact((tx) => tx.outbox.passTo(7));
		expect(row('select name, next from counters')).toEqual({ name: 'outbox', next: 7 });
	});

	describe('keeps the subjects of events', () => {
		const about = (subject: string) => newEvent({}, { subject });
		const total = () => Number(row('select count(subject) as total from event_subjects')['total']);

		beforeEach(async () => {
			await store.transact(async (tx) => {
				for (const subject of ['REL1', 'REL2', 'REL1']) await tx.outbox.append(about(subject));
				await tx.outbox.indexSubjects(10);
			});
		});

		it('until they are erased', async () => {
			expect(total()).toBe(3);
			await store.transact((tx) => tx.outbox.erase('REL1'));
			expect(total()).toBe(1);
		});

		it('until the events are removed', async () => {
			const slice = { after: 0, limit: 2 };
			await store.transact((tx) => tx.outbox.prune('2040-01-01T00:00:00.000Z', slice));
			expect(total()).toBe(1);
		});
	});
});
