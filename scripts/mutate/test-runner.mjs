/**
 * Test runner for StrykerJS that keeps the modules of the project loaded. What runs while a file loads or in its
 * hooks counts as covered by the file as a whole, so that mutants of module constants need no new process.
 */
import { globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, resolve } from 'node:path';
import { performance } from 'node:perf_hooks';

/** Written by the process that collects the coverage, for the processes that try mutants. */
const coverageFile = resolve('.tmp', 'covered.json');

/** Tests that build on earlier tests of their file. */
const sequences = /\bbeforeAll\(|replay|official-sequence|^test\/nodes/;

/** Between the path of a file and the name of a test in an ID; nothing follows it for the whole file. */
const separator = '\n';

class FileRunner {
	static inject = ['options'];

	constructor({ testFiles }) {
		this.files = globSync(testFiles).sort();
		this.tests = createRequire(import.meta.url)('./jest-in-process.cjs');
		this.instrumented = globalThis.__stryker__ ??= {};
		/** Parts of files that pass without a mutation: only their failure says something. */
		this.passing = new Map();
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
			const started = performance.now();
			const { failure, durations } = await this.tests.withFreshModules(() =>
				this.tests.runFile(resolve(file), { onPart }),
			);
			const status = failure === undefined ? 0 : 1;
			const all = [...durations].map(([name, ms]) => ({
				id: whole + name,
				timeSpentMs: ms,
				status,
			}));
			all.push({ id: whole, timeSpentMs: performance.now() - started, status });
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

	async mutantRun({ activeMutant, hitLimit, testFilter }) {
		this.coverage ??= JSON.parse(readFileSync(coverageFile, 'utf8'));
		const parts = partsOf(testFilter, this.coverage.durations);
		const isLoaded = this.coverage.whileLoading.includes(activeMutant.id);
		Object.assign(this.instrumented, {
			hitLimit,
			hitCount: hitLimit === undefined ? undefined : 0,
		});
		const tryAll = () => this.#firstFailure(parts, activeMutant.id, isLoaded);
		const failed = isLoaded ? await this.tests.withFreshModules(tryAll) : await tryAll();
		if (this.instrumented.hitCount > hitLimit) return { status: 'timeout', reason: 'hit limit' };
		const nrOfTests = testFilter.length;
		if (failed === undefined) return { status: 'survived', nrOfTests };
		return { status: 'killed', killedBy: [failed.id], failureMessage: failed.failure, nrOfTests };
	}

	async #firstFailure(parts, mutant, isLoaded) {
		for (const part of parts) {
			let failure = await this.#run(part, mutant, isLoaded);
			if (failure === undefined) continue;
			if (part.names !== undefined && !(await this.#passesAlone(part))) {
				failure = await this.#run({ file: part.file }, mutant, isLoaded);
			}
			if (failure !== undefined) return { id: part.file + separator, failure };
		}
		return undefined;
	}

	/** Whether these tests pass without the others of their file, and without a mutation. */
	async #passesAlone(part) {
		const key = [part.file, ...part.names].join(separator);
		if (!this.passing.has(key)) {
			const { hitCount, hitLimit } = this.instrumented;
			this.instrumented.hitLimit = undefined;
			const failure = await this.tests.withFreshModules(() => this.#run(part, undefined, false));
			Object.assign(this.instrumented, { hitCount, hitLimit });
			this.passing.set(key, failure === undefined);
		}
		return this.passing.get(key);
	}

	async #run({ file, names }, mutant, isLoaded) {
		this.instrumented.activeMutant = isLoaded ? mutant : undefined;
		const onPart = () => (this.instrumented.activeMutant = mutant);
		try {
			const { failure } = await this.tests.runFile(resolve(file), { names, onPart });
			return failure;
		} finally {
			this.instrumented.activeMutant = undefined;
		}
	}
}

/** Tests by file, the shortest first. `names` is missing where the whole file runs. */
function partsOf(ids, durations) {
	const byFile = new Map();
	for (const id of ids) {
		const [file, name] = id.split(separator);
		const part = byFile.get(file) ?? { file, names: new Set() };
		byFile.set(file, part);
		if (name === '' || isSequence(file)) part.names = undefined;
		part.names?.add(name);
	}
	const duration = ({ file, names = [''] }) =>
		[...names].reduce((sum, name) => sum + (durations[file + separator + name] ?? 0), 0);
	return [...byFile.values()].sort((a, b) => duration(a) - duration(b));
}

const known = new Map();

function isSequence(file) {
	if (!known.has(file))
		known.set(file, sequences.test(file) || sequences.test(readFileSync(file, 'utf8')));
	return known.get(file);
}

export const strykerPlugins = [{ kind: 'TestRunner', name: 'files', injectableClass: FileRunner }];
