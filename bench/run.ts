import { cpus } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import ensureSharedPostgres from '../test/support/postgres/shared-postgres';
import { Arena } from './arena';
import { figures, ownFigures } from './figures';
import { measureGrowth } from './growth';
import { measureHosted } from './hosted-accounts';
import { measureIdle } from './idle-accounts';
import { measureColdStarts, measureSideBySide, type Side } from './side-by-side';
import { compareStores, postgresSide, sqliteSide } from './stores';
import { followTrails } from './trails';

const dist = join(__dirname, '..', 'dist', 'index.js');

const options = {
	rounds: { type: 'string', default: '7' },
	against: { type: 'string' },
	stores: { type: 'boolean' },
	sealing: { type: 'boolean' },
	growth: { type: 'boolean' },
	records: { type: 'string', default: '100000' },
	idle: { type: 'boolean' },
	hosted: { type: 'boolean' },
	accounts: { type: 'string' },
	trails: { type: 'boolean' },
	files: { type: 'boolean' },
} as const;

/**
 * `npm run bench`: compares this gateway with the official runtime 6.60.5 on one sandbox Backbone,
 * in turns, each in a process of its own: medians of `--rounds <number>` rounds.
 *
 * - `--against <folder>`: with another build of this gateway.
 * - `--stores`: SQLite with PostgreSQL, one and two processes.
 * - `--sealing`: sealed contents with contents in clear text, on both stores.
 * - `--growth`: pages of lists in accounts of 1,000 and of 100,000 records (`--records <number>`).
 * - `--idle`: what idle accounts in one process cost (`--accounts <number>`).
 * - `--hosted`: `serve` with many accounts; the first receives a flood (`--accounts <number>`).
 * - `--trails`: files and functions of core that a use case passes; `--files` names them.
 */
async function main(): Promise<void> {
	const { values } = parseArgs({ options });
	if (values.trails) return await followTrails(values.files ?? false);
	const rounds = Number(values.rounds);
	const { model = 'unknown processor' } = cpus()[0] ?? {};
	console.log(`Node ${process.version}, ${cpus().length} x ${model}, ${rounds} rounds`);
	const needsPostgres = values.stores ?? values.sealing ?? values.growth ?? false;
	if (needsPostgres) await ensureSharedPostgres();
	const arena = await Arena.open(dist);
	try {
		if (values.idle) await measureIdle(arena, Number(values.accounts ?? 1_000));
		else if (values.hosted) {
			await measureHosted(arena, dirname(dist), Number(values.accounts ?? 200));
		} else if (values.growth) await measureGrowth(arena, Number(values.records));
		else if (values.stores) await compareStores(arena, rounds);
		else if (values.sealing) await compareSealing(arena, rounds);
		else if (values.against) await compareBuilds(arena, resolve(values.against), rounds);
		else await compareWithOfficial(arena, rounds);
	} finally {
		await arena.close();
	}
}

async function compareWithOfficial(arena: Arena, rounds: number): Promise<void> {
	const official: Side = {
		name: 'official',
		start: () => arena.start('official'),
		place: async () => ({}),
	};
	const sides = [official, sqliteSide(arena, 'ours')];
	const measured = await measureSideBySide(arena, sides, figures, rounds);
	const placeIn = (side: string, folder: string) =>
		side === 'official' ? { folder } : { store: { kind: 'sqlite' as const, folder } };
	await measureColdStarts(arena, sides, placeIn, rounds, measured);
	console.log(`\nOfficial: in memory, cold start from a file. Ours: SQLite file. Ratio: official / ours.
${measured.table('official', 'ours')}`);
}

async function compareBuilds(arena: Arena, folder: string, rounds: number): Promise<void> {
	const other = join(folder, 'index.js');
	const sides = [
		{ ...sqliteSide(arena, 'other'), start: () => arena.start('ours', other) },
		sqliteSide(arena, 'this'),
	];
	const measured = await measureSideBySide(arena, sides, ownFigures, rounds);
	const placeIn = (_side: string, at: string) => ({
		store: { kind: 'sqlite' as const, folder: at },
	});
	await measureColdStarts(arena, sides, placeIn, rounds, measured);
	console.log(`\n${measured.table('other', 'this')}`);
}

async function compareSealing(arena: Arena, rounds: number): Promise<void> {
	for (const [store, side] of [
		['SQLite', sqliteSide],
		['PostgreSQL', postgresSide],
	] as const) {
		const sides = [side(arena, 'sealed', { sealContents: true }), side(arena, 'clear')];
		const measured = await measureSideBySide(arena, sides, ownFigures, rounds);
		console.log(`\n${store}\n${measured.table('sealed', 'clear')}`);
	}
}

main().then(
	// Databases of the rounds may still have connections.
	() => process.exit(),
	(error: unknown) => {
		console.error(error);
		process.exit(1);
	},
);
