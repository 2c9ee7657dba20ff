import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { IdentityRecord } from '../../model/record/identity';
import type { StoreKey } from '../../crypto/sealing';
import { requireLiving, type AccountLife } from '../account-life';
import { createSeal, hashOfClientSecret, sealerOf, unlock } from '../account-proof';
import { readSeal, SqlLife, writeSeal } from '../account-rows';
import type { SqlExecutor } from '../executor';
import type {
	AccountConfig,
	AccountPeek,
	AccountStore,
	ProofOptions,
	StoreDependencies,
} from '../open-store';
import type { Sealer } from '../sealer';
import { StatementBook } from '../statement-book';
import { storeErrors } from '../store-errors';
import { corruptRow, readJson } from '../stored-json';
import { KeyFile, syncFolder } from './key-file';
import { LogSync } from './log-sync';
import { OpenMark } from './open-mark';
import { SqliteConnection } from './sqlite-connection';
import { queryBuilder } from './sqlite-dialect';
import { openSqliteForLook } from './sqlite-file';
import {
	createAccount,
	hasAccount,
	openFile,
	openReader,
	updateSchema,
	type OpenedFile,
} from './sqlite-parts';
import { SqliteStore, type SqliteStoreParts } from './sqlite-store';

/** What can be seen of an account without opening it. */
export interface SqliteLook {
	readonly life: AccountLife;
	/** absent until its identity is complete */
	readonly address: string | undefined;
}

/** Database file and key file of one account in one folder. */
export class SqliteAccount {
	readonly file: string;

	readonly keyFile: KeyFile;

	constructor(
		private readonly folder: string,
		account: string,
		private readonly deps: StoreDependencies,
	) {
		this.file = join(folder, `${account}.sqlite`);
		this.keyFile = new KeyFile(join(folder, `${account}.key`), deps.random);
	}

	async open(config: AccountConfig, options: ProofOptions = {}): Promise<AccountStore> {
		this.requireNothingLeft();
		const opened = await openFile(this.file, this.deps.timings?.sqliteBusyMs);
		let living: OpenMark | undefined;
		try {
			await this.create(opened, config, options);
			const sealer = await this.prove(opened, config, options);
			requireLiving(
				await opened.writer.run('begin', (executor) => new SqlLife(executor, opened.book).get()),
			);
			await updateSchema(opened, sealer, options);
			living = OpenMark.make(this.file, this.deps.random);
			const reader = openReader(this.file, opened.identity);
			const log = new LogSync(this.file, () => opened.writer.connection.checkpoint());
			const parts = { ...opened, reader, sealer, clock: this.deps.clock, log, living };
			return new ProvableStore(parts, async (changed, proofOptions) => {
				await this.prove(opened, changed, proofOptions);
			});
		} catch (error) {
			await opened.writer.close();
			living?.close();
			throw error;
		}
	}

	/** Reads only, and creates nothing. */
	async peek(config: AccountConfig): Promise<AccountPeek> {
		this.requireNothingLeft();
		const look = await this.look(async (executor, book) => {
			const seal = await readSeal(executor, book);
			if (seal === undefined) return false;
			await unlock(seal, config, () => this.keyFile.read(), this.deps.random);
			return true;
		});
		if (look === undefined) return { state: 'none' };
		requireLiving(look.life);
		return { state: 'proven', address: look.address };
	}

	/**
	 * @param mayLook asked before anything is read; false means that there is no account
	 * @throws what `mayLook` throws
	 */
	async look(
		mayLook: (executor: SqlExecutor, book: StatementBook) => Promise<boolean>,
	): Promise<SqliteLook | undefined> {
		if (!existsSync(this.file)) return undefined;
		const database = await openSqliteForLook(this.file);
		const connection = new SqliteConnection(database);
		try {
			if (!(await hasAccount(database))) return undefined;
			const book = new StatementBook(queryBuilder(connection), true);
			if (!(await mayLook(connection, book))) return undefined;
			const [row] = await connection.query<{ document: string }>(
				"select document from identity where id = 'self'",
				[],
			);
			const identity =
				row && readJson<IdentityRecord>(row.document, { table: 'identity', id: 'self' });
			return {
				life: await new SqlLife(connection, book).get(),
				address: identity?.state === 'ready' ? identity.address : undefined,
			};
		} finally {
			connection.close();
		}
	}

	/**
	 * A key file or a log without its database says that the database was lost: an account that is
	 * created in its place would be a new identity, without a person's word.
	 *
	 * @throws `error.gateway.store.databaseMissing`
	 */
	private requireNothingLeft(): void {
		// In this order: whoever creates or discards an account has the database before and after these.
		const left = [this.keyFile.path, `${this.file}-wal`].filter((path) => sizeOf(path) > 0);
		if (left.length === 0 || sizeOf(this.file) > 0) return;
		const names = left.map((path) => `'${path}'`).join(' and ');
		const state = existsSync(this.file) ? 'is empty' : 'is missing';
		throw storeErrors.create('databaseMissing', {
			message: `The database file '${this.file}' ${state}, but there was an account: of it ${names} is left.`,
			facts: { left },
		});
	}

	private async create(
		opened: OpenedFile,
		config: AccountConfig,
		options: ProofOptions,
	): Promise<void> {
		if (await hasAccount(opened.database)) return;
		await options.approveClientSecret?.();
		const readKey = (): StoreKey => this.keyFile.readOrCreate();
		const { passphrase, backbone, sealContents } = config;
		const clientSecretHash = hashOfClientSecret(backbone.clientSecret);
		const seal = { passphrase, clientSecretHash, sealContents };
		await createAccount(
			opened,
			{ seal: async () => (await createSeal(seal, readKey, this.deps.random)).seal },
			options,
		);
		syncFolder(this.folder);
	}

	/** Opens an existing account's key; a changed client secret is taken over. */
	private async prove(
		opened: OpenedFile,
		config: AccountConfig,
		options: ProofOptions,
	): Promise<Sealer> {
		const { writer, book } = opened;
		const seal = await writer.run('begin', (executor) => readSeal(executor, book), options);
		if (seal === undefined) throw corruptRow({ table: 'account', id: 'seal' });
		const readKey = (): StoreKey => this.keyFile.read();
		const { key, changedSeal } = await unlock(seal, config, readKey, this.deps.random);
		const sealer = sealerOf(seal, key, this.deps.random);
		if (changedSeal === undefined) return sealer;
		// Beside a passphrase the client secret proves nothing, so a wrong one locks nobody out.
		if (seal.kind === 'keyFile') await options.approveClientSecret?.();
		const replace = async (executor: SqlExecutor): Promise<boolean> => {
			const current = await readSeal(executor, book);
			if (current?.clientSecret !== seal.clientSecret) return false;
			await writeSeal(executor, book, changedSeal);
			return true;
		};
		if (await writer.run('begin immediate', replace, options)) return sealer;
		// Another process was faster: what it has taken over is to be proven now.
		return await this.prove(opened, config, options);
	}
}

/** Zero also for a path that cannot be asked: opening it says why. */
function sizeOf(path: string): number {
	try {
		return statSync(path).size;
	} catch {
		return 0;
	}
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
