import { sql, type RawBuilder } from '../kysely';
import type { AnyCollection, OpenWork } from './collection-declaration';
import { collections, columnName } from './collections';

/**
 * One select for each collection with open work, with the columns of the sync overview: `open` with
 * the earliest next attempt ('' for immediately, null without open work), or `retry` when the state
 * of the sync holds the time of the attempt; the holder is the table.
 */
export function openWorkSelects(): Array<RawBuilder<unknown>> {
	return Object.values<AnyCollection>(collections).flatMap(({ table, openWork }) => {
		if (openWork === undefined) return [];
		const rows = sql`from ${sql.table(table)} ${whereOf(openWork)}`;
		return openWork.retriedBy === 'record'
			? sql`select 'open', min(coalesce(c_not_before, '')), ${sql.lit(table)}, null, null ${rows}`
			: sql`select 'retry', null, ${sql.lit(table)}, null, null where exists (select 1 ${rows})`;
	});
}

function whereOf({ where }: OpenWork<string>): RawBuilder<unknown> {
	if (where === undefined) return sql``;
	const column = sql.ref(columnName(where.field));
	return where.op === 'exists'
		? sql`where ${column} is not null`
		: sql`where ${column} in (${sql.join(where.value.map((value) => sql.lit(value)))})`;
}
