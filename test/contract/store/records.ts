import { loosely } from '../../support/loosely';
import type { JsonObject } from '../../../core/model/json';
import type { MessageRecord } from '../../../core/model/record/message';
import {
	attributeRecord,
	createdAt,
	intentRecord,
	messageRecord,
	messageSecrets,
	templateRecord,
} from '../../support/records';
import type { WriteTransaction } from '../../../core/store/store';
import { fieldExamples } from '../../support/fields/field-examples';
import type { HostOfTest } from '../store.contract';

const intentSecrets = { messageKey: 'key' };

export function recordPromises(host: HostOfTest): void {
	describe('a record', () => {
		it('is read back as it was written, with its secrets', async () => {
			const { store } = host();
			const record = messageRecord('MSG1', { wasReadAt: createdAt, attachments: ['FIL1'] });
			await store.transact((tx) => tx.messages.insert(record, messageSecrets));
			const entry = await store.read((tx) => tx.messages.get('MSG1'));
			expect(entry?.record).toEqual(record);
			expect(entry?.secrets).toEqual(messageSecrets);
		});

		it('keeps hostile member names as data', async () => {
			const { store } = host();
			const content = JSON.parse(
				'{"@type":"Mail","__proto__":{"isAdmin":true},"constructor":{"prototype":1}}',
			) as JsonObject;
			await store.transact((tx) =>
				tx.messages.insert(messageRecord('MSG1', { content }), messageSecrets),
			);
			const entry = await store.read((tx) => tx.messages.get('MSG1'));
			expect(JSON.stringify(entry?.record.content)).toBe(JSON.stringify(content));
			expect(Object.hasOwn(entry?.record.content ?? {}, '__proto__')).toBe(true);
			expect((entry?.record.content as { isAdmin?: boolean }).isAdmin).toBeUndefined();
		});

		it('is undefined when it was never written', async () => {
			const entry = await host().store.read((tx) => tx.messages.get('MSG1'));
			expect(entry).toBeUndefined();
		});

		it('has no secrets in a collection that keeps none', async () => {
			const { store } = host();
			await store.transact((tx) => tx.attributes.insert(attributeRecord('ATT1'), undefined));
			const entry = await store.read((tx) => tx.attributes.get('ATT1'));
			expect(entry?.secrets).toBeUndefined();
		});

		it('is refused when it does not fit its schema', async () => {
			const { store } = host();
			const broken = { ...messageRecord('MSG1'), isOwn: 'yes' } as unknown as MessageRecord;
			await expect(
				store.transact((tx) => tx.messages.insert(broken, messageSecrets)),
			).rejects.toThrow(TypeError);
			const recipients = [{ address: 7 }] as unknown as MessageRecord['recipients'];
			const record = messageRecord('MSG1', { recipients });
			const inside = store.transact((tx) => tx.messages.insert(record, messageSecrets));
			await expect(inside).rejects.toThrow(/'messages'.*'recipients\.0\.address'/);
			expect(await store.read((tx) => tx.messages.count())).toBe(0);
		});

		it('is refused when its secrets do not fit theirs', async () => {
			const { store } = host();
			const broken = { messageKey: 7 } as unknown as typeof messageSecrets;
			await expect(
				store.transact((tx) => tx.messages.insert(messageRecord('MSG1'), broken)),
			).rejects.toThrow(/'messages'.*'messageKey'/);
		});
	});

	it('records of one id in several collections are kept apart', async () => {
		const { store } = host();
		const message = messageRecord('ID1', { recipients: [{ address: 'did:e:a' }] });
		const attribute = attributeRecord('ID1', { content: loosely({ tags: ['a'] }) });
		const ids = (entries: ReadonlyArray<{ readonly record: object }>) =>
			entries.map(({ record }) => record);
		const all = () =>
			store.read(async (tx) => [
				(await tx.messages.get('ID1'))?.record,
				ids((await tx.messages.scan(0, 10)).entries),
				(await tx.attributes.get('ID1'))?.record,
				ids((await tx.attributes.scan(0, 10)).entries),
			]);
		await store.transact(async (tx) => {
			await tx.messages.insert(message, messageSecrets);
			await tx.attributes.insert(attribute, undefined);
		});
		expect(await all()).toEqual([message, [message], attribute, [attribute]]);
		const changed = attributeRecord('ID1', { content: loosely({ tags: ['b'] }) });
		await store.transact(async (tx) => {
			await tx.messages.update(message);
			await tx.attributes.update(changed);
			await tx.messages.delete('ID1');
		});
		expect(await all()).toEqual([undefined, [], changed, [changed]]);
		await store.transact((tx) => tx.attributes.delete('ID1'));
		expect(await all()).toEqual([undefined, [], undefined, []]);
	});

	it.each([15, 16, 17, 33])('a record may have %d values of one field', async (count) => {
		const { store } = host();
		const attachments = Array.from({ length: count }, (_, index) => `FIL${index}`);
		const found = (value: string | undefined) =>
			store.read((tx) =>
				tx.messages.count({ where: [{ field: 'attachment', op: 'eq', value: value ?? '' }] }),
			);
		const record = messageRecord('MSG1', { attachments, recipients: [], createdBy: 'did:e:a' });
		await store.transact((tx) => tx.messages.insert(record, messageSecrets));
		expect([await found(attachments[0]), await found(attachments.at(-1))]).toEqual([1, 1]);
		await store.transact((tx) => tx.messages.update({ ...record, attachments: ['FIL'] }));
		expect([await found(attachments[0]), await found('FIL')]).toEqual([0, 1]);
	});

	it('secrets that every message needs are read again and again, and replaced', async () => {
		const { store } = host();
		const { full } = fieldExamples.relationships;
		const secrets = (secretKey: string) => ({ template: { secretKey } });
		const read = () => store.read((tx) => tx.relationships.get('REL1'));
		await store.transact((tx) => tx.relationships.insert(full.record, secrets('first')));
		for (let time = 0; time < 2; time++) expect((await read())?.secrets).toEqual(secrets('first'));
		await store.transact((tx) => tx.relationships.update(full.record, secrets('second')));
		for (let time = 0; time < 2; time++) expect((await read())?.secrets).toEqual(secrets('second'));
	});

	describe('inserting', () => {
		it('fails with the whole transaction when the id of a new record is taken', async () => {
			const { store } = host();
			const insert = (tx: WriteTransaction, id: string) =>
				tx.messages.insert(messageRecord(id), messageSecrets);
			await store.transact((tx) => insert(tx, 'MSG1'));
			const failing = store.transact(async (tx) => {
				await insert(tx, 'MSG2');
				await insert(tx, 'MSG1');
			});
			await expect(failing).rejects.toThrow(/unique/i);
			expect(await store.read((tx) => tx.messages.count())).toBe(1);
		});

		it('changes nothing when the id is taken', async () => {
			const { store } = host();
			const second = await store.transact(async (tx) => {
				await tx.messages.insert(messageRecord('MSG1'), messageSecrets);
				const other = messageRecord('MSG1', { createdBy: 'did:e:other' });
				return await tx.messages.insertIfNew(other, { messageKey: 'other' });
			});
			const entry = await store.read((tx) => tx.messages.get('MSG1'));
			expect(second).toBe(false);
			expect(entry?.record.createdBy).toBe(messageRecord('MSG1').createdBy);
			expect(entry?.secrets).toEqual(messageSecrets);
		});

		it('changes nothing when a unique column is taken', async () => {
			const { store } = host();
			const inserted = await store.transact(async (tx) => [
				await tx.sendIntents.insertIfNew(
					intentRecord('INT1', { idempotencyKey: 'k' }),
					intentSecrets,
				),
				await tx.sendIntents.insertIfNew(
					intentRecord('INT2', { idempotencyKey: 'k' }),
					intentSecrets,
				),
				await tx.sendIntents.insertIfNew(
					intentRecord('INT3', { idempotencyKey: 'l' }),
					intentSecrets,
				),
			]);
			expect(inserted).toEqual([true, false, true]);
		});

		it('takes any number of records without the unique column', async () => {
			const { store } = host();
			const inserted = await store.transact(async (tx) => [
				await tx.sendIntents.insertIfNew(intentRecord('INT1'), intentSecrets),
				await tx.sendIntents.insertIfNew(intentRecord('INT2'), intentSecrets),
			]);
			expect(inserted).toEqual([true, true]);
		});
	});

	describe('updating', () => {
		it('keeps the secrets unless new ones are given', async () => {
			const { store } = host();
			await store.transact(async (tx) => {
				await tx.messages.insert(messageRecord('MSG1'), messageSecrets);
				await tx.messages.insert(messageRecord('MSG2'), messageSecrets);
				await tx.messages.update(messageRecord('MSG1', { wasReadAt: createdAt }));
				await tx.messages.update(messageRecord('MSG2'), { messageKey: 'new' });
			});
			const [first, second] = await store.read((tx) => tx.messages.list());
			expect(first?.record.wasReadAt).toBe(createdAt);
			expect(first?.secrets).toEqual(messageSecrets);
			expect(second?.secrets).toEqual({ messageKey: 'new' });
		});

		it('is found by its new values and not by the old ones', async () => {
			const { store } = host();
			const withRecipient = (address: string) =>
				messageRecord('MSG1', { recipients: [{ address }] });
			await store.transact((tx) => tx.messages.insert(withRecipient('did:e:a'), messageSecrets));
			await store.transact((tx) => tx.messages.update(withRecipient('did:e:b')));
			const found = (value: string) =>
				store.read((tx) => tx.messages.count({ where: [{ field: 'recipient', op: 'eq', value }] }));
			expect([await found('did:e:a'), await found('did:e:b')]).toEqual([0, 1]);
		});

		it('drops what the new record does not have', async () => {
			const { store } = host();
			await store.transact(async (tx) => {
				await tx.messages.insert(messageRecord('MSG1', { wasReadAt: createdAt }), messageSecrets);
				await tx.messages.update(messageRecord('MSG1'));
			});
			const entry = await store.read((tx) =>
				tx.messages.first({ where: [{ field: 'wasReadAt', op: 'missing' }] }),
			);
			expect(entry?.record).toEqual(messageRecord('MSG1'));
		});

		it('of a record that is not there is our own mistake', async () => {
			await expect(
				host().store.transact((tx) => tx.messages.update(messageRecord('MSG1'))),
			).rejects.toThrow(TypeError);
		});
	});

	describe('deleting', () => {
		it('leaves nothing to be found, and does no harm twice', async () => {
			const { store } = host();
			await store.transact((tx) => tx.messages.insert(messageRecord('MSG1'), messageSecrets));
			await store.transact(async (tx) => {
				await tx.messages.delete('MSG1');
				await tx.messages.delete('MSG1');
			});
			const found = await store.read((tx) =>
				tx.messages.count({ where: [{ field: 'recipient', op: 'exists' }] }),
			);
			expect(found).toBe(0);
		});

		it('allows the id to be used again', async () => {
			const { store } = host();
			await store.transact(async (tx) => {
				await tx.templates.insert(templateRecord('RLT1'), { secretKey: 'a' });
				await tx.templates.delete('RLT1');
				await tx.templates.insert(templateRecord('RLT1'), { secretKey: 'b' });
			});
			const entry = await store.read((tx) => tx.templates.get('RLT1'));
			expect(entry?.secrets).toEqual({ secretKey: 'b' });
		});
	});

	describe('getting many', () => {
		it('follows the order of the ids and leaves unknown ones out', async () => {
			const { store } = host();
			await store.transact(async (tx) => {
				for (const id of ['MSG1', 'MSG2', 'MSG3']) {
					await tx.messages.insert(messageRecord(id), messageSecrets);
				}
			});
			const found = await store.read((tx) => tx.messages.getMany(['MSG3', 'MSG0', 'MSG1']));
			expect(found.map(({ record }) => record.id)).toEqual(['MSG3', 'MSG1']);
		});

		it.each([0, 1, 3, 1_300])('works for %d ids', async (count) => {
			const { store } = host();
			const ids = Array.from({ length: count }, (_, index) => `MSG${index}`);
			await store.transact(async (tx) => {
				for (const id of ids) await tx.messages.insert(messageRecord(id), messageSecrets);
			});
			const found = await store.read((tx) => tx.messages.getMany([...ids].reverse()));
			expect(found.map(({ record }) => record.id)).toEqual([...ids].reverse());
		});
	});
}
