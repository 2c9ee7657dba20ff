import type { CompiledQuery, DatabaseConnection } from '../../../../core/store/kysely';
import { queryBuilder } from '../../../../core/store/postgres/postgres-dialect';

/** Connection that notes what it is asked for. */
function notingConnection() {
	const asked: string[] = [];
	const connection: DatabaseConnection = {
		executeQuery: <Row>({ sql }: CompiledQuery) => {
			asked.push(sql);
			return Promise.resolve({ rows: [{ n: 1 }] as Row[] });
		},
		streamQuery: () => {
			throw new TypeError('not asked for');
		},
	};
	return { asked, connection };
}

describe('a query builder for PostgreSQL', () => {
	it('compiles in the form of PostgreSQL', () => {
		const query = queryBuilder().selectFrom('t').select('n').where('n', '=', 1);
		expect(query.compile()).toMatchObject({
			sql: 'select "n" from "t" where "n" = $1',
			parameters: [1],
		});
	});

	it('runs nothing without a connection', async () => {
		const query = queryBuilder().selectFrom('t').select('n');
		await expect(query.execute()).rejects.toThrow(new TypeError('This builder only compiles'));
	});

	it('runs statements on the given connection, as often as asked', async () => {
		const { asked, connection } = notingConnection();
		const builder = queryBuilder(connection);
		const query = builder.selectFrom('t').select('n');
		expect(await query.execute()).toEqual([{ n: 1 }]);
		expect(await query.execute()).toEqual([{ n: 1 }]);
		await builder.destroy();
		expect(asked).toEqual(Array(2).fill('select "n" from "t"'));
	});

	it('begins no transaction, because the writer does', async () => {
		const { asked, connection } = notingConnection();
		const builder = queryBuilder(connection);
		const refusal = new TypeError('Transactions go through PostgresWriter');
		await expect(builder.transaction().execute(() => Promise.resolve())).rejects.toThrow(refusal);
		expect(asked).toEqual([]);
	});

	it('knows the tables of its connection', async () => {
		const { asked, connection } = notingConnection();
		await queryBuilder(connection)
			.introspection.getSchemas()
			.catch(() => undefined);
		expect(asked.join()).toContain('pg_catalog');
	});
});
