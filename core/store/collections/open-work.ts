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
		const from = sql`from ${sql.table(table)}`;
		if (openWork.retriedBy === 'sync') {
			const rows = sql`${from} where ${conditionOf(openWork)}`;
			return sql`select 'retry', null, ${sql.lit(table)}, null, null where exists (select 1 ${rows})`;
		}
		// Ends at the first record that is due immediately, of which there may be a hundred thousand.
		const atOnce = sql`select '' ${from} where ${conditionOf(openWork)} and c_not_before is null limit 1`;
		const later = sql`select min(c_not_before) ${from} where ${conditionOf(openWork)}`;
		return sql`select 'open', coalesce((${atOnce}), (${later})), ${sql.lit(table)}, null, null`;
	});
}

function conditionOf({ where }: OpenWork<string>): RawBuilder<unknown> {
	if (where === undefined) return sql`1 = 1`;
	const column = sql.ref(columnName(where.field));
	return where.op === 'exists'
		? sql`${column} is not null`
		: sql`${column} in (${sql.join(where.value.map((value) => sql.lit(value)))})`;
}
