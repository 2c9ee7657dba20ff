import { waitOrAbort, type Cancellable } from '../../base/abort';
import type { SqlExecutor, SqlValue } from '../sql/executor';
import type { PostgresConnection } from './postgres-connection';
import { isConnectionLost } from './postgres-failures';

/**
 * changes without an answer, above which the next one waits: their parameters are kept in memory
 */
const mostUnanswered = 100;

export interface Beginning {
	readonly statement: string;
	/** key of the lock that orders events; undefined for a transaction that runs alone */
	readonly eventsLock: string | undefined;
	/** false for a new connection, which is not replaced when it is lost */
	readonly isReplaceable: boolean;
	/** opens a connection in place of a lost one */
	readonly reconnect: () => Promise<PostgresConnection>;
	/** called with the server's time in milliseconds since the epoch */
	readonly onBegun: (serverNow: number) => void;
}

type Statement = (connection: PostgresConnection) => Promise<unknown>;

/** Statement that was sent before the beginning of its transaction was confirmed. */
interface EarlyStatement {
	readonly run: Statement;
	resolve(answer: unknown): void;
	reject(error: unknown): void;
}

/**
 * One writing transaction. Its statements are sent at once and in order, so that the beginning
 * shares a round trip with the first statements, and changes share one with the commit.
 */
export class PostgresTransaction implements SqlExecutor {
	/** transaction id of the server, with which the outcome can be queried later */
	readonly begun: Promise<string>;

	private isBegun = false;

	private isReplacing = false;

	private hasEnded = false;

	private failure: { readonly error: unknown } | undefined;

	private early: EarlyStatement[] = [];

	private unanswered = 0;

	private ordersEvents = false;

	private newest: Promise<void> = Promise.resolve();

	constructor(
		private current: PostgresConnection,
		private readonly beginning: Beginning,
		private readonly options: Cancellable,
	) {
		this.begun = this.begin();
		this.begun.catch(() => undefined);
	}

	get connection(): PostgresConnection {
		return this.current;
	}

	/** True once the server has confirmed the beginning, and with it the locks. */
	get hasBegun(): boolean {
		return this.isBegun;
	}

	/** Refuses statements from now on: they would run outside any transaction. */
	end(): void {
		this.hasEnded = true;
	}

	/**
	 * Returns the cause of an answered statement's error: the first failed change, which made later
	 * statements fail. Its answer may have come in the same packet and not be noticed yet.
	 */
	async causeOf(error: unknown): Promise<unknown> {
		await this.newest;
		return this.failure === undefined ? error : this.failure.error;
	}

	async query<Row>(sql: string, parameters: readonly SqlValue[]): Promise<Row[]> {
		return await this.answered((connection) => connection.query<Row>(sql, parameters));
	}

	async change(sql: string, parameters: readonly SqlValue[]): Promise<number> {
		return await this.answered((connection) => connection.change(sql, parameters));
	}

	async later(sql: string, parameters: readonly SqlValue[]): Promise<void> {
		this.requireUsable();
		const answer = this.send((connection) => connection.change(sql, parameters));
		this.newest = this.notice(answer, this.newest);
		if (++this.unanswered > mostUnanswered) await this.settle();
	}

	/** Keeps the failure of a change, after the failures of all earlier changes. */
	private async notice(answer: Promise<unknown>, earlier: Promise<void>): Promise<void> {
		const [, result] = await Promise.allSettled([earlier, answer]);
		this.unanswered--;
		if (result.status === 'rejected') this.failure ??= { error: result.reason as unknown };
	}

	async settle(): Promise<void> {
		await this.newest;
		if (this.failure !== undefined) throw this.failure.error;
	}

	onUndone(): void {
		this.failure = undefined;
		// The lock was released if it was taken after the savepoint.
		this.ordersEvents = false;
	}

	/**
	 * Numbers of events appear in the order of the commits, because the transaction keeps the lock
	 * until its commit.
	 */
	async beforeEvent(): Promise<void> {
		const { eventsLock } = this.beginning;
		if (eventsLock === undefined || this.ordersEvents) return;
		this.ordersEvents = true;
		await this.later(`select pg_advisory_xact_lock(${eventsLock})`, []);
	}

	private async answered<Answer>(
		statement: (connection: PostgresConnection) => Promise<Answer>,
	): Promise<Answer> {
		this.requireUsable();
		const { signal } = this.options;
		const isEarly = !this.isBegun && signal?.aborted !== true;
		const answer = this.send(statement);
		try {
			// The lock may be held by another process for a long time. Work in the middle is not undone.
			return await (isEarly ? waitOrAbort(answer, this.options) : answer);
		} catch (error) {
			// What was given up waits for no answer.
			throw isEarly && this.options.signal?.aborted ? error : await this.causeOf(error);
		}
	}

	private requireUsable(): void {
		if (this.hasEnded) throw new TypeError('The transaction has ended');
	}

	private send<Answer>(
		statement: (connection: PostgresConnection) => Promise<Answer>,
	): Promise<Answer> {
		if (this.isBegun) return statement(this.current);
		return new Promise<Answer>((resolve, reject) => {
			const early = { run: statement, resolve, reject };
			this.early.push(early);
			if (!this.isReplacing) this.sendEarly(early);
		});
	}

	private sendEarly({ run, resolve, reject }: EarlyStatement): void {
		const connection = this.current;
		run(connection).then(resolve, (error: unknown) => {
			// Without its beginning a statement cannot succeed; with another connection it was sent
			// again.
			this.begun.then(() => {
				if (connection === this.current) reject(error);
			}, reject);
		});
	}

	/**
	 * Begins the transaction. A lost connection is replaced: no statement was answered, so they are
	 * all sent again.
	 */
	private async begin(): Promise<string> {
		try {
			const id = await this.tryToBegin();
			this.early = [];
			return id;
		} catch (error) {
			for (const { reject } of this.early) reject(error);
			throw error;
		}
	}

	private async tryToBegin(): Promise<string> {
		try {
			return await this.beginOn(this.current);
		} catch (error) {
			if (!isConnectionLost(error)) throw error;
			this.current.abandon();
			if (!this.beginning.isReplaceable) throw error;
		}
		this.isReplacing = true;
		this.current = await this.beginning.reconnect();
		const begun = this.beginOn(this.current);
		for (const statement of this.early) this.sendEarly(statement);
		this.isReplacing = false;
		return await begun;
	}

	private async beginOn(connection: PostgresConnection): Promise<string> {
		const { rows } = await connection.run<{ id: string; now: number }>(this.beginning.statement);
		const [{ id, now } = { id: '', now: 0 }] = rows;
		this.isBegun = true;
		this.beginning.onBegun(now);
		return id;
	}
}
