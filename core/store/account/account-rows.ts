import { parse, safeParse } from '../../base/schema-parse';
import { accountStateSchema, type AccountState } from './account-state';
import type { AccountSeal } from './account-proof';
import type { SqlExecutor } from '../sql/executor';
import type { CompiledStatementCache } from '../sql/compiled-statement-cache';
import type { StoredAccountState } from '../store';
import { corruptRow, readJson } from '../collections/stored-json';

/**
 * Names of the rows in the account's own table, which are read before the account can be unsealed.
 */
type Name = 'seal' | 'life';

export async function readSeal(
	executor: SqlExecutor,
	compiled: CompiledStatementCache,
): Promise<AccountSeal | undefined> {
	return await read<AccountSeal>(executor, compiled, 'seal');
}

export async function writeSeal(
	executor: SqlExecutor,
	compiled: CompiledStatementCache,
	seal: AccountSeal,
): Promise<void> {
	await write(executor, compiled, 'seal', seal);
}

/**
 * State of the account. Without a row the account was created here and has never been moved.
 */
export class SqlAccountState implements StoredAccountState {
	constructor(
		private readonly executor: SqlExecutor,
		private readonly compiled: CompiledStatementCache,
	) {}

	/** @throws `error.gateway.store.corruptRow` */
	async get(): Promise<AccountState> {
		const stored = await read<object>(this.executor, this.compiled, 'life');
		if (stored === undefined) return { state: 'living' };
		const { success, data, error } = safeParse(accountStateSchema, stored);
		if (success) return data;
		throw corruptRow({ table: 'account', id: 'life' }, error);
	}

	async set(accountState: AccountState): Promise<void> {
		await write(this.executor, this.compiled, 'life', parse(accountStateSchema, accountState));
	}
}

async function read<Value extends object>(
	executor: SqlExecutor,
	compiled: CompiledStatementCache,
	name: Name,
): Promise<Value | undefined> {
	const rows = await compiled.query<{ value: string }>(
		executor,
		'account get',
		[name],
		(db, slot) => db.selectFrom('account').select('value').where('name', '=', slot()),
	);
	return rows[0] && readJson<Value>(rows[0].value, { table: 'account', id: name });
}

async function write(
	executor: SqlExecutor,
	compiled: CompiledStatementCache,
	name: Name,
	content: object,
): Promise<void> {
	const value = JSON.stringify(content);
	await compiled.change(executor, 'account put', [name, value, value], (db, slot) =>
		db
			.insertInto('account')
			.values({ name: slot(), value: slot() })
			.onConflict((conflict) => conflict.column('name').doUpdateSet({ value: slot() })),
	);
}
