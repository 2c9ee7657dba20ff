import { cpus } from 'node:os';
import { join, resolve } from 'node:path';
import { performance } from 'node:perf_hooks';
import { parseArgs } from 'node:util';
import { Arena, contestants } from './arena';
import { bigSyncTable, isComplete, measureBigSync } from './big-days/big-sync';
import { measureLongList } from './big-days/long-list';
import { manyPeopleTable, measureManyPeople, notWelcomedOnce } from './big-days/many-people';
import { measureColdStart, prepareAccounts } from './cold-start';
import { fillStores, measureLookups } from './full-store';
import { measureGrowth } from './growth/growth-figures';
import { growingLists, growthTable } from './growth/growth-report';
import { measureHttp, type HttpLine } from './http-figures';
import { measureSideBySide, untilHealthy } from './side-by-side';
import { idleTable, measureIdle } from './idle-accounts';
import { measureLargestFile, type LargestFile } from './largest-file';
import { measureLoadTime } from './load-time';
import { measureProcessorTimes, processorTable } from './processor-times';
import type { RunningGateway } from './programs/over-http';
import { runRound } from './rounds';
import { bundlePrograms } from './support/bundle-programs';
import { isPostgresThere } from '../test/support/postgres/postgres';
import ensureSharedPostgres from '../test/support/postgres/shared-postgres';
import { measureSealing } from './sealing-figures';
import { measureStores, type StoreResult } from './store-figures';
import { httpTable } from './support/http-report';
import { Measurements } from './support/measurements';
import { belowRequirement, requiredRatio, table } from './support/report';
import { sealingTables } from './support/sealing-report';
import { sideBySideTables } from './support/side-by-side-report';
import { storeTables } from './support/store-report';

const root = join(__dirname, '..');

const countedRounds = 9;
/** maximum additional memory, as a multiple of the file's size */
const mostFileMemory = 3;

const optionsOfRun = {
	against: { type: 'string' },
	http: { type: 'boolean' },
	url: { type: 'string' },
	'api-key': { type: 'string' },
	pid: { type: 'string' },
	port: { type: 'string', default: '8090' },
	stores: { type: 'boolean' },
	sealing: { type: 'boolean' },
	growth: { type: 'boolean' },
	idle: { type: 'boolean' },
	accounts: { type: 'string', default: '1000' },
	'big-sync': { type: 'boolean' },
	mails: { type: 'string', default: '100000' },
	store: { type: 'string', default: 'sqlite' },
	'many-people': { type: 'boolean' },
	people: { type: 'string', default: '1000' },
	'long-list': { type: 'boolean' },
	messages: { type: 'string', default: '100000' },
	'largest-file': { type: 'boolean' },
	processor: { type: 'boolean' },
} as const;

type Values = ReturnType<typeof parseArgs<{ options: typeof optionsOfRun }>>['values'];

/** Measurements that run alone when their option is given. */
const modes = {
	http: runHttp,
	stores: async (arena) => {
		await arena.open();
		reportStores(await storesIfThere(arena));
	},
	growth: (arena, { sealing }) => reportGrowth(arena, sealing === true),
	idle: async (arena, { accounts }) => {
		await arena.open();
		console.log(idleTable(await measureIdle(arena, Number(accounts))));
	},
	sealing: async (arena) => {
		await ensureSharedPostgres();
		await arena.open();
		console.log(sealingTables(await measureSealing(arena)));
	},
	'big-sync': async (arena, { mails, store }) => {
		await arena.open();
		if (store !== 'sqlite' && store !== 'postgres') {
			throw new Error(`--store is sqlite or postgres, not ${store}`);
		}
		const result = await measureBigSync(arena, { mails: Number(mails), store });
		console.log(`\n${bigSyncTable(result)}`);
		if (!isComplete(result)) throw new Error('Mails are missing, or were received twice.');
	},
	'many-people': async (arena, { people }) => {
		await arena.open();
		const visits = await measureManyPeople(arena, Number(people));
		console.log(`\n${manyPeopleTable(visits)}`);
		const others = notWelcomedOnce(visits);
		if (others.length === 0) return;
		throw new Error(`Not welcomed exactly once: ${JSON.stringify(others.slice(0, 5))}`);
	},
	'long-list': async (arena, { messages }) => {
		await arena.open();
		const list = await measureLongList(arena, Number(messages));
		console.log(
			`A list of ${list.messages} messages over HTTP took ${Math.round(list.elapsedMs)} ms and ${Math.round(list.additionalBytes / 1_000_000)} MB above an idle gateway.`,
		);
	},
	'largest-file': async (arena) => {
		await arena.open();
		reportLargestFile(await measureLargestFile(arena));
	},
	processor: async (arena) => {
		await arena.open();
		console.log(
			`\nMilliseconds per operation, by part of the program:\n\n${processorTable(await measureProcessorTimes(arena))}`,
		);
	},
	against: async (arena) => {
		const results = new Measurements();
		await arena.open();
		await runAll(arena, results);
		console.log(
			`\nThe other build in the place of the official runtime:\n\n${table(results.lines())}`,
		);
	},
} satisfies Record<string, (arena: Arena, values: Values) => Promise<void>>;

