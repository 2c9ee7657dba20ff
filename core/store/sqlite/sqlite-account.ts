import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import type { Cancellable } from '../../base/abort';
import type { IdentityRecord } from '../../model/record/identity';
import type { StoreKey } from '../../crypto/sealing';
import { createSeal, unlock } from '../account-proof';
import { readSeal, writeSeal } from '../account-rows';
import type { SqlExecutor } from '../executor';
import { migrate, schemaVersion } from '../migrator';
import { sqliteSchema } from '../migrations/schema-builder';
import type {
	AccountConfig,
	AccountPeek,
	AccountStore,
	ProofOptions,
	StoreDependencies,
} from '../open-store';
import { Sealer } from '../sealer';
import { StatementBook } from '../statement-book';
import { storeErrors } from '../store-errors';
import { corruptRow, readJson } from '../stored-json';
import { KeyFile, syncFolder } from './key-file';
import { LogSync } from './log-sync';
import { SqliteConnection } from './sqlite-connection';
import { queryBuilder } from './sqlite-dialect';
import {
	markOurs,
	openSqliteFile,
	openSqliteForLook,
	openSqliteReader,
	versionOf,
} from './sqlite-file';
import { SqliteSession, whileBusy } from './sqlite-session';
import { SqliteStore, type SqliteStoreParts } from './sqlite-store';

/** Database file and key file of one account in one folder. */
export class SqliteAccount {
	private readonly file: string;

	private readonly keyFile: KeyFile;

	constructor(
		private readonly folder: string,
		account: string,
		private readonly deps: StoreDependencies,
	) {
		this.file = join(folder, `${account}.sqlite`);
		this.keyFile = new KeyFile(join(folder, `${account}.key`), deps.random);
	}

	async open(config: AccountConfig, options: ProofOptions = {}): Promise<AccountStore> {
		const database = await openSqliteFile(this.file);
		const connection = new SqliteConnection(database);
		const writer = new SqliteSession(connection);
		const opened = { database, writer, book: new StatementBook(queryBuilder(connection)) };
		try {
			await this.create(opened, config, options);
			const key = await this.prove(opened, config, options);
			await this.update(opened, options);
			const reader = new SqliteSession(new SqliteConnection(openSqliteReader(this.file)));
			const sealer = new Sealer(key, this.deps.random);
			const log = new LogSync(this.file);
			const parts = { ...opened, reader, sealer, clock: this.deps.clock, log };
			return new ProvableStore(parts, async (changed, proofOptions) => {
				await this.prove(opened, changed, proofOptions);
			});
		} catch (error) {
			await writer.close();
			throw error;
		}
	}

	/** Reads only, and creates nothing. */
	async peek(config: AccountConfig): Promise<AccountPeek> {
		if (!existsSync(this.file)) return { state: 'none' };
		const database = await openSqliteForLook(this.file);
		const connection = new SqliteConnection(database);
		try {
			const version = await whileBusy(() => versionOf(database));
			requireKnown(version);
			// A creation that was killed before its end: the next use starts it again.
			if (version === 0) return { state: 'none' };
			const book = new StatementBook(queryBuilder(connection));
			const seal = await readSeal(connection, book);
			if (seal === undefined) return { state: 'none' };
			await unlock(seal, config, () => this.keyFile.read(), this.deps.random);
			const [row] = await connection.query<{ document: string }>(
				"select document from identity where id = 'self'",
				[],
			);
			const identity =
				row && readJson<IdentityRecord>(row.document, { table: 'identity', id: 'self' });
			return {
				state: 'proven',
				address: identity?.state === 'ready' ? identity.address : undefined,
			};
		} finally {
			connection.close();
		}
	}

	/**
	 * Tables, seal and the file's mark appear with one commit, so whenever a creation is killed the
	 * next one finds nothing and starts anew. Of two processes the second finds an existing account.
	 */
	private async create(
		opened: Opened,
		config: AccountConfig,
		options: ProofOptions,
	): Promise<void> {
		const { database, writer, book } = opened;
		const version = await whileBusy(() => versionOf(database));
		requireKnown(version);
		if (version !== 0) return;
		await options.approveClientSecret?.();
		await writer.run(
			'begin immediate',
			async (executor) => {
				if (versionOf(database) !== 0) return;
				await migrate(queryBuilder(writer.connection), sqliteSchema);
				const readKey = (): StoreKey => this.keyFile.readOrCreate();
				const seal = await createSeal(config, readKey, this.deps.random);
				await writeSeal(executor, book, seal);
				markOurs(database, schemaVersion);
			},
			options,
		);
		syncFolder(this.folder);
	}

	/** Opens an existing account's key; a changed client secret is taken over. */
	private async prove(
		opened: Opened,
		config: AccountConfig,
		options: ProofOptions,
	): Promise<StoreKey> {
		const { writer, book } = opened;
		const seal = await writer.run('begin', (executor) => readSeal(executor, book), options);
		if (seal === undefined) throw corruptRow({ table: 'account', id: 'seal' });
		const readKey = (): StoreKey => this.keyFile.read();
		const { key, changedSeal } = await unlock(seal, config, readKey, this.deps.random);
		if (changedSeal === undefined) return key;
		// Beside a passphrase the client secret proves nothing, so a wrong one locks nobody out.
		if (seal.kind === 'keyFile') await options.approveClientSecret?.();
		const replace = async (executor: SqlExecutor): Promise<boolean> => {
			const current = await readSeal(executor, book);
			if (current?.clientSecret !== seal.clientSecret) return false;
			await writeSeal(executor, book, changedSeal);
			return true;
		};
		if (await writer.run('begin immediate', replace, options)) return key;
		// Another process was faster: what it has taken over is to be proven now.
		return await this.prove(opened, config, options);
	}

	/** Only after the proof: whoever cannot open an account does not change its file either. */
	private async update({ database, writer }: Opened, options: Cancellable): Promise<void> {
		if ((await whileBusy(() => versionOf(database))) === schemaVersion) return;
		await writer.run(
			'begin immediate',
			async () => {
				await migrate(queryBuilder(writer.connection), sqliteSchema);
				markOurs(database, schemaVersion);
			},
			options,
		);
	}
}

interface Opened {
	readonly database: DatabaseSync;
	readonly writer: SqliteSession;
	readonly book: StatementBook;
}

function requireKnown(version: number): void {
	if (version <= schemaVersion) return;
	throw storeErrors.create('newerSchema', {
		message: `The file has schema version ${version}; this package knows up to ${schemaVersion}.`,
		facts: { version },
	});
}

class ProvableStore extends SqliteStore implements AccountStore {
	constructor(
		parts: SqliteStoreParts,
		private readonly proof: (config: AccountConfig, options: ProofOptions) => Promise<void>,
	) {
		super(parts);
	}

	async prove(config: AccountConfig, options: ProofOptions = {}): Promise<void> {
		await this.proof(config, options);
	}
}
