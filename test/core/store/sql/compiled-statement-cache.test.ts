import type { SqlExecutor, SqlValue } from '../../../../core/store/sql/executor';
import {
	CompiledStatementCache,
	compiledStatements,
	type AnyDatabase,
	type NextSlot,
} from '../../../../core/store/sql/compiled-statement-cache';
import { queryBuilder } from '../../../../core/store/postgres/postgres-dialect';

describe('the cache of compiled statements', () => {
	const cache = new CompiledStatementCache(queryBuilder(), false);
	let built: number;
	let sent: Array<readonly SqlValue[]>;

	/** An executor that notes the parameters of each statement. */
	const executor: SqlExecutor = {
		query: (_sql, parameters) => Promise.resolve((sent.push(parameters), [])),
		change: (_sql, parameters) => Promise.resolve(sent.push(parameters)),
	};

	beforeEach(() => {
		built = 0;
		sent = [];
	});

	const build = (db: AnyDatabase, slot: NextSlot) => {
		built++;
		return db.selectFrom('notes').select('text').where('id', '=', slot());
	};

	const run = (key: string) => cache.query(executor, key, ['x'], build);

	it('builds a statement once, and runs it with the values of each call', async () => {
		for (const value of ['a', 'b']) await cache.query(executor, 'once', [value], build);
		expect(built).toBe(1);
		expect(sent).toEqual([['a'], ['b']]);
	});

	it('passes the values to their places, beside values that the statement itself holds', async () => {
		await cache.query(executor, 'places', ['first', 'second'], (db, slot) => {
			const [first, second] = [slot(), slot()];
			return db
				.selectFrom('notes')
				.select('text')
				.where('id', '=', second)
				.where('kind', '=', 'mail')
				.where('place', '=', first);
		});
		expect(sent).toEqual([['second', 'mail', 'first']]);
	});

	it('passes no value for a place that was not given one', async () => {
		await cache.query(executor, 'missing', [], build);
		expect(sent).toEqual([[null]]);
	});

	it('holds four hundred statements, and begins anew with the next one', async () => {
		compiledStatements.counting.clear();
		for (let key = 0; key < 400; key++) await run(`key ${key}`);
		await run('key 0');
		expect(built).toBe(400);
		await run('key 400');
		await run('key 400');
		expect(built).toBe(401);
		await run('key 0');
		expect(built).toBe(402);
	});
});
