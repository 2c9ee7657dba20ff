import {
	chmodSync,
	copyFileSync,
	existsSync,
	readdirSync,
	readFileSync,
	rmSync,
	statSync,
	writeFileSync,
} from 'node:fs';
import { join, relative } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { systemClock } from '../../../core/base/clock';
import { systemRandom } from '../../../core/base/random';
import {
	openStore,
	peekAccount,
	type AccountConfig,
	type AccountStore,
} from '../../../core/store/open-store';
import { templateRecord } from '../../support/records';
import { temporaryFolder } from '../../support/store';

const deps = { clock: systemClock, random: systemRandom, environment: {} };

/** What a person entered, in the words of the table. */
interface Entered {
	readonly clientSecret?: string;
	readonly previousClientSecret?: string;
	readonly passphrase?: string;
}

describe('opening a store', () => {
	let folder: string;
	const opened: AccountStore[] = [];

	beforeEach(() => {
		folder = temporaryFolder();
	});

	afterEach(async () => {
		for (const store of opened.splice(0)) await store.close();
		rmSync(folder, { recursive: true, force: true });
	});

	const file = (name: string): string => join(folder, name);

	function configOf({ clientSecret = 'secret', ...others }: Entered = {}): AccountConfig {
		const store = { kind: 'sqlite' as const, folder };
		return { account: 'default', store, backbone: { clientSecret }, ...others };
	}

	async function open(entered: Entered = {}): Promise<AccountStore> {
		const store = await openStore(configOf(entered), deps);
		opened.push(store);
		return store;
	}

	function tamper(sql: string): void {
		const database = new DatabaseSync(file('default.sqlite'));
		database.exec(sql);
		database.close();
	}

	/** Opens, writes one sealed row, and closes. */
	async function create(entered: Entered = {}): Promise<void> {
		const store = await open(entered);
		await store.transact((tx) =>
			tx.templates.insertIfNew(templateRecord('RLT1'), { secretKey: 'k' }),
		);
		await store.close();
	}

	async function readBack(entered: Entered): Promise<string | undefined> {
		const store = await open(entered);
		const entry = await store.read((tx) => tx.templates.get('RLT1'));
		return entry?.secrets.secretKey;
	}

	describe('proof of an existing account', () => {
		const wrongClientSecret = 'error.gateway.store.wrongClientSecret';
		const wrongPassphrase = 'error.gateway.store.wrongPassphrase';
		const passphrase = 'correct horse';

		it.each<readonly [string, Entered, Entered, string]>([
			['the same client secret', {}, {}, 'opens'],
			['another client secret', {}, { clientSecret: 'new' }, wrongClientSecret],
			[
				'another client secret with the former one',
				{},
				{ clientSecret: 'new', previousClientSecret: 'secret' },
				'opens',
			],
			[
				'another client secret with a wrong former one',
				{},
				{ clientSecret: 'new', previousClientSecret: 'older' },
				wrongClientSecret,
			],
			[
				'a wrong client secret with the right one as former one',
				{},
				{ clientSecret: '', previousClientSecret: 'secret' },
				'opens',
			],
			[
				'a passphrase that it never had',
				{},
				{ passphrase },
				'error.gateway.store.passphraseUnexpected',
			],
			['the same passphrase', { passphrase }, { passphrase }, 'opens'],
			[
				'the same passphrase and another client secret',
				{ passphrase },
				{ passphrase, clientSecret: 'new' },
				'opens',
			],
			['another passphrase', { passphrase }, { passphrase: 'correct  horse' }, wrongPassphrase],
			['no passphrase', { passphrase }, {}, 'error.gateway.store.passphraseMissing'],
			[
				'the client secret instead of the passphrase',
				{ passphrase },
				{ passphrase: 'secret' },
				wrongPassphrase,
			],
		])('with %s', async (_name, made, entered, expected) => {
			await create(made);
			if (expected === 'opens') {
				expect(await peekAccount(configOf(entered), deps)).toMatchObject({ state: 'proven' });
				expect(await readBack(entered)).toBe('k');
				return;
			}
			await expect(peekAccount(configOf(entered), deps)).rejects.toMatchObject({ code: expected });
			await expect(open(entered)).rejects.toMatchObject({ code: expected });
			expect(await readBack(made)).toBe('k');
		});

		it('forgets the former client secret once the new one is taken over', async () => {
			await create();
			await create({ clientSecret: 'new', previousClientSecret: 'secret' });
			expect(await readBack({ clientSecret: 'new' })).toBe('k');
			await expect(open({ clientSecret: 'secret' })).rejects.toMatchObject({
				code: wrongClientSecret,
			});
		});

		it('takes nothing over while it only looks', async () => {
			await create();
			await peekAccount(configOf({ clientSecret: 'new', previousClientSecret: 'secret' }), deps);
			expect(await readBack({})).toBe('k');
		});

		it('is asked again when the configuration of an open account changes', async () => {
			const store = await open();
			await expect(store.prove(configOf({ clientSecret: 'new' }))).rejects.toMatchObject({
				code: wrongClientSecret,
			});
			await store.prove(configOf({ clientSecret: 'new', previousClientSecret: 'secret' }));
			await store.prove(configOf({ clientSecret: 'new' }));
			await expect(store.prove(configOf())).rejects.toMatchObject({ code: wrongClientSecret });
		});

		describe('when the Backbone can tell whether a client secret is right', () => {
			const refused = new Error('the Backbone refuses it');
			const approving = (...right: string[]) => {
				const asked: string[] = [];
				const openWith = async (entered: Entered): Promise<AccountStore> => {
					const config = configOf(entered);
					const { clientSecret } = config.backbone;
					const approveClientSecret = (): Promise<void> => {
						asked.push(clientSecret);
						return right.includes(clientSecret) ? Promise.resolve() : Promise.reject(refused);
					};
					const store = await openStore(config, deps, { approveClientSecret });
					opened.push(store);
					return store;
				};
				return { asked, openWith };
			};

			it.each<readonly [string, Entered]>([
				['with a key file', {}],
				['with a passphrase', { passphrase }],
			])('makes no account %s from a wrong one', async (_name, parts) => {
				const { openWith } = approving('secret');
				const wrong = { ...parts, clientSecret: 'sercet' };
				await expect(openWith(wrong)).rejects.toBe(refused);
				expect(await peekAccount(configOf(wrong), deps)).toEqual({ state: 'none' });
				expect(existsSync(file('default.key'))).toBe(false);
				await openWith(parts);
			});

			it('takes over no wrong one', async () => {
				await create();
				const { openWith } = approving('new');
				const mistyped = { clientSecret: 'nwe', previousClientSecret: 'secret' };
				await expect(openWith(mistyped)).rejects.toBe(refused);
				await (await openWith({ ...mistyped, clientSecret: 'new' })).close();
				expect(await readBack({ clientSecret: 'new' })).toBe('k');
			});

			it('asks only when a secret would become the proof', async () => {
				const { asked, openWith } = approving('secret', 'new');
				await openWith({});
				await openWith({});
				await expect(openWith({ clientSecret: 'other' })).rejects.toMatchObject({
					code: wrongClientSecret,
				});
				expect(asked).toEqual(['secret']);
				await openWith({ clientSecret: 'new', previousClientSecret: 'secret' });
				await openWith({ clientSecret: 'new', previousClientSecret: 'secret' });
				expect(asked).toEqual(['secret', 'new']);
			});

			it('does not ask for a secret that proves nothing beside a passphrase', async () => {
				await create({ passphrase });
				const { asked, openWith } = approving();
				await openWith({ passphrase, clientSecret: 'other' });
				expect(asked).toEqual([]);
			});

			it('has the changes of two processes proven one after the other', async () => {
				await create();
				const [first, second] = [await open(), await open()];
				const slower = configOf({ clientSecret: 'slower', previousClientSecret: 'secret' });
				const faster = configOf({ clientSecret: 'faster', previousClientSecret: 'secret' });
				const approveClientSecret = (): Promise<void> => second.prove(faster);
				await expect(first.prove(slower, { approveClientSecret })).rejects.toMatchObject({
					code: wrongClientSecret,
				});
				expect(await readBack({ clientSecret: 'faster' })).toBe('k');
			});
		});

		it('says nothing of the secrets in the error', async () => {
			await create();
			const entered = { clientSecret: 'NEW-SECRET', previousClientSecret: 'OLD-SECRET' };
			const error: unknown = await open(entered).catch((thrown: unknown) => thrown);
			const shown = JSON.stringify(error) + String((error as Error).stack);
			expect(shown).toContain(wrongClientSecret);
			expect(shown).not.toMatch(/NEW-SECRET|OLD-SECRET/);
		});
	});

	it('creates one account when two processes open it for the first time', async () => {
		const [first, second] = await Promise.all([
			open({ passphrase: 'p' }),
			open({ passphrase: 'p' }),
		]);
		await first.transact((tx) =>
			tx.templates.insertIfNew(templateRecord('RLT1'), { secretKey: 'k' }),
		);
		const entry = await second.read((tx) => tx.templates.get('RLT1'));
		expect(entry?.secrets.secretKey).toBe('k');
	});

	describe('the key file', () => {
		it('is needed: an account without it cannot be opened and is not made anew', async () => {
			await create();
			rmSync(file('default.key'));
			const missing = { code: 'error.gateway.store.keyFileMissing' };
			await expect(open()).rejects.toMatchObject(missing);
			await expect(peekAccount(configOf(), deps)).rejects.toMatchObject(missing);
			expect(existsSync(file('default.key'))).toBe(false);
		});

		it.each([
			['is empty', () => Buffer.alloc(0)],
			['is cut off', (key: Buffer) => key.subarray(0, 31)],
			['has something added', (key: Buffer) => Buffer.concat([key, Buffer.from('\n')])],
			['belongs to another account', () => Buffer.alloc(32, 7)],
		])('is refused when it %s', async (_name, change) => {
			await create();
			const key = readFileSync(file('default.key'));
			writeFileSync(file('default.key'), change(key));
			await expect(open()).rejects.toMatchObject({ code: 'error.gateway.store.wrongKeyFile' });
			writeFileSync(file('default.key'), key);
			expect(await readBack({})).toBe('k');
		});

		it('does not exist where there is a passphrase', async () => {
			await create({ passphrase: 'p' });
			expect(readdirSync(folder)).toEqual(['default.sqlite']);
		});

		it('that a killed creation left behind, beside a database without tables, is used', async () => {
			const database = new DatabaseSync(file('default.sqlite'));
			database.exec('pragma journal_mode = wal');
			database.close();
			writeFileSync(file('default.key'), Buffer.alloc(32, 7), { mode: 0o600 });
			await create();
			expect(readFileSync(file('default.key'))).toEqual(Buffer.alloc(32, 7));
			expect(await readBack({})).toBe('k');
		});

		it('opens no other account, even with the same client secret', async () => {
			await create();
			const other = await openStore({ ...configOf(), account: 'other' }, deps);
			await other.close();
			copyFileSync(file('other.key'), file('default.key'));
			await expect(open()).rejects.toMatchObject({ code: 'error.gateway.store.wrongKeyFile' });
		});
	});

	describe('the files', () => {
		const modeOf = (path: string): number => statSync(path).mode & 0o777;

		it('live in the n8n folder unless the configuration says otherwise', async () => {
			const config = { ...configOf(), store: { kind: 'sqlite' as const } };
			const environment = { N8N_USER_FOLDER: folder };
			const store = await openStore(config, { ...deps, environment });
			opened.push(store);
			const made = join(folder, '.n8n', 'enmeshed');
			expect(readdirSync(made)).toContain('default.sqlite');
			expect(modeOf(made)).toBe(0o700);
			await store.close();
			chmodSync(made, 0o755);
			opened.push(await openStore(config, { ...deps, environment }));
			expect(modeOf(made)).toBe(0o700);
		});

		it('leave the mode of a folder alone that a person has chosen', async () => {
			chmodSync(folder, 0o755);
			await create();
			expect(modeOf(folder)).toBe(0o755);
		});
	});

	describe('a configuration that cannot work', () => {
		const postgres = {
			kind: 'postgres' as const,
			host: 'localhost',
			port: 5432,
			database: 'd',
			user: 'u',
			password: 'p',
			schema: 'enmeshed',
			tls: false,
			tlsAllowUnauthorized: false,
		};

		it.each<readonly [string, () => AccountConfig, NodeJS.ProcessEnv, string]>([
			[
				'PostgreSQL without a passphrase',
				() => ({ ...configOf(), store: postgres }),
				{},
				'error.gateway.store.passphraseRequired',
			],
			[
				'queue mode',
				configOf,
				{ EXECUTIONS_MODE: 'queue' },
				'error.gateway.store.sqliteInQueueMode',
			],
			[
				'a relative folder',
				() => ({ ...configOf(), store: { kind: 'sqlite', folder: relative('.', folder) } }),
				{},
				'error.gateway.store.folderNotAbsolute',
			],
			[
				'a folder below a file',
				() => {
					writeFileSync(file('taken'), '');
					return { ...configOf(), store: { kind: 'sqlite', folder: file('taken/below') } };
				},
				{},
				'error.gateway.store.notWritable',
			],
		])('is refused: %s', async (_name, config, environment, code) => {
			await expect(openStore(config(), { ...deps, environment })).rejects.toMatchObject({ code });
		});

		it('is named with the field of the form', async () => {
			const relativeFolder = { kind: 'sqlite' as const, folder: 'accounts' };
			const config = { ...configOf(), store: relativeFolder };
			await expect(openStore(config, deps)).rejects.toMatchObject({
				facts: { field: 'store.folder' },
			});
			const inPostgres = { ...configOf(), store: postgres };
			for (const use of [openStore, peekAccount]) {
				await expect(use(inPostgres, deps)).rejects.toMatchObject({
					code: 'error.gateway.store.passphraseRequired',
					facts: { field: 'passphrase' },
				});
			}
		});
	});

	describe('looking at an account', () => {
		it('finds none and creates nothing', async () => {
			const config = { ...configOf(), store: { kind: 'sqlite' as const, folder: file('new') } };
			expect(await peekAccount(config, deps)).toEqual({ state: 'none' });
			expect(readdirSync(folder)).toEqual([]);
		});

		it('finds none in a database whose creation was not completed', async () => {
			await create();
			tamper("delete from account where name = 'seal'");
			expect(await peekAccount(configOf(), deps)).toEqual({ state: 'none' });
			await expect(open()).rejects.toMatchObject({
				code: 'error.gateway.store.corruptRow',
				facts: { table: 'account', id: 'seal' },
			});
		});

		it.each([
			['seal', '{'],
			['life', '{'],
			['life', '{"state":"unknown"}'],
		])('names the row of the account that cannot be read: %s is %s', async (name, value) => {
			await create();
			tamper(`insert or replace into account (name, value) values ('${name}', '${value}')`);
			const corrupt = {
				code: 'error.gateway.store.corruptRow',
				facts: { table: 'account', id: name },
			};
			await expect(peekAccount(configOf(), deps)).rejects.toMatchObject(corrupt);
			await expect(open()).rejects.toMatchObject(corrupt);
		});

		it('names the row of an identity that cannot be read', async () => {
			await create();
			tamper("insert into identity (id) values ('self')");
			tamper("insert into identity_documents (ordinal, document) values (1, '{')");
			await expect(peekAccount(configOf(), deps)).rejects.toMatchObject({
				code: 'error.gateway.store.corruptRow',
				facts: { table: 'identity', id: 'self' },
			});
		});

		it('refuses an account that was moved away, as opening does', async () => {
			const store = await open();
			const since = '2030-01-01T00:00:00.000Z';
			const retired = { state: 'retired', move: 'm', to: 'there', since, digest: 'd' } as const;
			await store.transact((tx) => tx.accountState.set(retired));
			const moved = { code: 'error.gateway.store.accountMoved' };
			await expect(peekAccount(configOf(), deps)).rejects.toMatchObject(moved);
			await expect(open()).rejects.toMatchObject(moved);
		});

		it('finds none where a creation was killed at once', async () => {
			writeFileSync(file('default.sqlite'), '');
			expect(await peekAccount(configOf(), deps)).toEqual({ state: 'none' });
			expect(statSync(file('default.sqlite')).size).toBe(0);
		});

		it.each(['creating', 'registered', 'ready'] as const)(
			'tells the identity that is %s',
			async (state) => {
				const store = await open();
				const record = {
					id: 'self' as const,
					state,
					address: 'did:e:own',
					publicKey: 'key',
					backboneBaseUrl: 'http://localhost',
					createdAt: '2030-01-01T00:00:00.000Z',
				};
				const secrets = {
					identityPrivateKey: 'a',
					devicePrivateKey: 'b',
					devicePublicKey: 'c',
					devicePassword: 'd',
				};
				await store.transact((tx) => tx.identity.insert(record, secrets));
				expect(await peekAccount(configOf(), deps)).toEqual({ state: 'proven', identity: record });
			},
		);
	});
});
