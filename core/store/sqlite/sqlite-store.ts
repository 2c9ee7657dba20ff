import type { Cancellable } from '../../base/abort';
import type { Clock } from '../../base/clock';
import type { Sealer } from '../sql/sealer';
import { SqlStore, type SqlWork } from '../sql/sql-store';
import type { TransactionEffects } from '../sql/executor';
import { storeShape, type StoreShape } from '../sql/sql-transaction';
import type { CompiledStatementCache } from '../sql/compiled-statement-cache';
import type { StoreCapabilities } from '../store';
import { IdleNotice, type IdleTimes } from './idle-notice';
import type { LogSync } from './log-sync';
import type { Living } from './open-mark';
import type { SqliteSession } from './sqlite-session';

/** Times without use after which the connections give memory back. */
const restAfter: IdleTimes = { usual: 10_000, crowded: 50, mostWarm: 16 };

export interface SqliteStoreParts {
	readonly writer: SqliteSession;
	/**
	 * connection for reading; the writer itself for a database in memory or with exclusive access
	 */
	readonly reader: SqliteSession;
	readonly compiled: CompiledStatementCache;
	readonly sealer: Sealer;
	readonly clock: Clock;
	readonly log: LogSync;
	readonly living: Living;
}

/** One account in one SQLite file (docs/adr/0004): a connection for writing and one for reading. */
export class SqliteStore extends SqlStore {
	readonly capabilities: StoreCapabilities = {
		backend: 'sqlite',
		sharedBetweenHosts: false,
		wakesOtherProcesses: false,
	};

	protected readonly shape: StoreShape;

	private readonly idle = new IdleNotice(restAfter, () => void this.rest());

	constructor(private readonly parts: SqliteStoreParts) {
		super();
		const { compiled, sealer, clock, living } = parts;
		this.shape = storeShape(compiled, sealer, {
			// All processes, including processes in containers, run on one host and share its clock.
			clock,
			token: living.token,
			findGone: (_executor, tokens) => new Set(tokens.filter((token) => living.isGone(token))),
		});
	}

	protected async reading<Result>(work: SqlWork<Result>, options: Cancellable): Promise<Result> {
		this.idle.noteUse();
		return await this.parts.reader.run('begin', work, options);
	}

	protected async writing<Result>(
		work: SqlWork<Result>,
		effects: TransactionEffects,
		options: Cancellable,
	): Promise<Result> {
		const { writer, log } = this.parts;
		this.idle.noteUse();
		const result = await writer.run('begin immediate', work, options);
		if (effects.irreplaceable) await log.now();
		else log.soon();
		return result;
	}

	private async rest(): Promise<void> {
		const { reader, writer } = this.parts;
		if (reader !== writer) await reader.rest();
		await writer.rest();
	}

	protected async closeConnections(): Promise<void> {
		const { reader, writer, log, living } = this.parts;
		this.idle.close();
		try {
			if (reader !== writer) await reader.close();
			await writer.close();
			await log.close();
		} finally {
			living.close();
		}
	}
}