/**
 * `npm run bench`: runs the official runtime 6.60.5 and the built gateway on one sandbox Backbone,
 * in turns, each in a process of its own. Fails if a figure is less than twice as good. An argument
 * names the folder of another build than `dist`.
 *
 * - `--against <folder>` replaces the official runtime by another build of this gateway, which shows
 *   differences of a few per cent.
 * - `--http`: only the figures over HTTP; with `--url <address> --api-key <key>` side by side with any
 *   running gateway.
 * - `--stores`: only SQLite and PostgreSQL.
 * - `--sealing`: only the cost of sealed contents.
 * - `--growth`: only lists in accounts of 1,000 to 100,000 records (with `--sealing` in accounts with
 *   sealed contents).
 * - `--idle`: only idle accounts in one process (`--accounts <number>`).
 * - `--big-sync`: many queued mails in one sync, with kills (`--mails <number>`, `--store postgres`).
 * - `--many-people`: people who scan the same code within a minute, with a real n8n (`--people <number>`).
 * - `--long-list`: the memory of a long list over HTTP (`--messages <number>`).
 * - `--largest-file`: the memory of the largest file.
 * - `--processor`: the processor time of each figure by part of the program.
 */
async function main(): Promise<void> {
	const { values, positionals } = parseArgs({ options: optionsOfRun, allowPositionals: true });
	const dist = resolve(positionals[0] ?? join(root, 'dist'));
	const programs = join(root, '.tmp', 'bench');
	await bundlePrograms(programs);
	const against = values.against === undefined ? undefined : resolve(values.against, 'index.js');
	const arena = new Arena(programs, join(dist, 'index.js'), against);
	try {
		const names = Object.keys(modes) as Array<keyof typeof modes>;
		const mode = names.find((name) => values[name] !== undefined);
		await (mode === undefined ? runEverything(arena, dist) : modes[mode](arena, values));
	} finally {
		await arena.close();
	}
}

async function runEverything(arena: Arena, dist: string): Promise<void> {
	const started = performance.now();
	const results = new Measurements();
	const load = await measureLoadTime(arena, dist);
	await arena.open();
	await runAll(arena, results);
	const file = await measureLargestFile(arena);
	console.log('Over HTTP');
	const overHttp = await measureHttp(arena);
	console.log('Stores');
	const stores = await storesIfThere(arena);
	report(results, load, file, performance.now() - started);
	reportHttp(overHttp);
	reportStores(stores);
}

async function runAll(arena: Arena, results: Measurements): Promise<void> {
	await runRounds(arena, results);
	await runLookups(arena, results);
	await runColdStarts(arena, results);
}

async function runHttp(arena: Arena, values: Values): Promise<void> {
	const { url, pid, port } = values;
	if (url === undefined) {
		await arena.open();
		reportHttp(await measureHttp(arena));
		return;
	}
	await runSideBySide(arena, Number(port), {
		url,
		apiKey: values['api-key'],
		pid: pid === undefined ? undefined : Number(pid),
	});
}

async function runRounds(arena: Arena, results: Measurements): Promise<void> {
	console.log('Warming up: one round that does not count.');
	await runRound(arena, new Measurements());
	for (let round = 1; round <= countedRounds; round++) {
		console.log(`Round ${round} of ${countedRounds}`);
		await runRound(arena, results);
	}
}

