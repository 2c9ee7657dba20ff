/**
 * `npm run mutate -- <folder or file> …`: mutates the code in one place at a time, runs the tests
 * that judge it, and lists the mutants that no test detects.
 */
import { existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { availableParallelism } from 'node:os';
import { join, relative } from 'node:path';
import { parseArgs } from 'node:util';

import { projectPath, projectRoot, scratchPath } from '../lib/paths.mjs';
import { runInherited } from '../lib/process.mjs';
import { temporaryFolder } from '../tests/temporary-folder.mjs';
import { judgesOf } from './judges.mjs';
import { sampleOf } from './sample.mjs';
import { changesOf, keyOf, printSummary, rangeOf } from './survivors.mjs';

const usage = `Usage: npm run mutate -- <folder or file> … [--concurrency <number>] [--quick]
    [--sample <lines>] [--seed <number>]
A file may name lines: core/sync/settle.ts:10-40. With --quick, the slower tests are left out. With --sample,
that many lines are drawn at random from what is named.`;

/** Milliseconds of quick tests for each mutant; what is left is for the slower tests. */
const quickBudgetMs = 2_500;

/** Folder of this process, so that several runs do not disturb each other. */
const folder = scratchPath('mutate', String(process.pid));
const configFile = join(folder, 'config.json');
const reportFile = join(folder, 'report.json');

export async function mutate(rest) {
	const { positionals, values } = parseArgs({
		args: rest,
		allowPositionals: true,
		options: {
			concurrency: { type: 'string', default: String(availableParallelism()) },
			quick: { type: 'boolean', default: false },
			sample: { type: 'string' },
			seed: { type: 'string', default: '1' },
		},
	});
	const targets = positionals.map(targetOf);
	const unknown = targets.find(({ path, judges }) => !judges || !existsSync(projectPath(path)));
	if (targets.length === 0 || unknown !== undefined) {
		if (unknown !== undefined) console.error(`No tests judge '${unknown.path}'.`);
		console.error(usage);
		return 1;
	}
	const started = Date.now();
	mkdirSync(folder, { recursive: true });
	process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
	const concurrency = Number(values.concurrency);
	const ofKind = (kind) => [...new Set(targets.flatMap(({ judges }) => judges[kind]))];
	const patterns =
		values.sample === undefined
			? targets.map(patternOf)
			: sampleOf(positionals, Number(values.sample), Number(values.seed));
	const quick = await run(patterns, ofKind('quick'), concurrency, quickBudgetMs);
	if (quick === undefined) return 1;
	let changes = quick;
	const left = quick.filter(({ isNoticed }) => !isNoticed);
	const stories = ofKind('stories');
	if (!values.quick && left.length > 0 && stories.length > 0) {
		console.log(`\n${left.length} changes are left for the slower tests`);
		const again = await run(
			[...new Set(left.map(rangeOf))],
			[...ofKind('quick'), ...stories],
			concurrency,
		);
		if (again === undefined) return 1;
		const noticed = new Set(again.filter(({ isNoticed }) => isNoticed).map(keyOf));
		changes = quick.map((change) =>
			noticed.has(keyOf(change)) ? { ...change, isNoticed: true } : change,
		);
	}
	printSummary(changes);
	console.log(`${Math.round((Date.now() - started) / 1000)} s`);
	return 0;
}

function targetOf(given) {
	const [name, lines] = given.split(':');
	const path = relative(projectRoot, projectPath(name)).replaceAll('\\', '/');
	return { path, lines, judges: judgesOf(path) };
}

function patternOf({ path, lines }) {
	if (statSync(projectPath(path)).isDirectory()) return `${path}/**/*.ts`;
	return lines === undefined ? path : `${path}:${lines}`;
}

/** Returns all mutants with their outcome; undefined if the tests fail without a mutation. */
async function run(patterns, judges, concurrency, budgetMs = Infinity) {
	rmSync(reportFile, { force: true });
	const config = configOf(patterns, judges, concurrency);
	writeFileSync(configFile, JSON.stringify(config, null, '\t'));
	if (judges.some((judge) => judge.includes('postgres'))) await ensurePostgres();
	// A fixed seed makes the tests identical for each mutant.
	const env = {
		ENMESHED_TEST_SEED: '1',
		MUTANT_BUDGET_MS: String(budgetMs),
		...process.env,
		...temporaryFolder(),
	};
	await runInherited('stryker', ['run', configFile], { cwd: projectRoot, env });
	if (!existsSync(reportFile)) return undefined;
	return changesOf(JSON.parse(readFileSync(reportFile, 'utf8')));
}

/** Starts the PostgreSQL server that the test suites share, like jest does for them (`test-run.mjs`). */
async function ensurePostgres() {
	const require = createRequire(import.meta.url);
	require('../lib/typescript.cjs');
	await require('../../test/support/postgres/shared-postgres.ts').default();
}

function configOf(patterns, judges, concurrency) {
	return {
		mutate: patterns,
		testRunner: 'files',
		testFiles: judges.map((judge) => `test/${judge}.test.ts`),
		coverageAnalysis: 'perTest',
		concurrency,
		dryRunTimeoutMinutes: 60,
		timeoutMS: 10_000,
		plugins: ['ignore-texts.mjs', 'test-runner.mjs'].map((file) =>
			projectPath('scripts', 'mutate', file),
		),
		ignorers: ['texts'],
		// The tests do not check types, and comments that disable type checks would shift the lines.
		disableTypeChecks: false,
		ignorePatterns: ['/.tmp', '/dist', '/coverage', '*.tgz'],
		tempDirName: relative(projectRoot, join(folder, 'sandbox')),
		cleanTempDir: 'always',
		reporters: ['progress-append-only', 'json'],
		jsonReporter: { fileName: relative(projectRoot, reportFile) },
		allowConsoleColors: false,
	};
}
