import { Client } from 'pg';
import { Gateway, type GatewayConfigInput } from '../core';
import { systemClock } from '../core/base/clock';
import { systemRandom } from '../core/base/random';
import { openStore, type AccountConfig } from '../core/store/open-store';
import type { Arena } from './arena';
import { lists } from './growth-lists';
import { insertRecords } from './growth-records';
import { median, shown, table } from './support/measurements';

const rounds = 25;
const smallest = 1_000;
const recordsPerCommit = 500;
/** Largest accepted ratio of the times of the largest and of the smallest account. */
const mostGrowth = 2;
/** Milliseconds of a page that may grow, at most. */
const longestGrown = 50;
/** Milliseconds below which a longer time is the cost of a call and does not count as growth. */
const unmeasurable = 0.5;

/**
 * Measures a page of each list in an account of 1,000 records of each kind, then of many, on both
 * stores.
 */
export async function measureGrowth(arena: Arena, records: number): Promise<void> {
	const backbone = { baseUrl: arena.backbone.baseUrl, clientId: 'test', clientSecret: 'test' };
	const folder = arena.newFolder();
	await grow('SQLite', { backbone, store: { kind: 'sqlite', folder } }, records);
	const store = (await arena.database()).config;
	await grow('PostgreSQL', { backbone, store, passphrase: 'correct horse' }, records);
}

async function grow(name: string, config: GatewayConfigInput, records: number): Promise<void> {
	const first = await Gateway.open(config);
	const own = (await first.account.getIdentity()).address;
	await first.close();
	const times: number[][] = [];
	let from = 0;
	for (const size of [smallest, records]) {
		await seed(config, own, from, size);
		from = size;
		const gateway = await Gateway.open(config);
		times.push(await measure(gateway, size));
		await gateway.close();
	}
	const rows = lists.map(({ name: list, mayGrow = false }, index) => {
		const [small = 0, large = 0] = times.map((measured) => measured[index] ?? 0);
		const most = mayGrow ? longestGrown : mostGrowth * Math.max(small, unmeasurable);
		if (large > most) process.exitCode = 1;
		return [list, shown(small), shown(large), large > most ? 'GROWS' : ''];
	});
	const heading = [`${name}: ms`, `at ${smallest}`, `at ${records}`, ''];
	console.log(`\n${table([heading, ...rows])}`);
}

/** Adds records through the collections of the store, like the records of a real account. */
async function seed(config: GatewayConfigInput, own: string, from: number, to: number) {
	const store = await openStore({ account: 'default', ...config } as AccountConfig, {
		clock: systemClock,
		random: systemRandom,
	});
	for (let first = from; first < to; first += recordsPerCommit) {
		await store.transact(async (tx) => {
			const next = Math.min(to, first + recordsPerCommit);
			for (let number = first; number < next; number++) await insertRecords(tx, number, own);
		});
	}
	await store.close();
	if (config.store?.kind !== 'postgres') return;
	// Counts the rows, which the server does by itself within a minute.
	const { host, port, database, user, password } = config.store;
	const client = new Client({ host, port, database, user, password });
	await client.connect();
	await client.query('vacuum analyze');
	await client.end();
}

/** Median milliseconds of each list. */
async function measure(gateway: Gateway, size: number): Promise<number[]> {
	const times = lists.map((): number[] => []);
	for (let round = 0; round < rounds; round++) {
		for (const [index, { name, expected, read }] of lists.entries()) {
			const started = performance.now();
			const { length } = await read(gateway, size);
			times[index]?.push(performance.now() - started);
			if (length !== expected) throw new Error(`${name}: ${length} found, not ${expected}`);
		}
	}
	return times.map(median);
}
