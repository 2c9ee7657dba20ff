import { systemClock } from '../../../core/base/clock';
import { systemRandom, type Random } from '../../../core/base/random';
import { loadSodium } from '../../../core/crypto/sodium';
import { hashOfClientSecret } from '../../../core/store/account/account-proof';
import { SqlAccountState } from '../../../core/store/account/account-rows';
import type {
	AccountConfig,
	AccountStore,
	ProofOptions,
} from '../../../core/store/account/account-store';
import { schemaSteps, schemaVersion } from '../../../core/store/schema/schema-version';
import { PostgresAccount } from '../../../core/store/postgres/postgres-account';
import { PostgresConnection } from '../../../core/store/postgres/postgres-connection';
import { queryBuilder } from '../../../core/store/postgres/postgres-dialect';
import { PostgresHome } from '../../../core/store/postgres/postgres-home';
import { versionOf } from '../../../core/store/postgres/postgres-schema';
import { lockKeys, schemaOf } from '../../../core/store/postgres/postgres-settings';
import {
	CompiledStatementCache,
	type AnyDatabase,
} from '../../../core/store/sql/compiled-statement-cache';
import { identityExample } from '../../support/fields/identity-example';
import { describeWithPostgres, TestDatabase } from '../../support/postgres/postgres';
import { newEvent, templateRecord } from '../../support/records';
import { until } from '../../support/until';

jest.setTimeout(60_000);

const account = 'test';
const corruptSeal = {
	code: 'error.gateway.store.corruptRow',
	facts: { table: 'account', id: 'seal' },
};

