import { messageHoldings } from '../../../../core/domain/message/message-holdings';
import { deletedIdentityPseudonyms } from '../../../../core/model/address';
import type { MessageRecord, SendIntentRecord } from '../../../../core/model/record/message';
import type { Store } from '../../../../core/store/store';
import { intentRecord, messageRecord, messageSecrets, newEvent } from '../../../support/records';
import { openMemoryStore } from '../../../support/store';
import { own, peers, relationshipWith } from './send-bench';

const [left, other] = peers as [string, string];
const pseudonym = deletedIdentityPseudonyms('localhost').client;

const toLeft = { address: left, relationshipId: 'REL1' };
const waiting = { address: other, relationshipId: 'REL2' };
const toOther = { address: other, relationshipId: 'REL2', receivedAt: '2030-01-01T00:00:00.000Z' };

let store: Store;
beforeEach(async () => {
	store = await openMemoryStore();
});
afterEach(() => store.close());

const decompose = async (ownAddress = own): Promise<void> => {
	await store.transact(async (tx) => {
		const relationship = relationshipWith('REL1', left);
		await messageHoldings(ownAddress).relationshipDecomposed?.(tx, relationship);
	});
};

const messageIds = async (): Promise<string[]> =>
	(await store.read((tx) => tx.messages.list())).map(({ record }) => record.id);

const intents = async (): Promise<SendIntentRecord[]> =>
	(await store.read((tx) => tx.sendIntents.list())).map(({ record }) => record);

async function add(...records: ReadonlyArray<MessageRecord | SendIntentRecord>): Promise<void> {
	await store.transact(async (tx) => {
		for (const record of records) {
			if ('isOwn' in record) await tx.messages.insert(record, messageSecrets);
			else await tx.sendIntents.insert(record, messageSecrets);
			const event = newEvent({ about: record.id }, { subject: record.id, peer: left });
			await tx.outbox.append(event);
		}
	});
}

/** Subjects of events that still have their content. */
const described = async (): Promise<unknown[]> => {
	const events = await store.read((tx) => tx.outbox.readAfter(0, 100));
	return events.map(({ data }) => data['about']).filter((about) => about !== undefined);
};

describe('decomposing a relationship', () => {
	it('deletes its received messages, and sent ones without other recipients', async () => {
		await add(
			messageRecord('MSG1', {
				createdBy: left,
				recipients: [{ address: own, relationshipId: 'REL1' }],
			}),
			messageRecord('MSG2', { isOwn: true, createdBy: own, recipients: [toLeft] }),
			messageRecord('MSG3', {
				isOwn: true,
				createdBy: own,
				recipients: [toLeft, { address: pseudonym }],
			}),
			messageRecord('MSG4', { isOwn: true, createdBy: own, recipients: [toOther] }),
			messageRecord('MSG5', {
				createdBy: other,
				recipients: [{ address: own, relationshipId: 'REL2' }],
			}),
		);
		await decompose();
		expect(await messageIds()).toEqual(['MSG4', 'MSG5']);
		expect(await described()).toEqual(['MSG4', 'MSG5']);
	});

	it('puts a pseudonym in place of the peer where a message has other recipients', async () => {
		await add(
			messageRecord('MSG1', { isOwn: true, createdBy: own, recipients: [toLeft, toOther] }),
		);
		await decompose();
		const entry = await store.read((tx) => tx.messages.get('MSG1'));
		expect(entry?.record.recipients).toStrictEqual([{ address: pseudonym }, toOther]);
		expect(await described()).toEqual([]);
	});

	it('deletes the sends to it, and keeps those that others receive, too', async () => {
		await add(
			intentRecord('SND1', { recipients: [toLeft] }),
			intentRecord('SND2', { recipients: [waiting, toLeft] }),
			intentRecord('SND3', { recipients: [waiting] }),
		);
		await decompose();
		expect((await intents()).map(({ id, recipients }) => [id, recipients])).toStrictEqual([
			['SND2', [waiting, { address: pseudonym }]],
			['SND3', [waiting]],
		]);
		expect(await described()).toEqual(['SND3']);
	});

	it('has a pseudonym without a host if the own address has none', async () => {
		await add(
			messageRecord('MSG1', { isOwn: true, createdBy: own, recipients: [toLeft, toOther] }),
		);
		await decompose('no address');
		const entry = await store.read((tx) => tx.messages.get('MSG1'));
		expect(entry?.record.recipients[0]?.address).toBe(deletedIdentityPseudonyms('').client);
	});
});
