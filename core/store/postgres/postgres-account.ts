import type { IdentityRecord } from '../../model/record/identity';
import { requireLiving } from '../account-life';
import {
	createSeal,
	hashOfClientSecret,
	sealerOf,
	unlock,
	type AccountSeal,
} from '../account-proof';
import { readSeal, SqlLife, writeSeal } from '../account-rows';
import type { SqlExecutor } from '../executor';
import { migrate, schemaVersion } from '../migrator';
import { postgresSchema } from '../migrations/schema-builder';
import type {
	AccountConfig,
	AccountPeek,
	AccountStore,
	ProofOptions,
	StoreDependencies,
} from '../open-store';
import { sealFoundSecrets } from '../found-secrets';
import type { Sealer } from '../sealer';
import { StatementBook } from '../statement-book';
import { storeErrors } from '../store-errors';
import { corruptRow, readJson } from '../stored-json';
import { PostgresConnection } from './postgres-connection';
import { queryBuilder } from './postgres-dialect';
import { createSchema, markVersion, requireFittingServer, versionOf } from './postgres-schema';
import { schemaOf, type PostgresConfig } from './postgres-settings';
import { PostgresStore, type PostgresStoreParts } from './postgres-store';
import { PostgresWriter } from './postgres-writer';
import { requireOwnSession } from './session-check';

/** The schema of one account in a database. */
export class PostgresAccount {
	private readonly schema: string;

	private readonly book = new StatementBook(queryBuilder(), false);

	constructor(
		private readonly store: PostgresConfig,
		account: string,
		private readonly deps: StoreDependencies,
	) {
		this.schema = schemaOf(store, account);
	}

	async open(config: AccountConfig, options: ProofOptions = {}): Promise<AccountStore> {
		requirePassphrase(config);
		const { random, clock } = this.deps;
		const writer = this.newWriter();
		try {
			await this.create(writer, config, options);
			const sealer = await this.prove(writer, config, options);
			requireLiving(await new SqlLife(await writer.connect(), this.book).get());
			await this.update(writer, sealer, options);
			const parts = {
				config: this.store,
				schema: this.schema,
				book: this.book,
				sealer,
				clock,
				token: Buffer.from(random.bytes(4)).readInt32BE() || 1,
			};
			return new ProvableStore(parts, async (within, changed, proofOptions) => {
				requirePassphrase(changed);
				await this.prove(within, changed, proofOptions);
			});
		} finally {
			await writer.close();
		}
	}

	/** Reads only, and creates nothing. */
	async peek(config: AccountConfig): Promise<AccountPeek> {
		requirePassphrase(config);
		const connection = await this.connect();
		try {
			await requireFittingServer(connection);
			await requireOwnSession(connection, () => this.connect());
			const version = await versionOf(connection, this.schema);
			requireKnown(version);
			if (version === 0) return { state: 'none' };
			const seal = await readSeal(connection, this.book);
			if (seal === undefined) return { state: 'none' };
			await unlock(seal, config, noKeyFile, this.deps.random);
			requireLiving(await new SqlLife(connection, this.book).get());
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
			await connection.close();
		}
	}

	private connect(): Promise<PostgresConnection> {
		return PostgresConnection.open(this.store, this.schema);
	}

	private newWriter(): PostgresWriter {
		return new PostgresWriter({
			schema: this.schema,
			open: () => this.connect(),
			onReconnected: () => undefined,
		});
	}

	/**
	 * Tables, seal and version appear with one commit, so whenever a creation is killed the next one
	 * finds nothing and starts anew. Of several processes all but the first find an existing account.
	 */
	private async create(
		writer: PostgresWriter,
		config: AccountConfig,
		options: ProofOptions,
	): Promise<void> {
		const connection = await writer.connect();
		await requireFittingServer(connection);
		await requireOwnSession(connection, () => this.connect());
		const version = await versionOf(connection, this.schema);
		requireKnown(version);
		if (version !== 0) return;
		await options.approveClientSecret?.();
		// Derived before the lock is taken: it takes a moment, and others would wait for it.
		const { passphrase, backbone, sealContents } = config;
		const { seal } = await createSeal(
			{ passphrase, clientSecretHash: hashOfClientSecret(backbone.clientSecret), sealContents },
			noKeyFile,
			this.deps.random,
		);
		await writer.run(async (executor) => {
			if ((await versionOf(executor, this.schema)) !== 0) return;
			await createSchema(executor, this.schema);
			await this.migrate(writer);
			await writeSeal(executor, this.book, seal);
			await markVersion(executor, schemaVersion);
		}, options);
	}

	/** Opens an existing account's key; a changed client secret is taken over. */
	private async prove(
		writer: PostgresWriter,
		config: AccountConfig,
		options: ProofOptions,
	): Promise<Sealer> {
		const seal = await readSeal(await writer.connect(), this.book);
		if (seal === undefined) throw corruptRow({ table: 'account', id: 'seal' });
		const { key, changedSeal } = await unlock(seal, config, noKeyFile, this.deps.random);
		const sealer = sealerOf(seal, key, this.deps.random);
		if (changedSeal === undefined) return sealer;
		const replaced = await writer.run(
			(executor) => this.replaceSeal(executor, seal, changedSeal),
			options,
		);
		if (replaced) return sealer;
		// Another process was faster: what it has taken over is to be proven now.
		return await this.prove(writer, config, options);
	}

	private async replaceSeal(
		executor: SqlExecutor,
		seen: AccountSeal,
		changed: AccountSeal,
	): Promise<boolean> {
		const current = await readSeal(executor, this.book);
		if (current?.clientSecret !== seen.clientSecret) return false;
		await writeSeal(executor, this.book, changed);
		return true;
	}

	/** Only after the proof: whoever cannot open an account does not change its tables either. */
	private async update(
		writer: PostgresWriter,
		sealer: Sealer,
		options: ProofOptions,
	): Promise<void> {
		if ((await versionOf(await writer.connect(), this.schema)) === schemaVersion) return;
		const { book } = this;
		await writer.run(async (executor) => {
			await this.migrate(writer);
			await sealFoundSecrets({ executor, book, sealer });
			await markVersion(executor, schemaVersion);
		}, options);
	}

	private async migrate(writer: PostgresWriter): Promise<void> {
		await migrate(queryBuilder(await writer.connect()), postgresSchema, this.schema);
	}
}

export function requirePassphrase(config: Pick<AccountConfig, 'passphrase'>): void {
	if (config.passphrase !== undefined) return;
	throw storeErrors.create('passphraseRequired', {
		message: 'PostgreSQL was chosen as the store, and there is no storage passphrase.',
		facts: { field: 'passphrase' },
	});
}

export function requireKnown(version: number): void {
	if (version <= schemaVersion) return;
	throw storeErrors.create('newerSchema', {
		message: `The account has schema version ${version}; this package knows up to ${schemaVersion}.`,
		facts: { version },
	});
}

export function noKeyFile(): never {
	throw storeErrors.create('passphraseRequired', {
		message: 'An account in PostgreSQL is sealed with a passphrase.',
		facts: { field: 'passphrase' },
	});
}

class ProvableStore extends PostgresStore implements AccountStore {
	constructor(
		parts: PostgresStoreParts,
		private readonly proof: (
			writer: PostgresWriter,
			config: AccountConfig,
			options: ProofOptions,
		) => Promise<void>,
	) {
		super(parts);
	}

	async prove(config: AccountConfig, options: ProofOptions = {}): Promise<void> {
		await this.proof(this.writer, config, options);
	}
}