describeWithPostgres('an account in PostgreSQL', () => {
	let database: TestDatabase;
	let schema: string;
	let config: AccountConfig;
	let observer: PostgresConnection;
	const opened: Array<{ close(): Promise<void> }> = [];

	beforeAll(async () => {
		database = await TestDatabase.create();
		await loadSodium();
		config = database.account(account);
		schema = schemaOf(database.config, account);
		observer = await PostgresConnection.open(database.config, schema);
		await (await accountOf().open(config)).close();
		await observer.run('create table kept as select * from account');
	});

	afterAll(async () => {
		await observer.close();
		await database.drop();
	});

	afterEach(async () => {
		jest.restoreAllMocks();
		for (const one of opened.splice(0)) await one.close();
		await observer.run(
			`delete from account; insert into account select * from kept;
				delete from identity; delete from templates; delete from outbox`,
		);
	});

	const accountOf = (name = account, random: Random = systemRandom) =>
		new PostgresAccount(database.config, name, { clock: systemClock, random, environment: {} });

	const homeOf = (name = account, random: Random = systemRandom) =>
		new PostgresHome(database.config, name, { clock: systemClock, random, environment: {} });

	const keep = <One extends { close(): Promise<void> }>(one: One): One => {
		opened.push(one);
		return one;
	};

	const open = async (changes: object = {}, options?: ProofOptions): Promise<AccountStore> =>
		keep(await accountOf().open({ ...config, ...changes }, options));

	const accountState = () =>
		new SqlAccountState(observer, new CompiledStatementCache(queryBuilder(), true));

	/** Sessions of the gateway besides the test's own. */
	const sessions = async () => (await database.sessions()) - 1;

	const nobodyStays = () => until(async () => (await sessions()) === 0);

	const schemas = async (): Promise<string[]> => {
		const rows = await observer.query<{ name: string }>(
			"select nspname::text as name from pg_namespace where nspname like 'enmeshed%' order by 1",
			[],
		);
		return rows.map(({ name }) => name);
	};

	const proofOfSecret = async (): Promise<string> => {
		const { clientSecretHash } = keep(
			await homeOf().open({ clientSecret: '', passphrase: 'correct horse' }, { alone: false }),
		);
		return clientSecretHash;
	};

	describe('is created', () => {
		const fresh = 'fresh';
		const created = () => accountOf(fresh).open({ ...config, account: fresh });

		afterEach(() => observer.run('drop schema if exists "enmeshed:fresh" cascade'));

		it('with its tables and its seal in one commit', async () => {
			await observer.run(`create table "enmeshed:test".other ()`);
			const run = jest.spyOn(PostgresConnection.prototype, 'run');
			const store = keep(await created());
			const commits = run.mock.calls.filter(([sql]) => /commit$/.test(sql));
			expect(commits).toHaveLength(1);
			expect(await versionOf(observer, 'enmeshed:fresh')).toBe(schemaVersion());
			await store.transact((tx) => tx.outbox.append(newEvent()));
			await observer.run(`drop table "enmeshed:test".other`);
		});

		it('once, however many create it at the same time', async () => {
			const stores = await Promise.all([created(), created()]);
			const [first, second] = stores.map(keep) as [AccountStore, AccountStore];
			await first.transact((tx) => tx.templates.insert(templateRecord('1'), { secretKey: 'k' }));
			const entry = await second.read((tx) => tx.templates.get('1'));
			expect(entry?.secrets.secretKey).toBe('k');
		});

		it('only with a client secret that is approved', async () => {
			const before = await schemas();
			const refuse = () => Promise.reject(new Error('not this one'));
			const options = { approveClientSecret: refuse };
			const refused = accountOf(fresh).open({ ...config, account: fresh }, options);
			await expect(refused).rejects.toThrow('not this one');
			expect(await schemas()).toEqual(before);
			await nobodyStays();
		});

		it('and sealed as a whole if that is wished', async () => {
			const store = keep(
				await accountOf(fresh).open({ ...config, account: fresh, sealContents: true }),
			);
			await store.transact((tx) => tx.outbox.append(newEvent({ id: 'visible' })));
			const [row] = await observer.query<{ data: string }>(
				'select data from "enmeshed:fresh".outbox',
				[],
			);
			expect(row?.data).not.toContain('visible');
		});

		it('never again', async () => {
			const approve = jest.fn();
			await open({}, { approveClientSecret: approve });
			expect(approve).not.toHaveBeenCalled();
		});

		it('not while it is given up', async () => {
			const before = await schemas();
			const refused = accountOf(fresh).open(
				{ ...config, account: fresh },
				{ signal: AbortSignal.abort(new Error('given up')) },
			);
			await expect(refused).rejects.toThrow('given up');
			expect(await schemas()).toEqual(before);
		});
	});

	describe('asks for the passphrase', () => {
		const required = {
			code: 'error.gateway.store.passphraseRequired',
			message: 'PostgreSQL was chosen as the store, and there is no storage passphrase.',
			facts: { field: 'passphrase' },
		};
		const wrong = { code: 'error.gateway.store.wrongPassphrase' };

		it('before anything is asked of the server', async () => {
			const connect = jest.spyOn(PostgresConnection, 'open');
			const without = { ...config, passphrase: undefined };
			await expect(accountOf().open(without)).rejects.toMatchObject(required);
			await expect(accountOf().peek(without)).rejects.toMatchObject(required);
			expect(connect).not.toHaveBeenCalled();
			const store = await open();
			await expect(store.prove(without)).rejects.toMatchObject(required);
			const seal = { passphrase: undefined, clientSecretHash: '' };
			const arriving = { state: 'arriving', move: 'm', from: 'there', since: 'then' } as const;
			await expect(homeOf('none').create(seal, arriving)).rejects.toMatchObject(required);
		});

		it('and opens with no other', async () => {
			await expect(open({ passphrase: 'wrong' })).rejects.toMatchObject(wrong);
			await expect(accountOf().peek({ ...config, passphrase: 'wrong' })).rejects.toMatchObject(
				wrong,
			);
			await nobodyStays();
			const store = await open();
			await expect(store.prove({ ...config, passphrase: 'wrong' })).rejects.toMatchObject(wrong);
			await store.prove(config);
		});

		it('because no key file can open it', async () => {
			const { value } = (
				await observer.query<{ value: string }>("select value from account where name = 'seal'", [])
			)[0] as { value: string };
			const seal = JSON.stringify({ ...(JSON.parse(value) as object), kind: 'keyFile' });
			await observer.change("update account set value = $1 where name = 'seal'", [seal]);
			const unlocked = homeOf().open({ clientSecret: 'secret' }, { alone: false });
			await expect(unlocked).rejects.toMatchObject({
				...required,
				message: 'An account in PostgreSQL is sealed with a passphrase.',
			});
		});
	});

	describe('takes over another client secret', () => {
		const other = { backbone: { clientSecret: 'other' } };

		it('when it is opened', async () => {
			expect(await proofOfSecret()).toBe(hashOfClientSecret('secret'));
			await open(other);
			expect(await proofOfSecret()).toBe(hashOfClientSecret('other'));
		});

		it('while it is open', async () => {
			const store = await open();
			await store.prove({ ...config, ...other });
			expect(await proofOfSecret()).toBe(hashOfClientSecret('other'));
		});

		it('and writes nothing if it is the same', async () => {
			const run = jest.spyOn(PostgresConnection.prototype, 'run');
			await open();
			expect(run.mock.calls.filter(([sql]) => /commit$/.test(sql))).toEqual([]);
		});

		it('not when it is only looked at', async () => {
			expect(await accountOf().peek({ ...config, ...other })).toMatchObject({ state: 'proven' });
			expect(await proofOfSecret()).toBe(hashOfClientSecret('secret'));
		});
	});

	describe('is refused', () => {
		it.each([
			['a newer version', 'newerSchema', () => schemaVersion() + 1],
			['a version from before the first release', 'earlierSchema', () => 10],
		])('if %s has written it', async (_name, error, written) => {
			const version = written();
			const refused = { code: `error.gateway.store.${error}`, facts: { version } };
			await observer.change(
				"update account set value = $1 where name = 'n8n-nodes-enmeshed schema'",
				[String(version)],
			);
			await expect(open()).rejects.toMatchObject(refused);
			await expect(accountOf().peek(config)).rejects.toMatchObject(refused);
			await expect(homeOf().look()).rejects.toMatchObject(refused);
			await expect(homeOf('another').otherAccounts()).rejects.toMatchObject(refused);
			const proof = { clientSecret: 'secret', passphrase: 'correct horse' };
			await expect(homeOf().open(proof, { alone: true })).rejects.toMatchObject(refused);
			await nobodyStays();
		});

		it('if its seal is gone', async () => {
			await observer.run("delete from account where name = 'seal'");
			await expect(open()).rejects.toMatchObject(corruptSeal);
			expect(await accountOf().peek(config)).toEqual({ state: 'none' });
			const proof = { clientSecret: 'secret', passphrase: 'correct horse' };
			await expect(homeOf().open(proof, { alone: true })).rejects.toMatchObject(corruptSeal);
			await nobodyStays();
		});

		it('if it has been moved away', async () => {
			await accountState().set({
				state: 'retired',
				move: 'm',
				to: 'there',
				since: 'then',
				digest: 'd',
			});
			const moved = { code: 'error.gateway.store.accountMoved' };
			await expect(open()).rejects.toMatchObject(moved);
			await expect(accountOf().peek(config)).rejects.toMatchObject(moved);
			await nobodyStays();
		});
	});

	describe('is looked at', () => {
		it('without being created', async () => {
			const before = await schemas();
			expect(await accountOf('none').peek(config)).toEqual({ state: 'none' });
			expect(await homeOf('none').look()).toBeUndefined();
			expect(await schemas()).toEqual(before);
			await nobodyStays();
		});

		it('and shows the address of its identity once that is ready', async () => {
			expect(await accountOf().peek(config)).toEqual({ state: 'proven', identity: undefined });
			const store = await open();
			const { record, secrets } = identityExample;
			const { address } = record;
			const identity = { ...record, state: 'ready' as const };
			await store.transact((tx) => tx.identity.insert(identity, secrets));
			expect(await accountOf().peek(config)).toEqual({ state: 'proven', identity });
			expect(await homeOf().look()).toMatchObject({ account, address });
			await observer.run(
				`update identity_documents set document = jsonb_set(document::jsonb, '{state}', '"creating"')::text`,
			);
			const creating = { ...identity, state: 'creating' };
			expect(await accountOf().peek(config)).toEqual({ state: 'proven', identity: creating });
			expect(await homeOf().look()).toMatchObject({ account, address: undefined });
		});
	});

	describe('of an earlier version', () => {
		const account = () => database.account('earlier');
		const version = () => versionOf(observer, schemaOf(database.config, 'earlier'));
		const step = jest.fn(async (db: AnyDatabase) => {
			await db.schema.alterTable('settings').addColumn('c_added', 'text').execute();
		});

		beforeEach(async () => {
			await (await database.open(account())).close();
			schemaSteps.push(step);
			step.mockClear();
		});

		afterEach(async () => {
			schemaSteps.pop();
			await database.remove(account());
		});

		it('is brought up to date once it is proven, and not before', async () => {
			const before = await version();
			const wrong = accountOf('earlier').open({ ...account(), passphrase: 'wrong' });
			await expect(wrong).rejects.toMatchObject({ code: 'error.gateway.store.wrongPassphrase' });
			expect(await version()).toBe(before);
			const stores = await Promise.all(
				[1, 2, 3].map(async () => keep(await accountOf('earlier').open(account()))),
			);
			expect(await version()).toBe(before + 1);
			expect(step).toHaveBeenCalledTimes(1);
			await stores[2]?.transact((tx) => tx.outbox.append(newEvent()));
		});

		it('is brought up to date before it is moved', async () => {
			const proof = { clientSecret: 'secret', passphrase: 'correct horse' };
			keep(await homeOf('earlier').open(proof, { alone: true }));
			expect([await version(), step.mock.calls.length]).toEqual([schemaVersion(), 1]);
		});
	});

	describe('at home', () => {
		const arriving = { state: 'arriving', move: 'm', from: 'there', since: 'then' } as const;
		const clientSecretHash = hashOfClientSecret('secret');
		const seal = { passphrase: 'correct horse', clientSecretHash };

		it('is not created over another one', async () => {
			await expect(homeOf().create(seal, arriving)).rejects.toThrow(
				new TypeError('There is an account already'),
			);
			await nobodyStays();
		});

		it('is created alone, and discarded without a rest', async () => {
			const home = homeOf('moved');
			const store = keep(await home.create(seal, arriving));
			expect(store.clientSecretHash).toBe(clientSecretHash);
			const locks = await observer.query<{ mode: string }>(
				`select mode from pg_locks where locktype = 'advisory' and objsubid = 2 and objid = 0
					and classid::int8 = $1`,
				[lockKeys('enmeshed:moved').living >>> 0],
			);
			expect(locks).toEqual([{ mode: 'ExclusiveLock' }]);
			await store.close();
			await home.discard();
			await nobodyStays();
			expect(await versionOf(observer, 'enmeshed:moved')).toBe(0);
			await home.discard();
			await nobodyStays();
			await observer.run('drop schema "enmeshed:moved"');
		});

		it('names the row that it cannot read', async () => {
			const store = await open();
			const { record, secrets } = identityExample;
			await store.transact((tx) => tx.identity.insert(record, secrets));
			await observer.run("update identity_documents set document = 'no JSON'");
			const corrupt = {
				code: 'error.gateway.store.corruptRow',
				facts: { table: 'identity', id: 'self' },
			};
			await expect(homeOf().look()).rejects.toMatchObject(corrupt);
			await expect(accountOf().peek(config)).rejects.toMatchObject(corrupt);
		});
	});

	describe('has a token', () => {
		const tokens = async (): Promise<number[]> => {
			const rows = await observer.query<{ token: number }>(
				`select objid::int8 as token from pg_locks where locktype = 'advisory' and objsubid = 2
					and classid::int8 = $1 order by 1`,
				[lockKeys(schema).living >>> 0],
			);
			return rows.map(({ token }) => token);
		};

		it.each([
			[0, 1],
			[1, 0x0101_0101],
		])(
			'made of bytes that are %d, which is never 0, the lock that all share',
			async (byte, token) => {
				const fixed: Random = {
					...systemRandom,
					bytes: (length) => new Uint8Array(length).fill(byte),
				};
				const store = keep(await accountOf(account, fixed).open(config));
				await store.transact((tx) => tx.outbox.append(newEvent()));
				expect(await tokens()).toEqual([0, token]);
				await store.close();
				await nobodyStays();
				const proof = { clientSecret: 'secret', passphrase: 'correct horse' };
				keep(await homeOf(account, fixed).open(proof, { alone: false }));
				expect(await tokens()).toEqual([0, token]);
			},
		);
	});

	describe('among others', () => {
		it('is told apart from accounts of other programs and other names', async () => {
			await observer.run(
				'create schema "enmeshed:foreign"; create table "enmeshed:foreign".t (); create schema enmeshedx',
			);
			const fresh = homeOf('a-new-one');
			expect(await fresh.otherAccounts()).toEqual([
				{ account, address: undefined, accountState: { state: 'living' } },
			]);
			expect(await homeOf().otherAccounts()).toEqual([]);
			await observer.run('drop schema "enmeshed:foreign" cascade; drop schema enmeshedx');
			await nobodyStays();
		});

		it('is told apart from those under another name of the schema', async () => {
			const elsewhere = { ...database.config, schema: 'other' };
			const deps = { clock: systemClock, random: systemRandom, environment: {} };
			await (await new PostgresAccount(elsewhere, account, deps).open(config)).close();
			expect(await homeOf().otherAccounts()).toEqual([]);
			expect(await new PostgresHome(elsewhere, 'none', deps).otherAccounts()).toMatchObject([
				{ account },
			]);
			await observer.run('drop schema "other:test" cascade');
		});

		it('is one with the name that all settings have', async () => {
			await (await accountOf('default').open(config)).close();
			expect(await homeOf().otherAccounts()).toMatchObject([{ account: 'default' }]);
			await observer.run('drop schema enmeshed cascade');
		});

		it('has a place that a person recognises', () => {
			const { host, port, database: name } = database.config;
			expect(homeOf().name).toBe(`postgres://${host}:${port}/${name} (schema 'enmeshed:test')`);
		});
	});
});
