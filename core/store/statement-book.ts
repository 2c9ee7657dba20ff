import { sql, type CompiledQuery, type Kysely, type RawBuilder } from 'kysely';
import type { SqlExecutor, SqlValue } from './executor';

/** Tables and columns are named in the declarations, so the query builder takes any. */
export type AnyDatabase = Kysely<Record<string, Record<string, unknown>>>;

/** Marks where a parameter goes while a statement is built. */
export class Slot {
	constructor(readonly index: number) {}
}

/** Hands out the slots of a statement in the order in which its parameters are given later. */
export type NextSlot = () => unknown;

/**
 * A number of rows for `limit` and `offset`. SQLite prepares a statement anew for every value of a bare
 * parameter there, which takes longer than running it; it does not look into a cast.
 */
export function rowCount(slot: NextSlot): RawBuilder<number> {
	return sql<number>`cast(${slot()} as bigint)`;
}

interface Statement {
	readonly sql: string;
	readonly parameters: ReadonlyArray<Slot | SqlValue>;
	/** whether the parameters are the values as they are given */
	readonly isDirect: boolean;
}

const keptStatements = 400;
/** By key; made on first use. The text depends on the kind of database, not on the account in it. */
const made = { told: new Map<string, Statement>(), counting: new Map<string, Statement>() };

/**
 * The statements of an open store. Building and compiling costs more than running, so each shape of a
 * statement is compiled once and run with fresh parameters.
 */
export class StatementBook {
	private readonly statements: Map<string, Statement>;

	constructor(
		private readonly builder: AnyDatabase,
		/** SQLite, which counts no rows and has to be told the way to them (`ways`) */
		readonly isTold: boolean,
	) {
		this.statements = isTold ? made.told : made.counting;
	}

	query<Row>(
		executor: SqlExecutor,
		key: string,
		values: readonly SqlValue[],
		build: (db: AnyDatabase, slot: NextSlot) => { compile(): CompiledQuery },
	): Promise<Row[]> {
		const statement = this.statement(key, build);
		return executor.query<Row>(statement.sql, bind(statement, values));
	}

	change(
		executor: SqlExecutor,
		key: string,
		values: readonly SqlValue[],
		build: (db: AnyDatabase, slot: NextSlot) => { compile(): CompiledQuery },
	): Promise<number> {
		const statement = this.statement(key, build);
		return executor.change(statement.sql, bind(statement, values));
	}

	private statement(
		key: string,
		build: (db: AnyDatabase, slot: NextSlot) => { compile(): CompiledQuery },
	): Statement {
		const known = this.statements.get(key);
		if (known !== undefined) return known;
		if (this.statements.size >= keptStatements) this.statements.clear();
		let next = 0;
		const compiled = build(this.builder, () => new Slot(next++)).compile();
		const parameters = compiled.parameters as Statement['parameters'];
		const isDirect =
			parameters.length === next &&
			parameters.every((one, place) => one instanceof Slot && one.index === place);
		const statement = { sql: compiled.sql, parameters, isDirect };
		this.statements.set(key, statement);
		return statement;
	}
}

function bind(
	{ parameters, isDirect }: Statement,
	values: readonly SqlValue[],
): readonly SqlValue[] {
	if (isDirect) return values;
	return parameters.map((parameter) =>
		parameter instanceof Slot ? (values[parameter.index] ?? null) : parameter,
	);
}
