import { PostgresConnection } from '../../../core/store/postgres/postgres-connection';
import {
	createSchema,
	markVersion,
	requireFittingServer,
	versionOf,
} from '../../../core/store/postgres/postgres-schema';
import type { SqlExecutor } from '../../../core/store/sql/executor';
import { describeWithPostgres, TestDatabase } from '../../support/postgres/postgres';

const schema = 'the "schema"';
const quoted = '"the ""schema"""';

/** Executor that answers every query alike, and notes changes. */
function answering(row: object | undefined) {
	const changes: string[] = [];
	const executor: SqlExecutor = {
		query: <Row>() => Promise.resolve((row === undefined ? [] : [row]) as Row[]),
		change: (sql) => {
			changes.push(sql);
			return Promise.resolve(0);
		},
	};
	return { executor, changes };
}

describe('a server', () => {
	it('that tells no version is refused', async () => {
		await expect(requireFittingServer(answering(undefined).executor)).rejects.toMatchObject({
			code: 'error.gateway.store.postgresUnsuitable',
			message: 'The server is PostgreSQL NaN; version 13 is the oldest that works.',
		});
	});

	it('without the collation of Unicode folds like its database', async () => {
		for (const row of [{ exists: 1, folding: 0 }, undefined]) {
			const { executor, changes } = answering(row);
			await createSchema(executor, schema);
			expect(changes.at(-1)).toMatch(/pg_catalog\.lower\(\$1\) /);
			expect(changes).toHaveLength(row === undefined ? 2 : 1);
		}
	});
});

describeWithPostgres('the schema of an account in PostgreSQL', () => {
	let database: TestDatabase;
	let connection: PostgresConnection;

	beforeAll(async () => {
		database = await TestDatabase.create();
	});

	afterAll(() => database.drop());

	beforeEach(async () => {
		connection = await PostgresConnection.open(database.config, schema);
	});

	afterEach(async () => {
		await connection.run(`drop schema if exists ${quoted} cascade`);
		await connection.close();
	});

	const folded = async (text: string): Promise<unknown> => {
		const [row] = await connection.query<{ folded: string | null }>(
			`select ${quoted}.folded($1) as folded`,
			[text],
		);
		return row?.folded;
	};

	it('is on a server that fits', async () => {
		await requireFittingServer(connection);
	});

	it('has the version 0 before its creation, and while it is empty', async () => {
		expect(await versionOf(connection, schema)).toBe(0);
		await connection.run(`create schema ${quoted}; create sequence ${quoted}.numbers`);
		expect(await versionOf(connection, schema)).toBe(0);
	});

	it('is created with a function that ignores case', async () => {
		await createSchema(connection, schema);
		expect(await folded('GRÜẞE ΑΣ')).toBe('grüße ας');
		expect(await versionOf(connection, schema)).toBe(0);
	});

	it('is used if an administrator has created it', async () => {
		await connection.run(`create schema ${quoted}`);
		await createSchema(connection, schema);
		expect(await folded('A')).toBe('a');
	});

	it('has the version with which it was marked last, also beside other tables', async () => {
		await createSchema(connection, schema);
		await connection.run(
			`create table ${quoted}.a (n int); create table ${quoted}.z (n int);
				create table ${quoted}.account (name text primary key, value text)`,
		);
		const foreign = {
			code: 'error.gateway.store.foreignSchema',
			message: `The schema '${schema}' holds tables that were not made by this package.`,
			facts: { field: 'store.schema' },
		};
		await expect(versionOf(connection, schema)).rejects.toMatchObject(foreign);
		await markVersion(connection, 3);
		expect(await versionOf(connection, schema)).toBe(3);
		await markVersion(connection, 4);
		expect(await versionOf(connection, schema)).toBe(4);
		await connection.run(`alter table ${quoted}.account drop column value`);
		await expect(versionOf(connection, schema)).rejects.toMatchObject(foreign);
	});

	it.each([
		'create table %.t (n int)',
		'create view %.t as select 1',
		'create materialized view %.t as select 1',
	])('is another one’s after: %s', async (sql) => {
		await connection.run(`create schema ${quoted}; ${sql.replace('%', quoted)}`);
		await expect(versionOf(connection, schema)).rejects.toMatchObject({
			code: 'error.gateway.store.foreignSchema',
		});
	});
});
