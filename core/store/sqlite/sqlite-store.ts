import type { Cancellable } from '../../base/abort';
import type { Clock } from '../../base/clock';
import type { Sealer } from '../sealer';
import { SqlStore, type SqlWork } from '../sql-store';
import { storeShape, type StoreShape, type TransactionEffects } from '../sql-transaction';
import type { StatementBook } from '../statement-book';
import type { StoreCapabilities } from '../store';
import type { LogSync } from './log-sync';
import type { Living } from './open-mark';
import type { SqliteSession } from './sqlite-session';

export interface SqliteStoreParts {
	readonly writer: SqliteSession;
	/** the writer itself for a database in memory */
	readonly reader: SqliteSession;
	readonly book: StatementBook;
	readonly sealer: Sealer;
	readonly clock: Clock;
	readonly log: LogSync;
	readonly living: Living;
}

/** One account in one SQLite file (docs/adr/0004): a connection to write and one to read. */
export class SqliteStore extends SqlStore {
	readonly capabilities: StoreCapabilities = {
		backend: 'sqlite',
		sharedBetweenHosts: false,
		wakesOtherProcesses: false,
	};

	protected readonly shape: StoreShape;

	constructor(private readonly parts: SqliteStoreParts) {
		super();
		const { book, sealer, clock, living } = parts;
		this.shape = storeShape(book, sealer, {
			// The system below is one, so its clock is, too, also for containers.
			clock,
			token: living.token,
			findGone: (_executor, tokens) => new Set(tokens.filter((token) => living.isGone(token))),
		});
	}

	protected async reading<Result>(work: SqlWork<Result>, options: Cancellable): Promise<Result> {
		this.parts.log.noteUse();
		return await this.parts.reader.run('begin', work, options);
	}

	protected async writing<Result>(
		work: SqlWork<Result>,
		effects: () => TransactionEffects,
		options: Cancellable,
	): Promise<Result> {
		const { writer, log } = this.parts;
		const result = await writer.run('begin immediate', work, options);
		if (effects().irreplaceable) await log.now();
		else log.soon();
		return result;
	}

	protected async closeConnections(): Promise<void> {
		const { reader, writer, log, living } = this.parts;
		try {
			if (reader !== writer) await reader.close();
			await writer.close();
			await log.close();
		} finally {
			living.close();
		}
	}
}
