import { loadSodium } from '../../crypto/sodium';
import type { IdentityRecord } from '../../model/record/identity';
import type {
	AccountHome,
	HomeLook,
	HomeOpenOptions,
	HomeProof,
	HomeStore,
} from '../account/account-home';
import type { ArrivingState } from '../account/account-state';
import {
	clientSecretHashOf,
	createSeal,
	sealerOf,
	unlock,
	type AccountSeal,
	type NewSeal,
} from '../account/account-proof';
import { readSeal, SqlAccountState, writeSeal } from '../account/account-rows';
import { codeOf } from '../../base/errors';
import type { StoreDependencies } from '../account/account-store';
import { createTables } from '../schema/create-tables';
import { postgresSchema } from '../schema/schema-dialect';
import { requireKnownSchema, schemaVersion, updateTables } from '../schema/schema-version';
import type { Sealer } from '../sql/sealer';
import { CompiledStatementCache, type AnyDatabase } from '../sql/compiled-statement-cache';
import { storeErrors } from '../store-errors';
import { corruptRow, readJson } from '../collections/stored-json';
import { noKeyFile, requirePassphrase } from './postgres-account';
import { PostgresConnection } from './postgres-connection';
import { queryBuilder } from './postgres-dialect';
import { createSchema, markVersion, requireFittingServer, versionOf } from './postgres-schema';
import { quoted, schemaOf, type PostgresConfig } from './postgres-settings';
import { PostgresStore, type PostgresStoreParts } from './postgres-store';
import { requireOwnSession } from './session-check';

/** Account in a database, for code that moves it. */
export class PostgresHome implements AccountHome {
	readonly name: string;

	private readonly schema: string;

	private readonly compiled = new CompiledStatementCache(queryBuilder(), true);

	constructor(
		private readonly config: PostgresConfig,
		private readonly account: string,
		private readonly deps: StoreDependencies,
	) {
		const { host, port, database } = config;
		this.schema = schemaOf(config, account);
		this.name = `postgres://${host}:${port}/${database} (schema '${this.schema}')`;
	}

	async look(): Promise<HomeLook | undefined> {
		return await this.connected(this.schema, async (connection) => {
			const another = () => PostgresConnection.open(this.config, this.schema);
			await requireOwnSession(connection, another);
			return await this.lookWith(connection, this.schema, this.account);
		});
	}

	async otherAccounts(): Promise<HomeLook[]> {
		const base = this.config.schema;
		const schemas = await this.connected(this.schema, (connection) =>
			connection.query<{ name: string }>(
				`select nspname::text as name from pg_namespace
					where (nspname = $1 or starts_with(nspname, $2)) and nspname <> $3 order by nspname`,
				[base, `${base}:`, this.schema],
			),
		);
		const looks: HomeLook[] = [];
		for (const { name } of schemas) {
			const account = name === base ? 'default' : name.slice(base.length + 1);
			const looking = this.connected(name, (connection) =>
				this.lookWith(connection, name, account),
			);
			const look = await looking.catch((error: unknown) => {
				if (codeOf(error) === storeErrors.foreignSchema.code) return undefined;
				throw error;
			});
			if (look !== undefined) looks.push(look);
		}
		return looks;
	}

	async open(proof: HomeProof, { alone }: HomeOpenOptions): Promise<HomeStore> {
		await loadSodium();
		const seal = await this.connected(this.schema, async (connection) => {
			requireKnownSchema(await versionOf(connection, this.schema));
			return await readSeal(connection, this.compiled);
		});
		if (seal === undefined) throw corruptRow({ table: 'account', id: 'seal' });
		const { passphrase, clientSecret = '' } = proof;
		const config = {
			backbone: { clientSecret },
			...(passphrase === undefined ? {} : { passphrase }),
		};
		const { key } = await unlock(seal, config, noKeyFile, this.deps.random);
		const sealer = sealerOf(seal, key, this.deps.random);
		const store = this.storeOf(sealer, clientSecretHashOf(seal, key), alone ? 'alone' : 'looking');
		return await held(store, () => store.prepare());
	}

	async create(newSeal: NewSeal, accountState: ArrivingState): Promise<HomeStore> {
		await loadSodium();
		requirePassphrase({ passphrase: newSeal.passphrase });
		const { seal, key } = await createSeal(newSeal, noKeyFile, this.deps.random);
		const sealer = sealerOf(seal, key, this.deps.random);
		const store = this.storeOf(sealer, newSeal.clientSecretHash, 'alone');
		return await held(store, () => store.create(seal, accountState));
	}

