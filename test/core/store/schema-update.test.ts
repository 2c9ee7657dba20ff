import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { systemClock } from '../../../core/base/clock';
import { systemRandom } from '../../../core/base/random';
import { accountHome, openStore } from '../../../core/store/open-store';
import { schemaVersion } from '../../../core/store/migrations/migrator';
import type { Store } from '../../../core/store/store';
import { withoutFlatLists } from '../../support/accounts/earlier-indexes';
import { messageRecord, messageSecrets, newEvent } from '../../support/records';
import { temporaryFolder, testAccount } from '../../support/store';

const deps = { clock: systemClock, random: systemRandom };

describe('an account of an earlier schema version', () => {
	let folder: string;
	let file: string;
	const opened: Store[] = [];

	beforeEach(async () => {
		folder = temporaryFolder();
		file = join(folder, 'default.sqlite');
		await (await openStore(testAccount(folder), deps)).close();
		tamper(
			`${withoutFlatLists()}; drop index relationships_by_status; drop table waits; delete from kysely_migration where name >= '0006'; pragma user_version = 5`,
		);
	});

	afterEach(async () => {
		for (const store of opened.splice(0)) await store.close();
		rmSync(folder, { recursive: true, force: true });
	});

	function tamper(sql: string): void {
		const database = new DatabaseSync(file);
		database.exec(sql);
		database.close();
	}

	function bytesOfFiles(): string {
		return readdirSync(folder)
			.map((name) => readFileSync(join(folder, name), 'latin1'))
			.join('');
	}

	const ways: Array<[string, () => Promise<Store>]> = [
		['by a gateway', () => openStore(testAccount(folder), deps)],
		[
			'by a command that moves it',
			() =>
				accountHome(testAccount(folder), deps).open({ clientSecret: 'secret' }, { alone: true }),
		],
	];

	async function open(by: () => Promise<Store>): Promise<Store> {
		const store = await by();
		opened.push(store);
		return store;
	}

	function versionOfFile(): unknown {
		const database = new DatabaseSync(file, { readOnly: true });
		const row = database.prepare('pragma user_version').get();
		database.close();
		return row?.['user_version'];
	}

	it.each(ways)('has the current version once it was opened %s', async (_name, by) => {
		const store = await open(by);
		expect(await store.read((tx) => tx.waits.count())).toBe(0);
		await store.close();
		expect(versionOfFile()).toBe(schemaVersion);
	});

	it.each(ways)('keeps nothing of what is erased while it is open %s', async (_name, by) => {
		const store = await open(by);
		const body = 'PERSONAL-DATA '.repeat(500);
		const record = messageRecord('MSG1', { content: { '@type': 'Mail', body } });
		await store.transact((tx) => tx.messages.insert(record, messageSecrets));
		await store.transact((tx) => tx.messages.delete('MSG1'));
		await store.close();
		expect(bytesOfFiles().includes('PERSONAL-DATA')).toBe(false);
	});

	describe('with texts that are sealed since then', () => {
		const total = 201;
		const secret = { '@type': 'Mail', password: 'PASSWORD-IN-CLEAR' };
		const places = [1, 200, total];
		const idOf = (number: number): string => `MSG${String(number).padStart(3, '0')}`;

		beforeEach(async () => {
			await (
				await open(ways[0]?.[1] as () => Promise<Store>)
			).transact(async (tx) => {
				for (let number = 1; number <= total; number++) {
					const record = messageRecord(idOf(number), { content: { '@type': 'Mail' } });
					await tx.messages.insert(record, messageSecrets);
					await tx.outbox.append(newEvent({ number }));
				}
				// These are sealed already.
				await tx.messages.insert(messageRecord('MSGsealed', { content: secret }), messageSecrets);
				await tx.outbox.append(newEvent(secret));
			});
			await opened.at(-1)?.close();
			const json = JSON.stringify(secret);
			for (const place of places) {
				tamper(`update messages set document = json_set(document, '$.content', json('${json}'))
					where id = '${idOf(place)}'`);
				tamper(`update outbox set data = '${json}' where sequence = ${place}`);
			}
			tamper('pragma user_version = 5');
		});

		it.each(ways)('has them sealed once it was opened %s', async (_name, by) => {
			const store = await open(by);
			await store.read(async (tx) => {
				for (const place of places) {
					const entry = await tx.messages.get(idOf(place));
					expect(entry?.record).toEqual({
						...messageRecord(idOf(place), { content: secret }),
						identity: expect.any(String),
					});
					const [event] = await tx.outbox.readAfter(place - 1, 1);
					expect(event?.data).toEqual(secret);
				}
				expect((await tx.messages.get('MSGsealed'))?.record.content).toEqual(secret);
				expect((await tx.outbox.readAfter(total, 1))[0]?.data).toEqual(secret);
				expect((await tx.messages.get(idOf(2)))?.record.content).toEqual({ '@type': 'Mail' });
			});
			await store.close();
			expect(bytesOfFiles().includes('PASSWORD-IN-CLEAR')).toBe(false);
			expect(countInClear()).toEqual({ messages: total - 3, events: total - 3 });
		});

		function countInClear(): unknown {
			const database = new DatabaseSync(file, { readOnly: true });
			const clear = "like '{%'";
			const row = database
				.prepare(
					`select (select count(*) from messages where document ${clear}) as messages,
						(select count(*) from outbox where data ${clear}) as events`,
				)
				.get();
			database.close();
			return { ...row };
		}
	});

	it.each(ways)('stays readable where all contents are sealed, %s', async (_name, by) => {
		for (const name of readdirSync(folder)) rmSync(join(folder, name));
		const made = await openStore({ ...testAccount(folder), sealContents: true }, deps);
		const record = messageRecord('MSG1');
		await made.transact(async (tx) => {
			await tx.messages.insert(record, messageSecrets);
			await tx.outbox.append(newEvent());
		});
		await made.close();
		tamper('pragma user_version = 5');
		const store = await open(by);
		await store.read(async (tx) => {
			expect((await tx.messages.get('MSG1'))?.record).toEqual({
				...record,
				identity: expect.any(String),
			});
			expect((await tx.outbox.readAfter(0, 1))[0]?.data).toEqual(newEvent().data);
		});
	});
});
