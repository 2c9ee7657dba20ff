/**
 * Test runner for StrykerJS that keeps the modules of the project loaded. Its unit is a test file: what runs while
 * a file loads counts as covered by it, so that mutants of module constants need no new process.
 */
import { globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, resolve } from 'node:path';

/** Written by the process that collects the coverage, for those that try mutants. */
const coverageFile = resolve('.tmp', 'coverage-of-files.json');

class FileRunner {
	static inject = ['options'];

	constructor({ testFiles }) {
		const patterns = testFiles.map((file) => file.replaceAll('\\', '/'));
		this.files = globSync(patterns).sort();
		this.tests = createRequire(import.meta.url)('./jest-in-process.cjs');
		this.instrumented = globalThis.__stryker__ ??= {};
	}

	capabilities() {
		return { reloadEnvironment: true };
	}

	async dryRun() {
		const mutantCoverage = { static: {}, perTest: {} };
		this.instrumented.mutantCoverage = mutantCoverage;
		const tests = [];
		const whileLoading = new Set();
		for (const file of this.files) {
			this.instrumented.currentTestId = file;
			const started = performance.now();
			const { failure, loaded } = await this.tests.withFreshModules(() =>
				this.tests.runFile(resolve(file), () => Object.keys(mutantCoverage.perTest[file] ?? {})),
			);
			for (const mutant of loaded) whileLoading.add(mutant);
			tests.push({
				...{ id: file, name: file, fileName: resolve(file) },
				...{ timeSpentMs: performance.now() - started, status: failure === undefined ? 0 : 1 },
				...(failure === undefined ? {} : { failureMessage: failure }),
			});
		}
		this.instrumented.currentTestId = undefined;
		mkdirSync(dirname(coverageFile), { recursive: true });
		const durations = Object.fromEntries(tests.map(({ id, timeSpentMs }) => [id, timeSpentMs]));
		writeFileSync(coverageFile, JSON.stringify({ whileLoading: [...whileLoading], durations }));
		return { status: 'complete', tests, mutantCoverage };
	}

	async mutantRun({ activeMutant, hitLimit, testFilter }) {
		this.coverage ??= JSON.parse(readFileSync(coverageFile, 'utf8'));
		const { whileLoading, durations } = this.coverage;
		const files = (testFilter ?? this.files).toSorted((a, b) => durations[a] - durations[b]);
		Object.assign(this.instrumented, { hitLimit, hitCount: hitLimit === undefined ? undefined : 0 });
		const isLoaded = whileLoading.includes(activeMutant.id);
		const tryAll = () => this.#firstFailure(files, activeMutant.id, isLoaded);
		const failed = isLoaded ? await this.tests.withFreshModules(tryAll) : await tryAll();
		if (this.instrumented.hitCount > hitLimit) return { status: 'timeout', reason: 'hit limit' };
		if (failed === undefined) return { status: 'survived', nrOfTests: files.length };
		return { status: 'killed', killedBy: [failed.file], failureMessage: failed.failure, nrOfTests: 1 };
	}

	async #firstFailure(files, mutant, isLoaded) {
		try {
			for (const file of files) {
				this.instrumented.activeMutant = isLoaded ? mutant : undefined;
				const activate = () => (this.instrumented.activeMutant = mutant);
				const { failure } = await this.tests.runFile(resolve(file), activate);
				if (failure !== undefined) return { file, failure };
			}
			return undefined;
		} finally {
			this.instrumented.activeMutant = undefined;
		}
	}
}

export const strykerPlugins = [{ kind: 'TestRunner', name: 'files', injectableClass: FileRunner }];
