import {
	closeSync,
	existsSync,
	fsyncSync,
	linkSync,
	openSync,
	readFileSync,
	rmSync,
	writeSync,
} from 'node:fs';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { isGatewayError } from '../../base/errors';
import { alphanumeric } from '../../base/random';
import { generateKeyFile, storeKeyFromFile, type StoreKey } from '../../crypto/sealing';
import { createSeal, unlock, type AccountSeal } from '../account-proof';
import type { AnyDatabase } from '../collection-statements';
import { migrate, schemaVersion } from '../migrator';
import type { AccountConfig, AccountStore, StoreDependencies } from '../open-store';
import { Sealer } from '../sealer';
import { storeErrors } from '../store-errors';
import { SqliteDialect } from './sqlite-dialect';
import { openSqliteFile, openSqliteReader } from './sqlite-file';
import { database, SqliteStore } from './sqlite-store';

/** Database file and key file of one account in one folder. */
export class SqliteAccount {
	private readonly file: string;

	private readonly keyFile: string;

	constructor(
		folder: string,
		account: string,
		private readonly deps: StoreDependencies,
	) {
		this.file = join(folder, `${account}.sqlite`);
		this.keyFile = join(folder, `${account}.key`);
	}

	exists(): boolean {
		return existsSync(this.file);
	}

	async open(config: AccountConfig): Promise<AccountStore> {
		const file = this.openFile();
		const writer = database(new SqliteDialect(file, 'begin immediate'));
		try {
			await this.migrate(file, writer);
			const key = await this.unlockOrCreate(writer, config);
			const reader = database(new SqliteDialect(openSqliteReader(this.file), 'begin'));
			const sealer = new Sealer(key, this.deps.random);
			const store = new SqliteStore(writer, reader, this.deps.clock, sealer);
			return Object.assign(store, {
				prove: async (changed: AccountConfig) => {
					await this.unlockOrCreate(writer, changed);
				},
			});
		} catch (error) {
			await writer.destroy();
			throw error;
		}
	}

	private openFile(): DatabaseSync {
		try {
			return openSqliteFile(this.file);
		} catch (cause) {
			if (isGatewayError(cause)) throw cause;
			throw storeErrors.create('notWritable', {
				message: `The database file '${this.file}' cannot be opened for writing.`,
				cause,
			});
		}
	}

	/** The version in the file's header spares the migrator's own look on every start. */
	private async migrate(file: DatabaseSync, writer: AnyDatabase): Promise<void> {
		const { user_version: version } = file.prepare('pragma user_version').get() as {
			user_version: number;
		};
		if (version > schemaVersion) {
			throw storeErrors.create('newerSchema', {
				message: `The file has schema version ${version}; this package knows up to ${schemaVersion}.`,
				facts: { version },
			});
		}
		if (version === schemaVersion) return;
		await migrate(writer, { ordinalType: 'integer' });
		file.exec(`pragma user_version = ${schemaVersion}`);
	}

	/** A process killed before the seal was stored leaves an empty account: the next one seals it. */
	private async unlockOrCreate(writer: AnyDatabase, config: AccountConfig): Promise<StoreKey> {
		const { random } = this.deps;
		const known = await readSeal(writer);
		if (known === undefined) {
			const created = await createSeal(config, () => this.readOrCreateKey(), random);
			const stored = await writeSeal(writer, created.seal, 'if absent');
			return stored ? created.key : await this.unlockOrCreate(writer, config);
		}
		const { key, changedSeal } = await unlock(known, config, () => this.readKey(), random);
		if (changedSeal !== undefined) await writeSeal(writer, changedSeal, 'replace');
		return key;
	}

	private readKey(): StoreKey {
		if (existsSync(this.keyFile)) return storeKeyFromFile(readFileSync(this.keyFile));
		throw storeErrors.create('keyFileMissing', {
			message: `The key file '${this.keyFile}' that opens this account is missing.`,
		});
	}

	/**
	 * Written aside and linked into place: a key file is either absent or whole, and of two processes
	 * that start together one wins.
	 */
	private readOrCreateKey(): StoreKey {
		if (!existsSync(this.keyFile)) {
			const { random } = this.deps;
			const draft = `${this.keyFile}.${random.text(8, alphanumeric)}`;
			const handle = openSync(draft, 'wx', 0o600);
			try {
				writeSync(handle, generateKeyFile(random));
				fsyncSync(handle);
			} finally {
				closeSync(handle);
			}
			try {
				linkSync(draft, this.keyFile);
			} catch (error) {
				if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
			} finally {
				rmSync(draft, { force: true });
			}
		}
		return this.readKey();
	}
}

async function readSeal(db: AnyDatabase): Promise<AccountSeal | undefined> {
	const row = await db
		.selectFrom('account')
		.select('value')
		.where('name', '=', 'seal' as never)
		.executeTakeFirst();
	return row && (JSON.parse(String(row['value'])) as AccountSeal);
}

async function writeSeal(
	db: AnyDatabase,
	seal: AccountSeal,
	mode: 'if absent' | 'replace',
): Promise<boolean> {
	const value = JSON.stringify(seal);
	return await db.transaction().execute(async (tx) => {
		const rows = await tx
			.insertInto('account')
			.values({ name: 'seal', value })
			.onConflict((conflict) =>
				mode === 'replace'
					? conflict.column('name').doUpdateSet({ value })
					: conflict.column('name').doNothing(),
			)
			.returning('name')
			.execute();
		return rows.length > 0;
	});
}
