import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { StoreConfig } from '../../../core/config';
import { quoted, schemaOf } from '../../../core/store/postgres/postgres-settings';
import { TestDatabase } from '../../support/postgres/postgres';
import { until } from '../../support/until';

/** What a test does to the database of an account behind the back of its gateways. */
export interface AccountCopies {
	readonly store: StoreConfig;
	readonly passphrase: string | undefined;
	/** A copy as of now, of an account that may be open. */
	copy(): Promise<string>;
	/** Everything is as it was then; gateways that have it open are not told. */
	goBackTo(copy: string): Promise<void>;
	/** The number behind a counter. */
	counter(name: string): Promise<number>;
	close(): Promise<void>;
}

/** All tables with their rows are written over, since a database may not be replaced that is open. */
export class SqliteCopies implements AccountCopies {
	private readonly folder = mkdtempSync(join(tmpdir(), 'enmeshed-test-'));

	private readonly copyFolder = mkdtempSync(join(tmpdir(), 'enmeshed-test-'));

	private copies = 0;

	readonly store: StoreConfig = { kind: 'sqlite', folder: this.folder };

	readonly passphrase = undefined;

	copy(): Promise<string> {
		const copy = join(this.copyFolder, `copy-${++this.copies}`);
		this.inDatabase((db) => db.prepare('vacuum into ?').run(copy));
		return Promise.resolve(copy);
	}

	/** Waits for transactions of this very process without holding them up. */
	async goBackTo(copy: string): Promise<void> {
		await until(() => this.isTakenBackTo(copy));
	}

	private isTakenBackTo(copy: string): boolean {
		return this.inDatabase((db) => {
			db.prepare('attach ? as former').run(copy);
			try {
				db.exec('begin immediate');
			} catch (error) {
				if (String(error).includes('locked')) return false;
				throw error;
			}
			for (const table of tablesIn(db)) {
				db.exec(`delete from main."${table}"`);
				db.exec(`insert into main."${table}" select * from former."${table}"`);
			}
			db.exec('commit');
			return true;
		}, 0);
	}

	counter(name: string): Promise<number> {
		return Promise.resolve(
			this.inDatabase((db) => {
				const row = db.prepare('select next from counters where name = ?').get(name);
				return Number(row?.['next'] ?? 0);
			}),
		);
	}

	close(): Promise<void> {
		for (const folder of [this.folder, this.copyFolder]) {
			rmSync(folder, { recursive: true, force: true });
		}
		return Promise.resolve();
	}

	private inDatabase<Result>(work: (db: DatabaseSync) => Result, timeout = 10_000): Result {
		const file = readdirSync(this.folder).find((name) => name.endsWith('.sqlite'));
		const db = new DatabaseSync(join(this.folder, file ?? ''), { timeout });
		try {
			return work(db);
		} finally {
			db.close();
		}
	}
}

function tablesIn(db: DatabaseSync): string[] {
	const rows = db
		.prepare(
			"select name from former.sqlite_schema where type = 'table' and name not like 'sqlite_%'",
		)
		.all();
	return rows.map((row) => String(row['name']));
}

/** Connections end meanwhile, as when a standby takes over. */
export class PostgresCopies implements AccountCopies {
	private copies = 0;

	readonly passphrase = 'correct horse';

	private constructor(private readonly database: TestDatabase) {}

	static async create(): Promise<PostgresCopies> {
		return new PostgresCopies(await TestDatabase.create());
	}

	get store(): StoreConfig {
		return this.database.config;
	}

	private get schema(): string {
		return quoted(schemaOf(this.database.config, 'default'));
	}

	async copy(): Promise<string> {
		const copy = `copy${++this.copies}`;
		const statements = (await this.tables()).map(
			(table) => `create table ${copy}."${table}" as table ${this.schema}."${table}"`,
		);
		await this.database.query([`create schema ${copy}`, ...statements].join('; '));
		return copy;
	}

	async goBackTo(copy: string): Promise<void> {
		const tables = await this.tables();
		const names = tables.map((table) => `${this.schema}."${table}"`).join(', ');
		const statements = tables.map(
			(table) =>
				`delete from ${this.schema}."${table}"; ` +
				`insert into ${this.schema}."${table}" overriding system value table ${copy}."${table}"`,
		);
		await untilNoDeadlock(() =>
			this.database.query(
				[
					'begin',
					`lock table ${names} in access exclusive mode`,
					`select pg_terminate_backend(pid) from pg_stat_activity
					where datname = current_database() and pid <> pg_backend_pid()`,
					...statements,
					'commit',
				].join('; '),
			),
		);
	}

	async counter(name: string): Promise<number> {
		const [row] = await this.database.query<{ next: string }>(
			`select next from ${this.schema}.counters where name = $1`,
			[name],
		);
		return Number(row?.next ?? 0);
	}

	close(): Promise<void> {
		return this.database.drop();
	}

	private async tables(): Promise<string[]> {
		const schema = schemaOf(this.database.config, 'default');
		const rows = await this.database.query<{ name: string }>(
			'select tablename as name from pg_tables where schemaname = $1',
			[schema],
		);
		return rows.map(({ name }) => name);
	}
}

/** Repeats a statement that PostgreSQL ended because a gateway had locked the same tables in another order. */
async function untilNoDeadlock(work: () => Promise<unknown>): Promise<void> {
	for (let attemptsLeft = 10; ; attemptsLeft--) {
		try {
			await work();
			return;
		} catch (error) {
			if ((error as { code?: string }).code !== '40P01' || attemptsLeft === 0) throw error;
		}
	}
}
