import { accountLifeSchema, type AccountLife } from './account-life';
import type { AccountSeal } from './account-proof';
import type { SqlExecutor } from './executor';
import type { StatementBook } from './statement-book';
import type { Life } from './store';
import { corruptRow, readJson } from './stored-json';

/** The account's own table: what has to be known before anything sealed can be opened. */
type Name = 'seal' | 'life';

export async function readSeal(
	executor: SqlExecutor,
	book: StatementBook,
): Promise<AccountSeal | undefined> {
	return await read<AccountSeal>(executor, book, 'seal');
}

export async function writeSeal(
	executor: SqlExecutor,
	book: StatementBook,
	seal: AccountSeal,
): Promise<void> {
	await write(executor, book, 'seal', seal);
}

/** Whether the account lives here. No row: it was created here and has never been moved. */
export class SqlLife implements Life {
	constructor(
		private readonly executor: SqlExecutor,
		private readonly book: StatementBook,
	) {}

	/** @throws `error.gateway.store.corruptRow` */
	async get(): Promise<AccountLife> {
		const stored = await read<object>(this.executor, this.book, 'life');
		if (stored === undefined) return { state: 'living' };
		const { success, data, error } = accountLifeSchema.safeParse(stored);
		if (success) return data;
		throw corruptRow({ table: 'account', id: 'life' }, error);
	}

	async set(life: AccountLife): Promise<void> {
		await write(this.executor, this.book, 'life', accountLifeSchema.parse(life));
	}
}

async function read<Value extends object>(
	executor: SqlExecutor,
	book: StatementBook,
	name: Name,
): Promise<Value | undefined> {
	const rows = await book.query<{ value: string }>(executor, 'account get', [name], (db, slot) =>
		db.selectFrom('account').select('value').where('name', '=', slot()),
	);
	return rows[0] && readJson<Value>(rows[0].value, { table: 'account', id: name });
}

async function write(
	executor: SqlExecutor,
	book: StatementBook,
	name: Name,
	content: object,
): Promise<void> {
	const value = JSON.stringify(content);
	await book.change(executor, 'account put', [name, value, value], (db, slot) =>
		db
			.insertInto('account')
			.values({ name: slot(), value: slot() })
			.onConflict((conflict) => conflict.column('name').doUpdateSet({ value: slot() })),
	);
}
