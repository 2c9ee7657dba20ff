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

export async function openPlannedStore(): Promise<PlannedStore> {
	const database = new DatabaseSync(':memory:');
	const seen = new Set<string>();
	let reads = 0;
	const prepare = database.prepare.bind(database);
	database.prepare = (sql) => {
		seen.add(sql);
		const statement = prepare(sql);
		return new Proxy(statement, {
			get: (target, name) => {
				if (name === 'all') reads++;
				const member: unknown = Reflect.get(target, name, target);
				return typeof member === 'function' ? (member.bind(target) as unknown) : member;
			},
		});
	};
	const store = await openMemoryStore(undefined, database);
	return {
		store,
		readsOf: async (work) => {
			const before = reads;
			await work();
			return reads - before;
		},
		plansOf: async (work) => {
			const before = new Set(seen);
			await work();
			const fresh = [...seen].filter((sql) => !before.has(sql) && /^\s*select/i.test(sql));
			return fresh.flatMap((sql) =>
				prepare(`explain query plan ${sql}`)
					.all()
					.map(({ detail }) => String(detail)),
			);
		},
	};
}
