import type { Arena, Program } from './arena';
import { figures, receivedMails } from './figures';
import { shown, table, median } from './support/measurements';
import { measureSideBySide, type Side } from './side-by-side';
import { PostgresMeter } from './support/postgres-meter';

/** Number of mails per measurement of the throughput, over all processes. */
const mails = 400;
/** About the number of concurrent executions of an n8n worker. */
const lanes = 8;

export const sqliteSide = (arena: Arena, name: string, more: object = {}): Side => ({
	name,
	start: () => arena.start(),
	place: async () => ({ store: { kind: 'sqlite', folder: arena.newFolder() }, ...more }),
});

export const postgresSide = (arena: Arena, name: string, more: object = {}): Side => ({
	name,
	start: () => arena.start(),
	place: async () => ({
		store: (await arena.database()).config,
		passphrase: 'correct horse',
		...more,
	}),
});

/** The same work on both stores, and mails that several processes send at the same time. */
export async function compareStores(arena: Arena, rounds: number): Promise<void> {
	const [sqlite, postgres] = [sqliteSide(arena, 'SQLite'), postgresSide(arena, 'PostgreSQL')];
	const measured = await measureSideBySide(arena, [sqlite, postgres], figures, rounds);
	console.log(`\n${measured.table('SQLite', 'PostgreSQL', await countTraffic(arena, postgres))}`);
	const perSecond: number[][] = [[], [], []];
	for (let round = 0; round < rounds; round++) {
		perSecond[0]?.push(...(await throughput(arena, sqlite, 1)));
		const [one = 0, two = 0] = await throughput(arena, postgres, 2);
		perSecond[1]?.push(one);
		perSecond[2]?.push(two);
	}
	const names = ['one process, SQLite', 'one process, PostgreSQL', 'two processes, PostgreSQL'];
	const medians = perSecond.map(median);
	const rows = names.map((name, index) => [
		name,
		shown(medians[index] ?? 0),
		shown((medians[index] ?? 0) / (medians[1] ?? 1)),
	]);
	console.log(`\n${table([['', 'mails/s', 'of one with PostgreSQL'], ...rows])}`);
}

/** Statements and round trips per operation, in a run of its own: the counting proxy takes time. */
async function countTraffic(arena: Arena, { place, start }: Side) {
	const { store, ...secret } = await place();
	if (store?.kind !== 'postgres') throw new TypeError('The side has no database');
	const meter = await PostgresMeter.open(store.host, store.port ?? 5432);
	const program = start();
	const { address } = await program.open({ ...secret, store: { ...store, port: meter.port } });
	const peer = await arena.peerOf(program, address);
	await peer.mail(receivedMails);
	const [statements, trips] = [new Map<string, number>(), new Map<string, number>()];
	for (const { name, per, ...work } of figures) {
		meter.take();
		await program.call('run', { ...work, to: peer.address });
		const taken = meter.take();
		statements.set(name, taken.statements / (per ?? work.count));
		trips.set(name, taken.roundTrips / (per ?? work.count));
	}
	await program.end();
	await meter.close();
	return { statements, 'round trips': trips };
}

/**
 * Mails per second of one process, and of as many as given, each of which writes to another person.
 */
async function throughput(arena: Arena, side: Side, processes: number): Promise<number[]> {
	const place = await side.place();
	const senders: Array<{ program: Program; to: string }> = [];
	const results: number[] = [];
	for (let count = 1; count <= processes; count++) {
		const program = side.start();
		const { address } = await program.open(place);
		const { address: to } = await arena.peerOf(program, address);
		// Excludes one-time work of the process from the measurement.
		await program.call('run', { operation: 'mail', count: 1, to });
		senders.push({ program, to });
		const began = performance.now();
		const each = { operation: 'mail' as const, count: mails / count, lanes };
		await Promise.all(
			senders.map((sender) => sender.program.call('run', { ...each, to: sender.to })),
		);
		results.push(mails / ((performance.now() - began) / 1_000));
	}
	for (const { program } of senders) await program.end();
	return results;
}
