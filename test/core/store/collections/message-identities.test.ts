import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { systemClock } from '../../../../core/base/clock';
import { systemRandom } from '../../../../core/base/random';
import { asSecretKey } from '../../../../core/crypto/keys';
import { identityByKey } from '../../../../core/crypto/message-identity';
import { schemaVersion } from '../../../../core/store/migrations/migrator';
import { openStore } from '../../../../core/store/open-store';
import type { Store } from '../../../../core/store/store';
import { messageRecord } from '../../../support/records';
import { temporaryFolder, testAccount } from '../../../support/store';

const sender = 'did:e:localhost:dids:0ad7aa581a7ffe0155968e';

function keyOf(index: number) {
	const bytes = Buffer.alloc(32);
	bytes.writeUInt32BE(index);
	return asSecretKey(bytes.toString('base64url'));
}

describe.each([false, true])('the received messages of earlier versions, sealed: %s', (sealed) => {
	let folder: string;
	let store: Store;

	const open = async () => {
		const account = { ...testAccount(folder), sealContents: sealed };
		store = await openStore(account, { clock: systemClock, random: systemRandom });
	};

	beforeEach(async () => {
		folder = temporaryFolder();
		await open();
	});

	afterEach(async () => {
		await store.close();
		rmSync(folder, { recursive: true, force: true });
	});

	async function update(): Promise<void> {
		await store.close();
		const database = new DatabaseSync(join(folder, 'default.sqlite'));
		database.exec(`delete from kysely_migration where name >= '0010';
			pragma user_version = ${schemaVersion - 1}`);
		database.close();
		await open();
	}

	async function found(value: string): Promise<string[]> {
		const where = [{ field: 'identity', op: 'eq', value }] as const;
		const entries = await store.read((tx) => tx.messages.list({ where }));
		return entries.map(({ record }) => record.id);
	}

	it.each([1, 200, 401])('are found by their keys, also %s of them', async (count) => {
		await store.transact(async (tx) => {
			for (let index = 0; index < count; index++) {
				const record = messageRecord(`MSG${index}`, { createdBy: sender });
				await tx.messages.insert(record, { messageKey: keyOf(index) });
			}
		});
		await update();
		for (const index of [0, count - 1]) {
			expect(await found(identityByKey(sender, keyOf(index)))).toEqual([`MSG${index}`]);
		}
		const entry = await store.read((tx) => tx.messages.get('MSG0'));
		expect(entry?.secrets.messageKey).toBe(keyOf(0));
	});

	it('keep the identity that they have, and own messages get none', async () => {
		const received = messageRecord('MSG1', { createdBy: sender, identity: 'known' });
		const own = messageRecord('MSG2', { isOwn: true, createdBy: sender });
		await store.transact(async (tx) => {
			for (const record of [received, own]) {
				await tx.messages.insert(record, { messageKey: keyOf(1) });
			}
		});
		await update();
		expect(await found('known')).toEqual(['MSG1']);
		expect(await found(identityByKey(sender, keyOf(1)))).toEqual([]);
	});
});
