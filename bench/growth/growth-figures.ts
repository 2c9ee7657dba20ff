import { performance } from 'node:perf_hooks';
import { Client } from 'pg';
import { TestDatabase, type PostgresConfig } from '../../test/support/postgres/postgres';
import type { Arena } from '../arena';
import { measuredLists } from './growth-lists';

const sizes = [1_000, 10_000, 100_000] as const;
const rounds = 9;
/** largest accepted ratio of the times of the largest and of the smallest account */
export const mostGrowth = 2;
/** milliseconds that even the shortest list may take, so that noise does not count as growth */
const unmeasurable = 0.25;

export interface GrowthLine {
	readonly name: string;
	/** milliseconds per list, one for each size */
	readonly times: readonly number[];
	readonly factor: number;
}

export interface GrowthResult {
	readonly store: string;
	readonly sizes: readonly number[];
	readonly lines: readonly GrowthLine[];
	/** seconds that the records took */
	readonly seeding: number;
}

interface Place {
	readonly store: object;
	readonly passphrase?: string;
	readonly sealContents: boolean;
}

/**
 * Measures all lists in an account that grows to 100,000 records of each kind, in both stores. The
 * records pass through the collections of the store, as in a real account.
 */
export async function measureGrowth(arena: Arena, sealContents: boolean): Promise<GrowthResult[]> {
	const kind = sealContents ? ', sealed contents' : '';
	const folder = arena.newFolder();
	const sqlite = { store: { kind: 'sqlite', folder }, sealContents };
	const results = [await grow(arena, `SQLite${kind}`, sqlite, () => Promise.resolve())];
	const database = await TestDatabase.create();
	try {
		const postgres = { store: database.config, passphrase: 'correct horse', sealContents };
		results.push(
			await grow(arena, `PostgreSQL${kind}`, postgres, () => gatherStatistics(database.config)),
		);
	} finally {
		await database.drop();
	}
	return results;
}

async function grow(
	arena: Arena,
	store: string,
	place: Place,
	afterSeeding: () => Promise<void>,
): Promise<GrowthResult> {
	const program = arena.start('growth');
	const open = () => program.call('open', { baseUrl: arena.baseUrl, ...place });
	const bySize: number[][] = [];
	let from = 0;
	let seeding = 0;
	await open();
	for (const to of sizes) {
		await program.call('close');
		const started = performance.now();
		await program.call('seed', { from, to, ...place });
		await afterSeeding();
		seeding += (performance.now() - started) / 1_000;
		from = to;
		await open();
		bySize.push(await program.call<number[]>('measure', { rounds }));
		console.log(`${store}: ${to} records measured`);
	}
	await program.call('close');
	await program.stop();
	const lines = measuredLists.map(({ name }, index) => {
		const times = bySize.map((measured) => measured[index] ?? Number.NaN);
		return { name, times, factor: factorOf(times) };
	});
	return { store, sizes, lines, seeding };
}

function factorOf(times: readonly number[]): number {
	const [first = Number.NaN] = times;
	return (times.at(-1) ?? Number.NaN) / Math.max(first, unmeasurable);
}

/** Does what the server does by itself within a minute: it counts the rows that were added. */
async function gatherStatistics({ host, port, database, user, password }: PostgresConfig) {
	const client = new Client({ host, port, database, user, password });
	await client.connect();
	try {
		await client.query('vacuum analyze');
	} finally {
		await client.end();
	}
}
