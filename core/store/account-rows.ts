import type { AccountSeal } from './account-proof';
import type { SqlExecutor } from './executor';
import type { StatementBook } from './statement-book';
import { readJson } from './stored-json';

/** The account's own table: what has to be known before anything sealed can be opened. */
export async function readSeal(
	executor: SqlExecutor,
	book: StatementBook,
): Promise<AccountSeal | undefined> {
	const rows = await book.query<{ value: string }>(executor, 'account get', ['seal'], (db, slot) =>
		db.selectFrom('account').select('value').where('name', '=', slot()),
	);
	return rows[0] && readJson<AccountSeal>(rows[0].value, { table: 'account', id: 'seal' });
}

export async function writeSeal(
	executor: SqlExecutor,
	book: StatementBook,
	seal: AccountSeal,
): Promise<void> {
	const value = JSON.stringify(seal);
	await book.change(executor, 'account put', ['seal', value, value], (db, slot) =>
		db
			.insertInto('account')
			.values({ name: slot(), value: slot() })
			.onConflict((conflict) => conflict.column('name').doUpdateSet({ value: slot() })),
	);
}
