/* The used parts of kysely, in a module of their own that the build keeps as a separate file. */
export {
	Kysely,
	PostgresAdapter,
	PostgresIntrospector,
	PostgresQueryCompiler,
	sql,
	SqliteAdapter,
	SqliteIntrospector,
	SqliteQueryCompiler,
} from 'kysely';
export type {
	CompiledQuery,
	CreateTableBuilder,
	DatabaseConnection,
	DatabaseIntrospector,
	Dialect,
	DialectAdapter,
	Driver,
	QueryCompiler,
	QueryResult,
	RawBuilder,
} from 'kysely';
