/**
 * Test runner for StrykerJS that keeps the modules of the project loaded. What runs while a file loads or in its
 * hooks counts as covered by the file as a whole, so that mutants of module constants need no new process.
 */
import { globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, resolve } from 'node:path';

/** Written by the process that collects the coverage, for the processes that try mutants. */
const coverageFile = resolve('.tmp', 'covered.json');

/**
 * Milliseconds of tests, by their duration without a mutation, that may judge a mutant; the shortest go first.
 * Without a limit, all tests that run the mutated code do.
 */
const budgetMs = Number(process.env.MUTANT_BUDGET_MS ?? Infinity);

/** Preparations in `beforeAll` that every test of a file can have for itself. */
const preparations = [
	'loadSodium',
	'async \\(\\) => \\{\\s*database = await TestDatabase\\.create',
	'async \\(\\) => \\{\\s*planned = await openPlannedStore',
	'\\(\\) =>\\s*database\\.query',
];

/** Tests that build on earlier tests of their file. */
const sequences = new RegExp(
	`\\bbeforeAll\\((?!${preparations.join('|')})|replay|official-sequence|^test/nodes`,
);

/** Between the path of a file and the name of a test in an ID; nothing follows it for the whole file. */
const separator = '\n';

class FileRunner {
	static inject = ['options'];

	constructor({ testFiles }) {
		this.files = globSync(testFiles).sort();
		this.tests = createRequire(import.meta.url)('./jest-in-process.cjs');
		this.instrumented = globalThis.__stryker__ ??= {};
		/** Tests that pass alone and without a mutation: only their failure says something. */
		this.passing = new Map();
		/** Numbers of mutants that a test, or a whole test file, has detected, by source file. */
		this.kills = new Map();
	}

	capabilities() {
		return { reloadEnvironment: true };
	}

	async dryRun() {
		const mutantCoverage = { static: {}, perTest: {} };
		this.instrumented.mutantCoverage = mutantCoverage;
		const results = [];
		const whileLoading = new Set();
		for (const file of this.files) {
			const whole = file + separator;
			this.instrumented.currentTestId = whole;
			let isLoaded = false;
			const onPart = (name = '') => {
				if (!isLoaded) for (const id in mutantCoverage.perTest[whole]) whileLoading.add(id);
				isLoaded = true;
				this.instrumented.currentTestId = whole + name;
			};
			const { failure, durations } = await this.tests.withFreshModules(() =>
				this.tests.runFile(resolve(file), { onPart }),
			);
			const status = failure === undefined ? 0 : 1;
			const all = [...durations].map(([name, ms]) => ({
				id: whole + name,
				timeSpentMs: ms,
				status,
			}));
			const wholeMs = all.reduce((sum, { timeSpentMs }) => sum + timeSpentMs, 0);
			all.push({ id: whole, timeSpentMs: wholeMs, status });
			const fileName = resolve(file);
			for (const test of all)
				results.push({ ...test, name: test.id, fileName, failureMessage: failure });
		}
		this.instrumented.currentTestId = undefined;
		const durations = Object.fromEntries(results.map(({ id, timeSpentMs }) => [id, timeSpentMs]));
		mkdirSync(dirname(coverageFile), { recursive: true });
		writeFileSync(coverageFile, JSON.stringify({ whileLoading: [...whileLoading], durations }));
		return { status: 'complete', tests: results, mutantCoverage };
	}

	async mutantRun({ activeMutant, hitLimit, testFilter, sandboxFileName }) {
		this.coverage ??= JSON.parse(readFileSync(coverageFile, 'utf8'));
		const kills = this.#killsIn(activeMutant.fileName);
		const isLoaded = this.coverage.whileLoading.includes(activeMutant.id);
		const limit = isLoaded ? 4 * budgetMs : budgetMs;
		const parts = partsOf(testFilter, this.coverage.durations, kills, limit);
		Object.assign(this.instrumented, {
			hitLimit,
			hitCount: hitLimit === undefined ? undefined : 0,
		});
		const tryAll = () => this.#firstFailure(parts, activeMutant.id, isLoaded);
		const failed = isLoaded
			? await this.tests.withFreshModules(tryAll, resolve(sandboxFileName))
			: await tryAll();
		if (this.instrumented.hitCount > hitLimit) return { status: 'timeout', reason: 'hit limit' };
		const nrOfTests = testFilter.length;
		if (failed === undefined) return { status: 'survived', nrOfTests };
		kills.set(failed.id, (kills.get(failed.id) ?? 0) + 1);
		return { status: 'killed', killedBy: [failed.id], failureMessage: failed.failure, nrOfTests };
	}

