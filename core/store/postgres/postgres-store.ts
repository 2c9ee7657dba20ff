import { sleep, type Cancellable } from '../../base/abort';
import type { Clock } from '../../base/clock';
import { requireLiving } from '../account/account-state';
import { SqlAccountState } from '../account/account-rows';
import type { SqlExecutor, TransactionEffects } from '../sql/executor';
import type { Sealer } from '../sql/sealer';
import type { LeaseRules } from '../sql/sql-leases';
import { SqlStore, type SqlWork } from '../sql/sql-store';
import { SqlTransaction, storeShape, type StoreShape } from '../sql/sql-transaction';
import type { CompiledStatementCache } from '../sql/compiled-statement-cache';
import type { StoreCapabilities, TransactOptions } from '../store';
import { storeErrors } from '../store-errors';
import { PostgresConnection } from './postgres-connection';
import { PostgresReaders } from './postgres-readers';
import { lockKeys, openLock, quoted, type PostgresConfig } from './postgres-settings';
import { PostgresWriter } from './postgres-writer';

/**
 * Time after a server start in which the server knows only processes that have already reconnected.
 */
const restartGraceSeconds = 15;

/**
 * Overrides the setting of a user for whom the server reports commits before they are on the disk.
 */
const reachDisk =
	"select set_config('synchronous_commit', 'on', true) " +
	"where current_setting('synchronous_commit') = 'off'; ";

export interface PostgresStoreParts {
	readonly config: PostgresConfig;
	readonly schema: string;
	readonly compiled: CompiledStatementCache;
	readonly sealer: Sealer;
	readonly clock: Clock;
	/** token that distinguishes this open store from all others */
	readonly token: number;
	/**
	 * Access mode. Gateways share a living account (the default); a move has the account alone, or
	 * only looks at it in any state.
	 */
	readonly access?: 'alone' | 'looking';
}

/**
 * Time to wait for a process that is just closing the account; it is short, because no user stops
 * n8n while a command waits.
 */
const alonePatienceMs = 3_000;

/** One account in one schema: a connection for writing and listening, and up to two for reading. */
export class PostgresStore extends SqlStore {
	readonly capabilities: StoreCapabilities = {
		backend: 'postgres',
		sharedBetweenHosts: true,
		wakesOtherProcesses: true,
	};

	protected readonly shape: StoreShape;

	protected readonly writer: PostgresWriter;

	private readonly readers: PostgresReaders;

	constructor(private readonly parts: PostgresStoreParts) {
		super();
		const { config, schema, compiled, sealer } = parts;
		this.writer = new PostgresWriter({
			schema,
			open: () => this.openWriter(),
			onReconnected: () => this.tellListeners(),
		});
		this.readers = new PostgresReaders(() => PostgresConnection.open(config, schema));
		this.shape = storeShape(compiled, sealer, this.leaseRules());
	}

	protected async reading<Result>(work: SqlWork<Result>, options: Cancellable): Promise<Result> {
		return await this.readers.run(work, options);
	}

	protected async writing<Result>(
		work: SqlWork<Result>,
		effects: TransactionEffects,
		{ signal, scope }: TransactOptions,
	): Promise<Result> {
		// Sealing an event needs its number early, so these transactions run alone.
		const options = { signal, scope: this.parts.sealer.sealsContents ? undefined : scope };
		return await this.writer.run(work, options, () => this.commitStatement(effects));
	}

	protected async closeConnections(): Promise<void> {
		await Promise.all([this.readers.close(), this.writer.close()]);
	}

	private commitStatement({ appendedEvents, irreplaceable }: TransactionEffects): string {
		const { schema, token } = this.parts;
		const tell = appendedEvents ? `select pg_notify('${schema}', '${token}'); ` : '';
		return `${irreplaceable ? reachDisk : ''}${tell}commit`;
	}

	/**
	 * Opens the writing connection. While it lives, its shared locks show that this process lives and
	 * has the account open. The account may have been moved away while there was no connection.
	 */
	private async openWriter(): Promise<PostgresConnection> {
		const { config, schema, compiled, token, access } = this.parts;
		const connection = await PostgresConnection.open(config, schema, (payload) => {
			if (payload !== String(token)) this.tellListeners();
		});
		const { living } = lockKeys(schema);
		try {
			if (access === 'alone') await beAlone(connection, schema);
			else await connection.run(`select pg_advisory_lock_shared(${living}, ${openLock})`);
			await connection.run(
				`listen ${quoted(schema)}; select pg_advisory_lock_shared(${living}, ${token})`,
			);
			if (access === undefined)
				requireLiving(await new SqlAccountState(connection, compiled).get());
			await this.requireRemembered(connection);
			return connection;
		} catch (error) {
			connection.abandon();
			throw error;
		}
	}

	/**
	 * Checks the counters: after a failover the same address may lead to a standby that lacks the
	 * latest commits.
	 */
	private async requireRemembered(connection: PostgresConnection): Promise<void> {
		const { numbers } = this.shape;
		numbers.connectedAnew();
		if (!numbers.hasHandedOut) return;
		const effects = { appendedEvents: false, irreplaceable: false, afterCommit: [] };
		const { counters } = new SqlTransaction(connection, this.shape, effects);
		numbers.requireAllRemembered(await counters.list());
	}

	/**
	 * Rules of leases. They follow the clock of the server, because the clocks of hosts differ. A
	 * holder is stored with the token of its process: when the lock of that token is gone, so is the
	 * process.
	 */
	private leaseRules(): LeaseRules {
		const { clock, token } = this.parts;
		return {
			clock: { now: () => clock.now() + this.writer.clockAheadMs },
			token: String(token),
			findGone: async (executor, tokens) => {
				const living = await this.livingTokens(executor);
				return new Set(tokens.filter((one) => living !== undefined && !living.has(Number(one))));
			},
		};
	}

	/**
	 * Returns the tokens of live processes, and 0, which is none; undefined shortly after the start
	 * of the server.
	 */
	private async livingTokens(executor: SqlExecutor): Promise<Set<number> | undefined> {
		const rows = await executor.query<{ token: number | null; uptime: number }>(
			`select locks.objid::int8 as token,
				extract(epoch from clock_timestamp() - pg_postmaster_start_time())::float8 as uptime
			from (select 1) as one left join pg_locks as locks
				on locks.locktype = 'advisory' and locks.objsubid = 2 and locks.granted
				and locks.classid::int8 = $1::int8
				and locks.database = (select oid from pg_database where datname = current_database())`,
			[lockKeys(this.parts.schema).living >>> 0],
		);
		if ((rows[0]?.uptime ?? 0) < restartGraceSeconds) return undefined;
		return new Set(rows.map(({ token }) => Number(token) | 0));
	}
}

/**
 * Takes the exclusive lock, so that no other process can have the account open until the connection
 * ends.
 */
async function beAlone(connection: PostgresConnection, schema: string): Promise<void> {
	const giveUpAt = performance.now() + alonePatienceMs;
	const lock = `${lockKeys(schema).living}, ${openLock}`;
	for (;;) {
		const { rows } = await connection.run<{ isHeld: number }>(
			`select pg_try_advisory_lock(${lock})::int as "isHeld"`,
		);
		if (rows[0]?.isHeld === 1) return;
		if (performance.now() >= giveUpAt) break;
		await sleep(100);
	}
	throw storeErrors.create('openElsewhere', {
		message: `The account in the schema '${schema}' is open in another program.`,
	});
}