async function runLookups(arena: Arena, results: Measurements): Promise<void> {
	console.log('Full stores');
	await fillStores(arena);
	await measureLookups(arena, new Measurements());
	for (let round = 0; round < countedRounds; round++) await measureLookups(arena, results);
	for (const side of contestants) await arena.sides[side].call('close');
}

async function runColdStarts(arena: Arena, results: Measurements): Promise<void> {
	console.log('Cold starts');
	const folders = await prepareAccounts(arena);
	for (let round = 0; round < countedRounds; round++) {
		await measureColdStart(arena, folders, results);
	}
}

function report(
	results: Measurements,
	load: Awaited<ReturnType<typeof measureLoadTime>>,
	file: LargestFile,
	elapsedMs: number,
): void {
	const lines = results.lines();
	const { model = 'unknown processor' } = cpus()[0] ?? {};
	console.log(`
Medians of ${countedRounds} interleaved rounds, Node ${process.version}, ${cpus().length} x ${model}.
Official: runtime 6.60.5, in memory (cold start: Loki file). Ours: SQLite file. The ratio is
official / ours. Floor: the same calls and bytes through bare undici and libsodium. cpu: processor
time of that side's process, in ms, which a busy machine does not lengthen.

${table(lines)}

Loading the built package: both node files and their descriptions ${load.nodesMs.toFixed(1)} ms, the core on first use ${load.coreMs.toFixed(1)} ms.
The run took ${Math.round(elapsedMs / 1000)} s.`);
	reportLargestFile(file);
	const failed = belowRequirement(lines);
	if (failed.length === 0) return;
	console.error(
		`\nNot ${requiredRatio} times as good: ${failed.map(({ name }) => name).join('; ')}.`,
	);
	process.exitCode = 1;
}

function reportLargestFile({ size, upload, download }: LargestFile): void {
	console.log(
		`The largest file (${size} bytes) takes ${upload.toFixed(1)} times its size of additional memory going up, ${download.toFixed(1)} times coming down.`,
	);
	if (Math.max(upload, download) <= mostFileMemory) return;
	console.error(`\nThe largest file takes more than ${mostFileMemory} times its size.`);
	process.exitCode = 1;
}

function reportHttp(lines: readonly HttpLine[]): void {
	console.log(`
The HTTP gateway in a process of its own, asked over HTTP; per operation. The Connector's figures are
constants: 6.35.1 with its in-memory database, measured once on a machine with two processors, not in
this run. In process: the same core without HTTP, in this run.

${httpTable(lines)}`);
}

async function runSideBySide(arena: Arena, port: number, other: RunningGateway): Promise<void> {
	await arena.open(port);
	console.log(`The Backbone of this run is ${arena.baseUrl}, with the client id and secret 'test'.
Waiting for ${other.url} to be healthy. It has to belong to this Backbone, with an account of its own
and without synchronisation in the background.`);
	await untilHealthy(other);
	console.log(`
Per operation, medians of interleaved rounds over HTTP. cpu: processor time of the gateway's process.
Calls and KB: traffic with the Backbone.

${sideBySideTables(await measureSideBySide(arena, other))}`);
}

async function reportGrowth(arena: Arena, sealContents: boolean): Promise<void> {
	await ensureSharedPostgres();
	await arena.open();
	const results = await measureGrowth(arena, sealContents);
	for (const result of results) console.log(`\n${growthTable(result)}`);
	const growing = growingLists(results);
	if (growing.length === 0) return;
	console.error(`\nNot the same cost at every size:\n${growing.join('\n')}`);
	process.exitCode = 1;
}

async function storesIfThere(arena: Arena): Promise<StoreResult | undefined> {
	await ensureSharedPostgres();
	return isPostgresThere() ? await measureStores(arena) : undefined;
}

function reportStores(result: StoreResult | undefined): void {
	if (result === undefined) {
		console.log('\nSQLite and PostgreSQL were not compared: no PostgreSQL is installed.');
		return;
	}
	console.log(`
Ours on both stores: one operation, and mails sent eight at a time by each process. Statements and round
trips are counted for one operation on PostgreSQL.

${storeTables(result)}`);
}

main().catch((error: unknown) => {
	console.error(error);
	process.exitCode = 1;
});
