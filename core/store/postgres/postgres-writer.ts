import { sleep, type Cancellable } from '../../base/abort';
import { systemClock } from '../../base/clock';
import { SingleFlight } from '../../base/single-flight';
import type { SqlWork } from '../sql-store';
import { storeErrors } from '../store-errors';
import { WaitingLine } from '../waiting-line';
import type { PostgresConnection } from './postgres-connection';
import { asStoreError, isConnectionLost } from './postgres-failures';
import { lockKeys } from './postgres-settings';
import { TransactionExecutor } from './transaction-executor';

const outcomePatienceMs = 20_000;
const longestPauseMs = 30_000;
/** clocks that differ by less are taken to be the same: an answer may have been on its way for long */
const clockToleranceMs = 2_000;

export interface PostgresWriterOptions {
	readonly schema: string;
	readonly open: () => Promise<PostgresConnection>;
	/** the connection was lost and is there again: what others told meanwhile was missed */
	readonly onReconnected: () => void;
}

interface Begun {
	readonly connection: PostgresConnection;
	/** the server's number of the transaction, by which its outcome can be asked for later */
	readonly id: string;
}

/**
 * Writers of one account, one after the other among all processes: each transaction begins by taking
 * the account's advisory lock. So sequence numbers appear in the order of the commits, whoever reads
 * before writing has read the newest, and no two transactions can undo each other.
 */
export class PostgresWriter {
	/** how far the server's clock is ahead of ours */
	clockAheadMs = 0;

	private readonly line = new WaitingLine();

	private readonly opening = new SingleFlight<PostgresConnection>();

	private readonly closing = new AbortController();

	private readonly beginStatement: string;

	private connection: PostgresConnection | undefined;

	constructor(private readonly options: PostgresWriterOptions) {
		this.beginStatement =
			`begin; select pg_advisory_xact_lock(${lockKeys(options.schema).writer}); ` +
			'select pg_current_xact_id()::text as id, ' +
			'extract(epoch from clock_timestamp())::float8 * 1000 as now';
	}

	/**
	 * @param commit the statement that commits, known once the work has resolved
	 * @throws `error.gateway.store.busy` when another process holds the lock for 25 seconds
	 */
	async run<Result>(
		work: SqlWork<Result>,
		options: Cancellable = {},
		commit: () => string = () => 'commit',
	): Promise<Result> {
		await this.line.enter(options);
		const beginning = this.begin();
		try {
			await unlessAborted(beginning, options);
		} catch (error) {
			// Nobody waits any more; whoever comes next needs the connection in order.
			void beginning
				.then(({ connection }) => this.rollBack(connection))
				.catch(() => undefined)
				.finally(() => this.line.leave());
			throw error;
		}
		try {
			return await this.runBegun(await beginning, work, commit);
		} finally {
			this.line.leave();
		}
	}

	/** Waits for what was asked for before. */
	async close(): Promise<void> {
		this.closing.abort();
		await this.line.enter();
		await this.connection?.close();
		this.line.leave();
	}

	/** @throws the codes `error.gateway.store.postgres*` */
	async connect(): Promise<PostgresConnection> {
		if (this.connection?.isOpen === true) return this.connection;
		return await this.opening.run(async () => {
			const connection = await this.options.open();
			this.connection = connection;
			connection.onceEnded(() => void this.reconnect(connection));
			return connection;
		});
	}

	/** So that we keep hearing of others' events. */
	private async reconnect(lost: PostgresConnection): Promise<void> {
		const { signal } = this.closing;
		for (let pauseMs = 100; !signal.aborted; pauseMs = Math.min(2 * pauseMs, longestPauseMs)) {
			try {
				await sleep(pauseMs * (0.5 + Math.random() / 2), { signal, background: true });
				if (this.connection !== lost && this.connection?.isOpen === true) return;
				await this.connect();
				this.options.onReconnected();
				return;
			} catch {
				// Whoever needs the store meanwhile is told what is wrong.
			}
		}
	}

	/** Nothing of the work has happened yet, so a connection that turns out to be dead is replaced. */
	private async begin(): Promise<Begun> {
		const wasOpen = this.connection?.isOpen === true;
		const connection = await this.connect();
		try {
			const { rows } = await connection.run<{ id: string; now: number }>(this.beginStatement);
			const [{ id, now } = { id: '', now: 0 }] = rows;
			const aheadMs = Math.round(now - systemClock.now());
			this.clockAheadMs = Math.abs(aheadMs) < clockToleranceMs ? 0 : aheadMs;
			return { connection, id };
		} catch (error) {
			if (isConnectionLost(error)) {
				connection.abandon();
				if (wasOpen) return await this.begin();
			} else await this.rollBack(connection);
			throw error;
		}
	}

	private async runBegun<Result>(
		begun: Begun,
		work: SqlWork<Result>,
		commit: () => string,
	): Promise<Result> {
		const { connection } = begun;
		const executor = new TransactionExecutor(connection);
		let result: Result;
		try {
			result = await work(executor);
		} catch (error) {
			executor.end();
			await this.rollBack(connection);
			throw asStoreError(error);
		}
		executor.end();
		await this.commit(begun, commit());
		return result;
	}

	private async commit(begun: Begun, statement: string): Promise<void> {
		const { connection } = begun;
		try {
			const { command } = await connection.run(statement);
			if (command === 'COMMIT') return;
		} catch (error) {
			if (!isConnectionLost(error)) {
				await this.rollBack(connection);
				throw error;
			}
			connection.abandon();
			if (await this.hasCommitted(begun.id, error)) return;
			throw error;
		}
		throw new TypeError(
			'A statement failed within the transaction, and its failure was overlooked',
		);
	}

	/**
	 * The answer to a commit was lost with the connection: the server knows what became of it.
	 *
	 * @throws `error.gateway.store.postgresOutcomeUnknown`
	 */
	private async hasCommitted(id: string, cause: unknown): Promise<boolean> {
		const giveUpAt = performance.now() + outcomePatienceMs;
		for (let pauseMs = 20; performance.now() < giveUpAt; pauseMs = Math.min(2 * pauseMs, 1_000)) {
			const status = await this.statusOf(id).catch(() => undefined);
			if (status === 'committed') return true;
			if (status === 'aborted') return false;
			await sleep(pauseMs);
		}
		throw storeErrors.create('postgresOutcomeUnknown', {
			message: 'The connection to PostgreSQL was lost while a change was being stored.',
			cause,
		});
	}

	private async statusOf(id: string): Promise<string | undefined> {
		const connection = await this.connect();
		const rows = await connection.query<{ status: string }>(
			'select pg_xact_status($1::xid8) as status',
			[id],
		);
		return rows[0]?.status;
	}

	/** Of a connection that is lost, the server takes everything back by itself. */
	private async rollBack(connection: PostgresConnection): Promise<void> {
		try {
			await connection.run('rollback');
		} catch {
			connection.abandon();
		}
	}
}

async function unlessAborted<Result>(
	waited: Promise<Result>,
	{ signal }: Cancellable,
): Promise<Result> {
	if (signal === undefined) return await waited;
	let giveUp = (): void => undefined;
	const aborted = new Promise<never>((_resolve, reject) => {
		giveUp = () => reject(signal.reason as Error);
		signal.addEventListener('abort', giveUp, { once: true });
	});
	try {
		return await Promise.race([waited, aborted]);
	} finally {
		signal.removeEventListener('abort', giveUp);
	}
}
