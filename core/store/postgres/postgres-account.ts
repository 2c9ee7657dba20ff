import type { IdentityRecord } from '../../model/record/identity';
import { requireLiving } from '../account/account-state';
import { createSeal, hashOfClientSecret, sealerOf, unlock } from '../account/account-proof';
import { readSeal, SqlAccountState, writeSeal } from '../account/account-rows';
import type {
	AccountConfig,
	AccountPeek,
	AccountStore,
	ProofOptions,
	StoreDependencies,
} from '../account/account-store';
import { createTables } from '../schema/create-tables';
import { postgresSchema } from '../schema/schema-dialect';
import { requireKnownSchema, schemaVersion, updateTables } from '../schema/schema-version';
import type { Sealer } from '../sql/sealer';
import { CompiledStatementCache } from '../sql/compiled-statement-cache';
import { storeErrors } from '../store-errors';
import { corruptRow, readJson } from '../collections/stored-json';
import { PostgresConnection } from './postgres-connection';
import { queryBuilder } from './postgres-dialect';
import { createSchema, markVersion, requireFittingServer, versionOf } from './postgres-schema';
import { schemaOf, type PostgresConfig } from './postgres-settings';
import { PostgresStore, type PostgresStoreParts } from './postgres-store';
import { PostgresWriter } from './postgres-writer';
import { requireOwnSession } from './session-check';

/** Database schema of one account. */
export class PostgresAccount {
	private readonly schema: string;

	private readonly compiled = new CompiledStatementCache(queryBuilder(), true);

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
			requireLiving(await new SqlAccountState(await writer.connect(), this.compiled).get());
			await this.update(writer, options);
			const parts = {
				config: this.store,
				schema: this.schema,
				compiled: this.compiled,
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

	/** Looks at the account by reading only; creates nothing. */
	async peek(config: AccountConfig): Promise<AccountPeek> {
		requirePassphrase(config);
		const connection = await this.connect();
		try {
			await requireFittingServer(connection);
			await requireOwnSession(connection, () => this.connect());
			const version = await versionOf(connection, this.schema);
			requireKnownSchema(version);
			if (version === 0) return { state: 'none' };
			const seal = await readSeal(connection, this.compiled);
			if (seal === undefined) return { state: 'none' };
			await unlock(seal, config, noKeyFile, this.deps.random);
			requireLiving(await new SqlAccountState(connection, this.compiled).get());
			const [row] = await connection.query<{ document: string }>(
				'select document from identity_documents',
				[],
			);
			const identity =
				row && readJson<IdentityRecord>(row.document, { table: 'identity', id: 'self' });
			return { state: 'proven', identity };
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
	 * Creates tables, seal and version in one commit, so that after a killed creation the next one
	 * finds nothing and starts from the beginning. If several processes create the account, all but
	 * the first find it existing.
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
		requireKnownSchema(version);
		if (version !== 0) return;
		await options.approveClientSecret?.();
		// The seal is derived before the lock is taken, because that takes time in which other
		// processes would wait.
		const { passphrase, backbone, sealContents } = config;
		const { seal } = await createSeal(
			{ passphrase, clientSecretHash: hashOfClientSecret(backbone.clientSecret), sealContents },
			noKeyFile,
			this.deps.random,
		);
		await writer.run(async (executor) => {
			if ((await versionOf(executor, this.schema)) !== 0) return;
			await createSchema(executor, this.schema);
			await createTables(queryBuilder(await writer.connect()), postgresSchema);
			await writeSeal(executor, this.compiled, seal);
			await markVersion(executor, schemaVersion());
		}, options);
	}

	/** Derives the key of an existing account and stores a changed client secret as the new proof. */
	private async prove(
		writer: PostgresWriter,
		config: AccountConfig,
		options: ProofOptions,
	): Promise<Sealer> {
		const seal = await readSeal(await writer.connect(), this.compiled);
		if (seal === undefined) throw corruptRow({ table: 'account', id: 'seal' });
		const { key, changedSeal } = await unlock(seal, config, noKeyFile, this.deps.random);
		const sealer = sealerOf(seal, key, this.deps.random);
		if (changedSeal === undefined) return sealer;
		// Two processes may do this at once: with a passphrase the client secret proves nothing.
		await writer.run((executor) => writeSeal(executor, this.compiled, changedSeal), options);
		return sealer;
	}

	/**
	 * Updates the schema only after the proof, so that callers who cannot open an account do not
	 * change its tables either.
	 */
	private async update(writer: PostgresWriter, options: ProofOptions): Promise<void> {
		if ((await versionOf(await writer.connect(), this.schema)) === schemaVersion()) return;
		await writer.run(async (executor) => {
			const version = await versionOf(executor, this.schema);
			await updateTables(queryBuilder(await writer.connect()), postgresSchema, version);
			await markVersion(executor, schemaVersion());
		}, options);
	}
}

export function requirePassphrase(config: Pick<AccountConfig, 'passphrase'>): void {
	if (config.passphrase !== undefined) return;
	throw storeErrors.create('passphraseRequired', {
		message: 'PostgreSQL was chosen as the store, and there is no storage passphrase.',
		facts: { field: 'passphrase' },
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
