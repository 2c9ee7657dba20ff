import { DatabaseSync } from 'node:sqlite';
import type { Store } from '../../core/store/store';
import { openMemoryStore } from './store';

/** A store that tells how SQLite goes about its statements. */
export interface PlannedStore {
	readonly store: Store;
	/** The steps of each statement that the work has run, such as `SEARCH requests USING INDEX …`. */
	plansOf(work: () => Promise<unknown>): Promise<string[]>;
	/** How often the work has asked for rows. */
	readsOf(work: () => Promise<unknown>): Promise<number>;
}

export async function openPlannedStore(sealsContents = true): Promise<PlannedStore> {
	const database = new DatabaseSync(':memory:');
	const asked: string[] = [];
	const prepare = database.prepare.bind(database);
	database.prepare = (sql) => {
		const statement = prepare(sql);
		return new Proxy(statement, {
			get: (target, name) => {
				if (name === 'all') asked.push(sql);
				const member: unknown = Reflect.get(target, name, target);
				return typeof member === 'function' ? (member.bind(target) as unknown) : member;
			},
		});
	};
	const store = await openMemoryStore(undefined, database, sealsContents);
	const askedBy = async (work: () => Promise<unknown>): Promise<string[]> => {
		asked.length = 0;
		await work();
		return [...asked];
	};
	return {
		store,
		readsOf: async (work) => (await askedBy(work)).length,
		plansOf: async (work) => {
			const selects = new Set((await askedBy(work)).filter((sql) => /^\s*select/i.test(sql)));
			return [...selects].flatMap((sql) =>
				prepare(`explain query plan ${sql}`)
					.all()
					.map(({ parent, detail }) => `${parent === 0 ? '' : inside}${String(detail)}`),
			);
		},
	};
}

/** Before the steps of a query inside another. */
const inside = '  ';

/**
 * The steps that look at all rows of a table, or sort the rows that they have found. The places of a
 * query inside another, which calls them `found`, may be read and sorted.
 */
export function costly(steps: readonly string[]): string[] {
	return steps.filter((step) =>
		/^\s*SCAN (?!CONSTANT ROW|found$|.* USING )|^USE TEMP B-TREE/.test(step),
	);
}