	/** Removes the tables only: an administrator may have created the schema for this account. */
	async discard(): Promise<void> {
		await loadSodium();
		const unused = await createSeal(
			{ passphrase: 'unused', clientSecretHash: '' },
			noKeyFile,
			this.deps.random,
		);
		const sealer = sealerOf(unused.seal, unused.key, this.deps.random);
		const store = this.storeOf(sealer, '', 'alone');
		try {
			await store.empty();
		} finally {
			await store.close();
		}
	}

	private async lookWith(
		connection: PostgresConnection,
		schema: string,
		account: string,
	): Promise<HomeLook | undefined> {
		await requireFittingServer(connection);
		const version = await versionOf(connection, schema);
		requireKnownSchema(version);
		if (version === 0) return undefined;
		const [row] = await connection.query<{ document: string }>(
			'select document from identity_documents',
			[],
		);
		const identity =
			row && readJson<IdentityRecord>(row.document, { table: 'identity', id: 'self' });
		return {
			account,
			accountState: await new SqlAccountState(connection, this.compiled).get(),
			address: identity?.state === 'ready' ? identity.address : undefined,
		};
	}

	private async connected<Result>(
		schema: string,
		work: (connection: PostgresConnection) => Promise<Result>,
	): Promise<Result> {
		const connection = await PostgresConnection.open(this.config, schema);
		try {
			return await work(connection);
		} finally {
			await connection.close();
		}
	}

	private storeOf(sealer: Sealer, hash: string, access: 'alone' | 'looking'): PostgresHomeStore {
		const { random, clock } = this.deps;
		const parts = {
			config: this.config,
			schema: this.schema,
			compiled: this.compiled,
			sealer,
			clock,
			token: Buffer.from(random.bytes(4)).readInt32BE() || 1,
			access,
		};
		return new PostgresHomeStore(parts, hash);
	}
}

class PostgresHomeStore extends PostgresStore implements HomeStore {
	private readonly schema: string;

	private readonly compiled: CompiledStatementCache;

	constructor(
		parts: PostgresStoreParts,
		readonly clientSecretHash: string,
	) {
		super(parts);
		this.schema = parts.schema;
		this.compiled = parts.compiled;
	}

	/** Takes the lock and updates the tables, which only an exclusive holder may do. */
	async prepare(): Promise<void> {
		const connection = await this.writer.connect();
		const version = await versionOf(connection, this.schema);
		if (version === schemaVersion()) return;
		await this.writer.run(async (executor) => {
			await updateTables(await this.queries(), postgresSchema, version);
			await markVersion(executor, schemaVersion());
		});
	}

	async create(seal: AccountSeal, accountState: ArrivingState): Promise<void> {
		await this.writer.run(async (executor) => {
			if ((await versionOf(executor, this.schema)) !== 0) {
				throw new TypeError('There is an account already');
			}
			await createSchema(executor, this.schema);
			await createTables(await this.queries(), postgresSchema);
			await writeSeal(executor, this.compiled, seal);
			await new SqlAccountState(executor, this.compiled).set(accountState);
			await markVersion(executor, schemaVersion());
		});
	}

	async empty(): Promise<void> {
		await this.writer.run(async (executor) => {
			if ((await versionOf(executor, this.schema)) === 0) return;
			const tables = await executor.query<{ name: string }>(
				'select tablename::text as name from pg_tables where schemaname = $1',
				[this.schema],
			);
			const all = tables.map(({ name }) => `${quoted(this.schema)}.${quoted(name)}`);
			await executor.change(`drop table ${all.join(', ')} cascade`, []);
			await executor.change(`drop function ${quoted(this.schema)}.folded(text) cascade`, []);
		});
	}

	private async queries(): Promise<AnyDatabase> {
		return queryBuilder(await this.writer.connect());
	}
}

/**
 * Returns the store after its first step; if that step fails, closes the store to release its lock.
 */
async function held(store: PostgresHomeStore, first: () => Promise<void>): Promise<HomeStore> {
	try {
		await first();
		return store;
	} catch (error) {
		await store.close();
		throw error;
	}
}
