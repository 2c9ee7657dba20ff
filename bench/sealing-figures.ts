import { isPostgresThere, TestDatabase } from '../test/support/postgres/postgres';
import type { Arena } from './arena';
import type { Figure } from './figures';
import type { Place } from './programs/contender';
import type { Program } from './support/program';
import { median } from './support/statistics';
import type { Duration } from './support/timing';

const rounds = 7;
const mails = 400;
const page = 50;

/**
 * Figures for the cost of sealed contents (docs/adr/0005), in order: the first ones need the
 * received mails.
 */
const figures: readonly Figure[] = [
	{
		name: `sync of ${mails} mails, per mail`,
		method: 'syncs',
		params: { count: 1 },
		operations: mails,
	},
	{
		name: `list of ${page} messages`,
		method: 'lists',
		params: { count: 40, expected: page, limit: page },
		operations: 40,
	},
	{
		name: `search for a part of a text in ${mails} mails`,
		method: 'searches',
		params: { count: 10, expected: mails },
		operations: 10,
	},
	{
		name: 'mail, one after another',
		method: 'mails',
		params: { count: 64, lanes: 1 },
		operations: 64,
	},
	{ name: 'attribute', method: 'attributes', params: { count: 100 }, operations: 100 },
	{ name: 'empty sync', method: 'syncs', params: { count: 100 }, operations: 100 },
];

/** Milliseconds of one operation. */
export interface SealingLine {
	readonly name: string;
	readonly clear: number;
	readonly sealed: number;
	/** ratio of processor time, on which a busy machine has no influence */
	readonly processorRatio: number;
}

interface Side {
	readonly program: Program;
	readonly elapsed: Map<string, number[]>;
	readonly processor: Map<string, number[]>;
}

/**
 * Measures the same work on an account with contents in clear text and on one with sealed contents,
 * alternating.
 */
export async function measureSealing(
	arena: Arena,
): Promise<ReadonlyArray<readonly [store: string, lines: readonly SealingLine[]]>> {
	const sqlite = await measureIn(arena, () =>
		Promise.resolve({ store: { kind: 'sqlite' as const, folder: arena.newFolder() } }),
	);
	if (!isPostgresThere()) return [['SQLite', sqlite]];
	const databases: TestDatabase[] = [];
	try {
		const postgres = await measureIn(arena, async () => {
			const database = await TestDatabase.create();
			databases.push(database);
			return { store: database.config, passphrase: 'correct horse' };
		});
		return [
			['SQLite', sqlite],
			['PostgreSQL', postgres],
		];
	} finally {
		for (const database of databases) await database.drop();
	}
}

async function measureIn(arena: Arena, newPlace: () => Promise<Place>): Promise<SealingLine[]> {
	const sides = [false, true].map((): Side => {
		const program = arena.start('ours');
		return { program, elapsed: new Map(), processor: new Map() };
	});
	// The first round warms up and is not counted.
	for (let round = 0; round <= rounds; round++) {
		for (const [index, { program }] of sides.entries()) {
			const place = { ...(await newPlace()), sealContents: index === 1 };
			const { address } = await program.call<{ address: string }>('open', {
				baseUrl: arena.baseUrl,
				...place,
			});
			await arena.relate(program, address, mails);
		}
		for (const [index, figure] of figures.entries()) {
			const inTurn = (round + index) % 2 === 0 ? sides : sides.toReversed();
			for (const side of inTurn) await measure(arena, side, figure, round > 0);
		}
		for (const { program } of sides) await program.call('close');
	}
	for (const { program } of sides) await program.stop();
	return figures.map(({ name }) => lineOf(name, sides));
}

async function measure(
	arena: Arena,
	{ program, elapsed, processor }: Side,
	{ name, method, params, operations }: Figure,
	isCounted: boolean,
): Promise<void> {
	const to = arena.counterpartAddress;
	const duration = await program.call<Duration>(method, { ...params, to });
	if (!isCounted) return;
	elapsed.set(name, [...(elapsed.get(name) ?? []), duration.elapsed / operations]);
	processor.set(name, [...(processor.get(name) ?? []), duration.processor / operations]);
}

function lineOf(name: string, [clear, sealed]: readonly Side[]): SealingLine {
	const of = (series: Map<string, number[]> | undefined): number => median(series?.get(name) ?? []);
	return {
		name,
		clear: of(clear?.elapsed),
		sealed: of(sealed?.elapsed),
		processorRatio: of(sealed?.processor) / of(clear?.processor),
	};
}
