import type { Cancellable } from '../../base/abort';
import type { Clock } from '../../base/clock';
import type { Sealer } from '../sealer';
import { hostLeaseRules } from '../sql-leases';
import { SqlStore, type SqlWork } from '../sql-store';
import { storeShape, type StoreShape, type TransactionEffects } from '../sql-transaction';
import type { StatementBook } from '../statement-book';
import type { StoreCapabilities } from '../store';
import type { LogSync } from './log-sync';
import type { SqliteSession } from './sqlite-session';

export interface SqliteStoreParts {
	readonly writer: SqliteSession;
	/** the writer itself for a database in memory */
	readonly reader: SqliteSession;
	readonly book: StatementBook;
	readonly sealer: Sealer;
	readonly clock: Clock;
	readonly log: LogSync;
}

/** One account in one SQLite file (design, decision 2): a connection to write and one to read. */
export class SqliteStore extends SqlStore {
	readonly capabilities: StoreCapabilities = {
		backend: 'sqlite',
		sharedBetweenHosts: false,
		wakesOtherProcesses: false,
	};

	protected readonly shape: StoreShape;

	constructor(private readonly parts: SqliteStoreParts) {
		super();
		const { book, sealer, clock } = parts;
		// All processes of a SQLite file live on this host: a killed one blocks nobody.
		this.shape = storeShape(book, sealer, hostLeaseRules(clock));
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
		const { reader, writer, log } = this.parts;
		if (reader !== writer) await reader.close();
		await writer.close();
		await log.close();
	}
}
