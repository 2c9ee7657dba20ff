import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { IdentityRecord } from '../../model/record/identity';
import type { StoreKey } from '../../crypto/sealing';
import { requireLiving, type AccountState } from '../account/account-state';
import { createSeal, hashOfClientSecret, sealerOf, unlock } from '../account/account-proof';
import { readSeal, SqlAccountState, writeSeal } from '../account/account-rows';
import type { SqlExecutor } from '../sql/executor';
import type {
	AccountConfig,
	AccountPeek,
	AccountStore,
	ProofOptions,
	StoreDependencies,
} from '../account/account-store';
import type { Sealer } from '../sql/sealer';
import { CompiledStatementCache } from '../sql/compiled-statement-cache';
import { storeErrors } from '../store-errors';
import { corruptRow, readJson } from '../collections/stored-json';
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

/** Properties of an account that are visible without opening it. */
export interface SqliteLook {
	readonly accountState: AccountState;
	readonly identity: IdentityRecord | undefined;
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
				await opened.writer.run('begin', (executor) =>
					new SqlAccountState(executor, opened.compiled).get(),
				),
			);
			await updateSchema(opened, options);
			living = OpenMark.make(this.file, this.deps.random);
			const reader = openReader(this.file, opened.identity);
			const log = new LogSync(this.file);
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

	/** Looks at the account by reading only; creates nothing. */
	async peek(config: AccountConfig): Promise<AccountPeek> {
		this.requireNothingLeft();
		const look = await this.look(async (executor, compiled) => {
			const seal = await readSeal(executor, compiled);
			if (seal === undefined) return false;
			await unlock(seal, config, () => this.keyFile.read(), this.deps.random);
			return true;
		});
		if (look === undefined) return { state: 'none' };
		requireLiving(look.accountState);
		return { state: 'proven', identity: look.identity };
	}

	/**
	 * Reads the properties of the account.
	 *
	 * @param mayLook called before anything is read; false means that there is no account
	 * @throws errors of `mayLook`
	 */
	async look(
		mayLook: (executor: SqlExecutor, compiled: CompiledStatementCache) => Promise<boolean>,
	): Promise<SqliteLook | undefined> {
		if (!existsSync(this.file)) return undefined;
		const database = await openSqliteForLook(this.file);
		const connection = new SqliteConnection(database);
		try {
			if (!(await hasAccount(database))) return undefined;
			const compiled = new CompiledStatementCache(queryBuilder(connection), false);
			if (!(await mayLook(connection, compiled))) return undefined;
			const [row] = await connection.query<{ document: string }>(
				'select document from identity_documents',
				[],
			);
			const identity =
				row && readJson<IdentityRecord>(row.document, { table: 'identity', id: 'self' });
			return {
				accountState: await new SqlAccountState(connection, compiled).get(),
				identity,
			};
		} finally {
			connection.close();
		}
	}

	/**
	 * Refuses to create an account if a key file or a log without its database shows that the
	 * database was lost: the new account would have a new identity without a person's consent.
	 *
	 * @throws `error.gateway.store.databaseMissing`
	 */
	private requireNothingLeft(): void {
		// Checked in this order: creating or discarding an account creates the database before, and
		// removes it after, the other files.
		const left = [this.keyFile.path, `${this.file}-wal`].filter((path) => sizeOf(path) > 0);
		if (left.length === 0 || sizeOf(this.file) > 0) return;
		const names = left.map((path) => `'${path}'`).join(' and ');
		const state = existsSync(this.file) ? 'is empty' : 'is missing';
		throw storeErrors.create('databaseMissing', {
			message: `The database file '${this.file}' ${state}, but there was an account, of which ${names} is left.`,
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

	/** Derives the key of an existing account and stores a changed client secret as the new proof. */
	private async prove(
		opened: OpenedFile,
		config: AccountConfig,
		options: ProofOptions,
	): Promise<Sealer> {
		const { writer, compiled } = opened;
		const seal = await writer.run('begin', (executor) => readSeal(executor, compiled), options);
		if (seal === undefined) throw corruptRow({ table: 'account', id: 'seal' });
		const readKey = (): StoreKey => this.keyFile.read();
		const { key, changedSeal } = await unlock(seal, config, readKey, this.deps.random);
		const sealer = sealerOf(seal, key, this.deps.random);
		if (changedSeal === undefined) return sealer;
		// With a passphrase the client secret proves nothing, so a wrong secret locks out no person.
		if (seal.kind === 'keyFile') await options.approveClientSecret?.();
		const replace = async (executor: SqlExecutor): Promise<boolean> => {
			const current = await readSeal(executor, compiled);
			if (current?.clientSecret !== seal.clientSecret) return false;
			await writeSeal(executor, compiled, changedSeal);
			return true;
		};
		if (await writer.run('begin immediate', replace, options)) return sealer;
		// Another process was faster, so the proof is repeated with the client secret that it stored.
		return await this.prove(opened, config, options);
	}
}

/**
 * Returns the size of a file; zero for a path that cannot be queried, because opening it reports
 * the reason.
 */
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
