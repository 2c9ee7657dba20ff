import {
	mkdirSync,
	readdirSync,
	readFileSync,
	rmSync,
	statSync,
	writeFileSync,
	chmodSync,
} from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { systemClock } from '../../../core/base/clock';
import { newLeaseHolder } from '../../../core/base/lease/lease-holder';
import { systemRandom } from '../../../core/base/random';
import { collections, columnName, isValues } from '../../../core/store/collections/collections';
import {
	accountHome,
	openStore,
	peekAccount,
	type AccountStore,
} from '../../../core/store/open-store';
import { schemaSteps } from '../../../core/store/schema/schema-version';
import type { AnyDatabase } from '../../../core/store/sql/compiled-statement-cache';
import { whileBusy } from '../../../core/store/sqlite/sqlite-session';
import type { SyncOverview, WriteTransaction } from '../../../core/store/store';
import { appendedTo, messageRecord, newEvent, templateRecord } from '../../support/records';
import { temporaryFolder, testAccount } from '../../support/store';

const deps = { clock: systemClock, random: systemRandom };

describe('the SQLite file', () => {
	let folder: string;
	let file: string;
	let store: AccountStore | undefined;

	beforeEach(() => {
		folder = temporaryFolder();
		file = join(folder, 'default.sqlite');
	});

	afterEach(async () => {
		await store?.close();
		store = undefined;
		rmSync(folder, { recursive: true, force: true });
	});

	async function open(sealContents = true): Promise<AccountStore> {
		store = await openStore({ ...testAccount(folder), sealContents }, deps);
		return store;
	}

	/** Changes the closed file behind the store's back. */
	function tamper(sql: string): void {
		const database = new DatabaseSync(file);
		database.exec(sql);
		database.close();
	}

	const bytesOfAllFiles = (): string =>
		readdirSync(folder)
			.map((name) => readFileSync(join(folder, name)).toString('latin1'))
			.join('\n');

	it('gives the overview of the sync as it is after each commit of whomever', async () => {
		const opened = await open();
		const other = await openStore(testAccount(folder), deps);
		try {
			const seen = (): Promise<SyncOverview> => opened.read((tx) => tx.syncOverview());
			const namesOf = ({ leases }: SyncOverview): string[] => leases.map(({ name }) => name);
			const take = (name: string) => (tx: WriteTransaction) =>
				tx.leases.take(name, newLeaseHolder(systemRandom), 60_000);
			expect(namesOf(await seen())).toEqual([]);
			expect(await opened.transact(take('ours'))).toBe(true);
			expect(namesOf(await seen())).toEqual(['ours']);
			expect(await other.transact(take('theirs'))).toBe(true);
			expect(namesOf(await seen()).toSorted()).toEqual(['ours', 'theirs']);
		} finally {
			await other.close();
		}
	});

	describe('that is not ours', () => {
		const foreign = 'error.gateway.store.foreignFile';

		it.each<readonly [string, () => void, string]>([
			['a text', () => writeFileSync(file, 'a shopping list, longer than a header'), foreign],
			['a short text', () => writeFileSync(file, 'milk'), foreign],
			['a database of something else', () => tamper('create table customers (name)'), foreign],
			[
				'a database of something else with a log',
				() => tamper('pragma journal_mode = wal; create table customers (name)'),
				foreign,
			],
			['a database with another mark', () => tamper('pragma application_id = 7'), foreign],
			['a folder', () => mkdirSync(file), foreign],
			[
				'a read-only file',
				() => {
					writeFileSync(file, '');
					chmodSync(file, 0o444);
				},
				'error.gateway.store.notWritable',
			],
		])('is refused and left alone: %s', async (_name, make, code) => {
			make();
			const before = contentOfFile();
			await expect(open()).rejects.toMatchObject({ code });
			await expect(peekAccount(testAccount(folder), deps)).rejects.toMatchObject({ code });
			const alone = accountHome(testAccount(folder), deps).open({}, { alone: true });
			await expect(alone).rejects.toMatchObject({ code });
			expect(contentOfFile()).toBe(before);
			expect(readdirSync(folder)).toEqual(['default.sqlite']);
		});

		function contentOfFile(): string {
			return statSync(file).isFile() ? readFileSync(file).toString('latin1') : 'a folder';
		}

		it.each([
			['a newer version', 'newerSchema', 99],
			['a version from before the first release', 'earlierSchema', 10],
		])('is refused when %s of this package wrote it', async (_name, error, version) => {
			await (await open()).close();
			tamper(`pragma user_version = ${version}`);
			const refused = { code: `error.gateway.store.${error}`, facts: { version } };
			await expect(open()).rejects.toMatchObject(refused);
			await expect(peekAccount(testAccount(folder), deps)).rejects.toMatchObject(refused);
		});
	});

	describe('of an earlier version', () => {
		const step = jest.fn(async (db: AnyDatabase) => {
			await db.schema.alterTable('settings').addColumn('c_added', 'text').execute();
		});

		beforeEach(async () => {
			await (await open()).close();
			schemaSteps.push(step);
			step.mockClear();
		});

		afterEach(() => {
			schemaSteps.pop();
		});

		it('is brought up to date once, however many open it', async () => {
			const wrong = openStore({ ...testAccount(folder, 'wrong') }, deps);
			await expect(wrong).rejects.toMatchObject({ code: 'error.gateway.store.wrongClientSecret' });
			expect(step).not.toHaveBeenCalled();
			const opened = await Promise.all([open(), open()]);
			await opened[1].transact((tx) => appendedTo(tx, newEvent()));
			for (const one of opened) await one.close();
			await open();
			expect(step).toHaveBeenCalledTimes(1);
		});

		it('is brought up to date before it is moved', async () => {
			const home = accountHome(testAccount(folder), deps);
			await (await home.open({ clientSecret: 'secret' }, { alone: true })).close();
			expect(step).toHaveBeenCalledTimes(1);
		});
	});

	it('is taken over when it is empty, as a killed creation leaves it', async () => {
		tamper('pragma journal_mode = wal');
		const opened = await open();
		expect(await opened.transact((tx) => appendedTo(tx, newEvent()))).toBe(1);
	});

	describe('and its secrets', () => {
		const secretKey = 'SECRET-THAT-MUST-NOT-BE-READABLE';

		it.each([
			['records', false],
			['neither records', true],
		])('shows %s but no secret to a reader of its bytes', async (_name, sealContents) => {
			const opened = await open(sealContents);
			const record = templateRecord('RLT1', { content: { title: 'READABLE-TITLE' } });
			await opened.transact((tx) => tx.templates.insert(record, { secretKey }));
			const whileOpen = bytesOfAllFiles();
			await opened.close();
			const afterwards = bytesOfAllFiles();
			for (const bytes of [whileOpen, afterwards]) {
				expect(bytes.includes('READABLE-TITLE')).toBe(!sealContents);
				expect(bytes).not.toContain(secretKey);
				expect(bytes).not.toContain(Buffer.from(secretKey).toString('base64url'));
			}
		});

		async function twoTemplates(): Promise<void> {
			const opened = await open();
			await opened.transact(async (tx) => {
				await tx.templates.insert(templateRecord('RLT1'), { secretKey: 'first' });
				await tx.templates.insert(templateRecord('RLT2'), { secretKey: 'second' });
				await tx.messages.insert(messageRecord('RLT1'), { messageKey: 'third' });
			});
			await opened.close();
		}

		it.each([
			[
				'another row of the table',
				'update templates_documents set secrets = (select secrets from templates_documents where ordinal = 2) where ordinal = 1',
			],
			[
				'a row of the same id in another table',
				'update templates_documents set secrets = (select secrets from messages_documents where ordinal = 1) where ordinal = 1',
			],
			[
				'nowhere: they were altered',
				"update templates_documents set secrets = 'AAAA' || substr(secrets, 5) where ordinal = 1",
			],
			[
				'nowhere: they are no sealed text',
				"update templates_documents set secrets = '!' where ordinal = 1",
			],
		])('does not open those that come from %s', async (_name, sql) => {
			await twoTemplates();
			tamper(sql);
			const opened = await open();
			const entry = await opened.read((tx) => tx.templates.get('RLT1'));
			expect(entry?.record.id).toBe('RLT1');
			expect(() => entry?.secrets).toThrow(
				expect.objectContaining({ code: 'error.crypto.sealing.cannotOpen' }),
			);
			const other = await opened.read((tx) => tx.templates.get('RLT2'));
			expect(other?.secrets.secretKey).toBe('second');
		});

		it('does not take one row for another when its id was changed', async () => {
			await twoTemplates();
			tamper("update templates set id = 'RLT9' where id = 'RLT1'");
			const opened = await open();
			await expect(opened.read((tx) => tx.templates.get('RLT9'))).rejects.toMatchObject({
				code: 'error.gateway.store.corruptRow',
				facts: { table: 'templates', id: 'RLT9' },
			});
		});
	});

	describe('whose contents are sealed', () => {
		async function twoMessages(sealContents = true): Promise<void> {
			const opened = await open(sealContents);
			await opened.transact(async (tx) => {
				await tx.messages.insert(messageRecord('MSG1'), { messageKey: 'k' });
				await tx.messages.insert(messageRecord('MSG2'), { messageKey: 'k' });
				await tx.outbox.append(newEvent({ number: 1 }));
				await tx.outbox.append(newEvent({ number: 2 }));
			});
			await opened.close();
		}

		it.each([
			['another row', '(select document from messages_documents where ordinal = 2)'],
			['the secrets of the same row', 'secrets'],
			['a writer without the key', `'{"id":"MSG1"}'`],
		])('takes no record from %s', async (_name, source) => {
			await twoMessages();
			tamper(`update messages_documents set document = ${source} where ordinal = 1`);
			const opened = await open();
			await expect(opened.read((tx) => tx.messages.get('MSG1'))).rejects.toMatchObject({
				code: 'error.gateway.store.corruptRow',
				facts: { table: 'messages', id: 'MSG1' },
			});
			expect(await opened.read((tx) => tx.messages.get('MSG2'))).toBeDefined();
		});

		it.each([
			['another event', '(select data from outbox where sequence = 2)'],
			['a writer without the key', "'{}'"],
		])('takes no event from %s', async (_name, source) => {
			await twoMessages();
			tamper(`update outbox set data = ${source} where sequence = 1`);
			const opened = await open();
			await expect(opened.read((tx) => tx.outbox.readAfter(0, 1))).rejects.toMatchObject({
				code: 'error.gateway.store.corruptRow',
				facts: { table: 'outbox', id: '1' },
			});
		});

		it.each([
			['be told that they are not', true, "json_remove(value, '$.contents')"],
			['be told that they are', false, "json_set(value, '$.contents', 'sealed')"],
		])('cannot %s', async (_name, sealContents, value) => {
			await twoMessages(sealContents);
			tamper(`update account set value = ${value} where name = 'seal'`);
			await expect(open()).rejects.toMatchObject({ code: 'error.gateway.store.wrongKeyFile' });
		});
	});

	describe('that is damaged', () => {
		it.each([
			['no JSON', "update messages_documents set document = '{' where ordinal = 1"],
			['no object', "update messages_documents set document = '7' where ordinal = 1"],
		])('says which row is %s', async (_name, sql) => {
			await (
				await open()
			).transact((tx) => tx.messages.insert(messageRecord('MSG1'), { messageKey: 'k' }));
			await store?.close();
			tamper(sql);
			const opened = await open();
			const corrupt = { code: 'error.gateway.store.corruptRow', facts: { id: 'MSG1' } };
			await expect(opened.read((tx) => tx.messages.get('MSG1'))).rejects.toMatchObject(corrupt);
			await expect(opened.read((tx) => tx.messages.list())).rejects.toMatchObject(corrupt);
		});

		it('says so when its pages are overwritten', async () => {
			const opened = await open();
			await opened.transact(async (tx) => {
				for (let index = 0; index < 200; index++) {
					await tx.messages.insert(messageRecord(`MSG${index}`), { messageKey: 'k' });
				}
			});
			await opened.close();
			const bytes = readFileSync(file);
			bytes.fill(0xff, 4_096 * 60);
			writeFileSync(file, bytes);
			const reading = (async () => {
				const damaged = await open();
				return await damaged.read((tx) => tx.messages.list());
			})();
			await expect(reading).rejects.toMatchObject({ code: 'error.gateway.store.damagedFile' });
		});
	});

	it('keeps nothing of what was erased', async () => {
		const body = 'PERSONAL-DATA '.repeat(500);
		const opened = await open();
		await opened.transact(async (tx) => {
			const record = messageRecord('MSG1', { content: { '@type': 'Mail', body } });
			await tx.messages.insert(record, { messageKey: 'k' });
			await tx.outbox.append(newEvent({ body }, { subject: 'MSG1' }));
		});
		await opened.transact(async (tx) => {
			await tx.messages.delete('MSG1');
			await tx.outbox.erase('MSG1');
		});
		await opened.close();
		expect(bytesOfAllFiles()).not.toContain('PERSONAL-DATA');
	});

	it('has the columns that the declarations name', async () => {
		await (await open()).close();
		const database = new DatabaseSync(file, { readOnly: true });
		const found = Object.values(collections).map(({ table }) => [
			table,
			(
				database.prepare(`pragma table_info(${table})`).all() as Array<{
					name: string;
					type: string;
				}>
			)
				.filter(({ name }) => name.startsWith('c_'))
				.map(({ name, type }) => `${name} ${type}`)
				.sort(),
		]);
		database.close();
		const declared = Object.values(collections).map(({ table, columns }) => [
			table,
			Object.entries(columns)
				.flatMap(([field, column]) =>
					isValues(column)
						? []
						: [`${columnName(field)} ${column.type === 'text' ? 'TEXT' : 'INTEGER'}`],
				)
				.sort(),
		]);
		expect(Object.fromEntries(found)).toEqual(Object.fromEntries(declared));
	});

	describe('while another process writes', () => {
		let other: DatabaseSync;

		beforeEach(async () => {
			await open();
			other = new DatabaseSync(file);
			other.exec('begin immediate');
		});

		afterEach(() => other.close());

		it('is waited for without blocking others, and written afterwards', async () => {
			const writing = store?.transact((tx) => appendedTo(tx, newEvent()));
			expect(await store?.read((tx) => tx.outbox.lastSequence())).toBe(0);
			other.exec('commit');
			expect(await writing).toBe(1);
		});

		it('can be given up', async () => {
			const abort = new AbortController();
			const reason = new Error('cancelled');
			const { signal } = abort;
			const writing = store?.transact((tx) => tx.outbox.append(newEvent()), { signal });
			abort.abort(reason);
			await expect(writing).rejects.toBe(reason);
			other.exec('commit');
			expect(await store?.transact((tx) => appendedTo(tx, newEvent()))).toBe(1);
		});

		it('is given up after a while with a code', async () => {
			const second = new DatabaseSync(file);
			const begin = () => second.exec('begin immediate');
			await expect(whileBusy(begin, { busyTimeoutMs: 5 })).rejects.toMatchObject({
				code: 'error.gateway.store.busy',
				kind: 'unavailable',
			});
			second.close();
		});
	});
});
