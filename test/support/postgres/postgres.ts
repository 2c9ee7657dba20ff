import { Client } from 'pg';
import { systemClock, type Clock } from '../../../core/base/clock';
import { alphanumeric, systemRandom } from '../../../core/base/random';
import type { StoreConfig } from '../../../core/config';
import { quoted, schemaOf } from '../../../core/store/postgres/postgres-settings';
import { openStore, type AccountConfig, type AccountStore } from '../../../core/store/open-store';
import { addressVariable } from './shared-postgres';

export type PostgresConfig = Extract<StoreConfig, { kind: 'postgres' }>;

/** Whether the tests have a server on which they may create databases: see `shared-postgres.ts`. */
export function isPostgresThere(): boolean {
	return process.env[addressVariable] !== undefined;
}

/** Like `describe`; skipped where there is no server. */
export function describeWithPostgres(name: string, tests: () => void): void {
	if (isPostgresThere()) describe(name, tests);
	else
		describe.skip(
			`${name} (needs PostgreSQL: none was started, and ${addressVariable} names none)`,
			tests,
		);
}

function sharedServer(): URL {
	const address = process.env[addressVariable];
	if (address === undefined) throw new TypeError(`${addressVariable} names no server`);
	return new URL(address);
}

const ofTheGateway = "datname = current_database() and application_name = 'n8n-nodes-enmeshed'";

/** A database of the test run, dropped at its end. */
export class TestDatabase {
	private accounts = 0;

	/** a connection that stays open, because the server plans every statement again for a new one */
	private emptying: Client | undefined;

	private constructor(
		private readonly server: URL,
		readonly config: PostgresConfig,
	) {}

	/** @param server another one than all tests share */
	static async create(parts = '', server = sharedServer()): Promise<TestDatabase> {
		const database = `enmeshed_test_${systemRandom.text(12, alphanumeric).toLowerCase()}`;
		await asAdministrator(`create database ${database} ${parts}`, server);
		return new TestDatabase(server, {
			kind: 'postgres',
			host: server.hostname,
			port: Number(server.port || 5432),
			database,
			user: decodeURIComponent(server.username),
			password: decodeURIComponent(server.password),
			schema: 'enmeshed',
			tls: false,
			tlsAllowUnauthorized: false,
		});
	}

	async drop(): Promise<void> {
		await this.emptying?.end();
		await asAdministrator(`drop database ${this.config.database} with (force)`, this.server);
	}

	/** A fresh account unless one is named. */
	account(account = `test${++this.accounts}`): AccountConfig {
		return {
			account,
			store: this.config,
			passphrase: 'correct horse',
			backbone: { clientSecret: 'secret' },
		};
	}

	async open(config = this.account(), clock: Clock = systemClock): Promise<AccountStore> {
		return await openStore(config, { clock, random: systemRandom });
	}

	/** Catalogues with thousands of tables would make every further account slow to create. */
	async remove(config: AccountConfig): Promise<void> {
		await this.query(`drop schema ${schemaIn(config)} cascade`);
	}

	/** As after its creation: making another account takes a second. */
	async empty(config: AccountConfig): Promise<void> {
		const { store, account } = config;
		this.emptying ??= await connectedTo(this.server, this.config.database);
		await this.emptying.query(`do $$
			declare emptied text;
			begin
				for emptied in
					select format('%I.%I', schemaname, tablename) from pg_tables
						where schemaname = '${schemaOf(store as PostgresConfig, account)}'
							and tablename <> 'account' and not starts_with(tablename, 'kysely_')
				loop
					execute 'delete from ' || emptied;
				end loop;
				delete from ${schemaIn(config)}.account where name = 'life';
			end
		$$`);
	}

	/** Number of connections that the gateway has open. */
	async sessions(): Promise<number> {
		const rows = await this.query(`select pid from pg_stat_activity where ${ofTheGateway}`);
		return rows.length;
	}

	/** Ends the connections of the gateway, as a server does that stops. */
	async cutSessions(exceptPid = 0): Promise<void> {
		await this.query(
			`select pg_terminate_backend(pid) from pg_stat_activity where ${ofTheGateway} and pid <> $1`,
			[exceptPid],
		);
	}

	/** Looks into the database past the store. */
	async query<Row extends object>(sql: string, values: unknown[] = []): Promise<Row[]> {
		return await withClient(this.server, this.config.database, async (client) => {
			return (await client.query<Row>(sql, values.length === 0 ? undefined : values)).rows;
		});
	}
}

/** Fields of the credential for that database. */
export function storageCredential(config: PostgresConfig): object {
	return {
		storagePassphrase: 'correct horse',
		storage: 'postgres',
		postgresHost: config.host,
		postgresPort: config.port,
		postgresDatabase: config.database,
		postgresUser: config.user,
		postgresPassword: config.password,
	};
}

function schemaIn({ account, store }: AccountConfig): string {
	return quoted(schemaOf(store as PostgresConfig, account));
}

export async function asAdministrator(sql: string, server = sharedServer()): Promise<void> {
	await withClient(server, server.pathname.slice(1), (client) => client.query(sql));
}

async function withClient<Result>(
	server: URL,
	database: string,
	work: (client: Client) => Promise<Result>,
): Promise<Result> {
	const client = await connectedTo(server, database);
	try {
		return await work(client);
	} finally {
		await client.end();
	}
}

async function connectedTo(server: URL, database: string): Promise<Client> {
	const url = new URL(server);
	url.pathname = `/${database}`;
	const client = new Client({ connectionString: url.href });
	await client.connect();
	return client;
}
