import { performance } from 'node:perf_hooks';
import { TestDatabase, type PostgresConfig } from '../test/support/postgres/postgres';
import type { Arena } from './arena';
import { figures, receivedMails } from './figures';
import type { Place } from './programs/contender';
import { PostgresMeter } from './support/postgres-meter';
import type { Program } from './support/program';
import { median } from './support/statistics';
import type { Duration } from './support/timing';

const rounds = 3;
/** number of mails per measurement of the throughput, over all processes */
const mails = 400;
/** about the number of concurrent executions of an n8n worker */
const lanes = 8;

export interface UseCaseLine {
	readonly name: string;
	/** milliseconds per operation */
	readonly sqlite: number;
	readonly postgres: number;
	/** number of statements per operation on PostgreSQL */
	readonly statements: number;
	readonly roundTrips: number;
}

export interface StoreResult {
	readonly useCases: readonly UseCaseLine[];
	/** mails per second */
	readonly throughput: { readonly sqlite: number; readonly one: number; readonly two: number };
}

type Series = Map<string, number[]>;

/** Measures the same work on an account in SQLite and on one in PostgreSQL, alternating. */
export async function measureStores(arena: Arena): Promise<StoreResult> {
	const [sqlite, postgres]: [Series, Series] = [new Map(), new Map()];
	for (let round = 0; round < rounds; round++) {
		const sides = [() => inSqlite(arena, sqlite), () => inPostgres(arena, postgres)];
		for (const side of round % 2 === 0 ? sides : sides.toReversed()) await side();
	}
	const counted = await count(arena);
	const of = (series: Series, name: string): number => median(series.get(name) ?? []);
	return {
		useCases: figures.map(({ name }, index) => ({
			name,
			sqlite: of(sqlite, name),
			postgres: of(postgres, name),
			...(counted[index] ?? { statements: Number.NaN, roundTrips: Number.NaN }),
		})),
		throughput: { sqlite: of(sqlite, 'one'), one: of(postgres, 'one'), two: of(postgres, 'two') },
	};
}

function add(series: Series, name: string, value: number): void {
	series.set(name, [...(series.get(name) ?? []), value]);
}

async function inSqlite(arena: Arena, series: Series): Promise<void> {
	const program = await opened(arena, { store: { kind: 'sqlite', folder: arena.newFolder() } });
	await arena.relate(program, await addressOf(program), receivedMails);
	await measureUseCases(arena, program, series);
	add(series, 'one', await mailsPerSecond([{ program, to: arena.counterpartAddress }]));
	await end(program);
}

async function inPostgres(arena: Arena, series: Series): Promise<void> {
	const database = await TestDatabase.create();
	try {
		const place = placeIn(database.config);
		const first = await opened(arena, place);
		await arena.relate(first, await addressOf(first), receivedMails);
		await measureUseCases(arena, first, series);
		const sender = { program: first, to: arena.counterpartAddress };
		add(series, 'one', await mailsPerSecond([sender]));
		const to = await arena.relateToFurtherPeer(first);
		const second = await opened(arena, place);
		// Excludes one-time work of the process from the measurement.
		await second.call('mails', { count: 1, lanes: 1, to });
		add(series, 'two', await mailsPerSecond([sender, { program: second, to }]));
		await Promise.all([end(first), end(second)]);
	} finally {
		await database.drop();
	}
}

const placeIn = (store: PostgresConfig): Place => ({ store, passphrase: 'correct horse' });

async function opened(arena: Arena, place: Place): Promise<Program> {
	const program = arena.start('ours');
	await program.call('open', { baseUrl: arena.baseUrl, ...place });
	return program;
}

const addressOf = (program: Program): Promise<string> => program.call<string>('address');

async function end(program: Program): Promise<void> {
	await program.call('close');
	await program.stop();
}

async function measureUseCases(arena: Arena, program: Program, series: Series): Promise<void> {
	for (const { name, method, params, operations } of figures) {
		const to = arena.counterpartAddress;
		const { elapsed } = await program.call<Duration>(method, { ...params, to });
		add(series, name, elapsed / operations);
	}
}

interface Sender {
	readonly program: Program;
	/** peer of its own, because the counters of a relationship admit one sender at a time */
	readonly to: string;
}

async function mailsPerSecond(senders: readonly Sender[]): Promise<number> {
	const params = { count: mails / senders.length, lanes };
	const started = performance.now();
	await Promise.all(senders.map(({ program, to }) => program.call('mails', { ...params, to })));
	return mails / ((performance.now() - started) / 1_000);
}

/**
 * Counts the statements of each use case; the counting proxy takes time, so this run is not
 * measured.
 */
async function count(arena: Arena): Promise<Array<Pick<UseCaseLine, 'statements' | 'roundTrips'>>> {
	const database = await TestDatabase.create();
	const meter = await PostgresMeter.open(database.config.host, database.config.port);
	try {
		const program = await opened(arena, placeIn({ ...database.config, port: meter.port }));
		await arena.relate(program, await addressOf(program), receivedMails);
		const counted = [];
		for (const { method, params, operations } of figures) {
			meter.take();
			await program.call(method, { ...params, to: arena.counterpartAddress });
			const { statements, roundTrips } = meter.take();
			counted.push({
				statements: statements / operations,
				roundTrips: roundTrips / operations,
			});
		}
		await end(program);
		return counted;
	} finally {
		await meter.close();
		await database.drop();
	}
}