	#killsIn(file) {
		if (!this.kills.has(file)) this.kills.set(file, new Map());
		return this.kills.get(file);
	}

	async #firstFailure(parts, mutant, isLoaded) {
		for (const part of parts) {
			const { failure, failed } = await this.#run(part, mutant, isLoaded);
			if (failure === undefined) continue;
			const whole = part.file + separator;
			if (part.names === undefined) return { id: whole, failure };
			if (await this.#passesAlone(part.file, failed)) return { id: whole + failed, failure };
			const again = await this.#run({ file: part.file }, mutant, isLoaded);
			if (again.failure !== undefined) return { id: whole, failure: again.failure };
		}
		return undefined;
	}

	/** Whether a test passes without the others of its file, and without a mutation. */
	async #passesAlone(file, name) {
		if (name === undefined) return false;
		const key = file + separator + name;
		if (!this.passing.has(key)) {
			const { hitCount, hitLimit } = this.instrumented;
			this.instrumented.hitLimit = undefined;
			const part = { file, names: new Set([name]) };
			const { failure } = await this.tests.withFreshModules(() =>
				this.#run(part, undefined, false),
			);
			Object.assign(this.instrumented, { hitCount, hitLimit });
			this.passing.set(key, failure === undefined);
		}
		return this.passing.get(key);
	}

	async #run({ file, names }, mutant, isLoaded) {
		this.instrumented.activeMutant = isLoaded ? mutant : undefined;
		const onPart = () => (this.instrumented.activeMutant = mutant);
		const limitOf = (name) => limitMs(this.coverage.durations[file + separator + name]);
		try {
			return await this.tests.runFile(resolve(file), { names, onPart, limitOf });
		} finally {
			this.instrumented.activeMutant = undefined;
		}
	}
}

/** Milliseconds after which a test counts as hanging. */
const limitMs = (durationMs = 1_000) => 3_000 + 5 * durationMs;

/**
 * Tests by file, up to the limit of their duration: short ones and those that detected other mutants of the source file
 * go first. `names` is missing where the whole file runs.
 */
function partsOf(ids, durations, kills, limit) {
	const runs = new Map();
	for (const id of ids) {
		// Names of tests may have several lines.
		const [file, ...lines] = id.split(separator);
		const name = lines.join(separator);
		const isWhole = name === '' || isSequence(file);
		const key = isWhole ? file + separator : id;
		const durationMs = durations[key] ?? 0;
		const cost = durationMs / (1 + 2 * (kills.get(key) ?? 0));
		runs.set(key, { file, name: isWhole ? undefined : name, durationMs, cost });
	}
	const wholes = new Set([...runs.values()].filter(({ name }) => !name).map(({ file }) => file));
	const candidates = [...runs.values()].filter(({ file, name }) => !name || !wholes.has(file));
	candidates.sort((a, b) => a.cost - b.cost);
	let sumMs = 0;
	const judges = candidates.filter(
		({ durationMs }, index) => (sumMs += durationMs) <= limit || index === 0,
	);
	return [...Map.groupBy(judges, ({ file }) => file)].map(([file, own]) => ({
		file,
		names: wholes.has(file) ? undefined : new Set(own.map(({ name }) => name)),
	}));
}

const known = new Map();

function isSequence(file) {
	if (!known.has(file))
		known.set(file, sequences.test(file) || sequences.test(readFileSync(file, 'utf8')));
	return known.get(file);
}

export const strykerPlugins = [{ kind: 'TestRunner', name: 'files', injectableClass: FileRunner }];
