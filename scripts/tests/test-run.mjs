/** Runs test suites, sums their results and prints skipped tests with their reasons. */
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';

import { buildUntyped, markTypesChecked } from '../lib/build.mjs';
import { checkDocs } from '../docs.mjs';
import { failureExcerpt } from './failure-excerpt.mjs';
import { fileResultsReporter, readFileResults } from './file-results.mjs';
import { lint } from '../lib/lint.mjs';
import { ensureN8nHost } from '../install/n8n-host.mjs';
import { projectRoot, scratchPath } from '../lib/paths.mjs';
import { runInherited, runTypeScript } from '../lib/process.mjs';
import { temporaryFolder } from './temporary-folder.mjs';
import { quickFiles } from './quick-tests.mjs';

const ownFolders = ['contract', 'scenario', 'interop', 'backbone', 'e2e'];

const servers = '--globalSetup=<rootDir>/test/support/postgres/shared-postgres.ts';

/**
 * Arguments for jest by suite, meant for two cores. Each test file has servers, ports, folders and schemas of
 * its own. The unit tests compute all the time; the others also wait, for processes and for time to pass,
 * while a third file can run.
 */
export const suites = {
	unit: {
		workers: 2,
		paths: ['test'],
		ignored: ownFolders.map((folder) => `/test/${folder}/`),
	},
	contract: { workers: 3, paths: ['test/contract'] },
	scenario: { workers: 3, paths: ['test/scenario'] },
	interop: { workers: 2, paths: ['test/interop'] },
	e2e: { workers: 2, paths: ['test/e2e'] },
};

/** The files of a suite that `npm test` runs, and those that it leaves to `npm run test:rest`. */
const quick = (name) => ({ ...suites[name], paths: quickFiles[name] });
const rest = (name) => ({ ...suites[name], ignored: quickFiles[name].map((path) => `/${path}`) });

const checks = {
	lint: () => lint(),
	types: () => runInherited('tsc', ['--noEmit'], { cwd: projectRoot }),
	documentation: () => checkDocs([]),
};

/** `npm test`: what a change breaks most often. */
export async function runQuickTests() {
	const results = await playQuickTests();
	const code = report(results);
	console.log(leftOut);
	printSum(results);
	return code;
}

/** `npm run test:rest`: all that `npm test` leaves out. */
export async function runRestOfTests() {
	return reportWithSum(await playRest());
}

/** `npm run test:all`: both. */
export async function runAllTests() {
	return reportWithSum([...(await playQuickTests()), ...(await playRest())]);
}

/** The same tests, with all that the others leave out for the sake of time: test/support/sizes.ts. */
export async function runFullTests() {
	process.env.ENMESHED_TEST_FULL = '1';
	return await runAllTests();
}

const leftOut = `
Left out: lint, types and documents; the tests of killed, paused and many processes, of moved accounts,
commands, installations and hostile input; most with the official runtimes, and most in a real n8n.
'npm run test:rest' runs these, 'npm run test:all' everything, 'npm run test:full' with long histories.`;

async function playQuickTests() {
	// Mostly waits for the network, if anything is missing.
	const host = ensureN8nHost();
	host.catch(() => undefined);
	const built = await timed('build', async () => resultOfStep('build', await buildUntyped()));
	// The contracts wait for servers and processes while the unit tests compute.
	const results = [
		built,
		...(await Promise.all(['unit', 'contract'].map((name) => timedSuite(name)))),
	];
	results.push(await timedSuite('scenario', quick('scenario')));
	results.push(await timedSuite('interop', quick('interop')));
	results.push(await endToEnd(built, quick('e2e'), host));
	return results;
}

async function playRest() {
	const results = await runChecks();
	const built = await timed('build', async () => resultOfStep('build', await buildUntyped()));
	// Tests that pack the package would build again, while others use the build.
	if (results.every(({ name, failed }) => name !== 'types' || failed === 0)) markTypesChecked();
	results.push(built, await timedSuite('scenario', rest('scenario')));
	// The runs against an address wait more than they work.
	const beside = [timedSuite('interop', rest('interop')), timed('backbone', runAgainstAddresses)];
	results.push(...(await Promise.all(beside)));
	results.push(await endToEnd(built, rest('e2e'), ensureN8nHost()));
	return results;
}

async function endToEnd(built, suite, host) {
	if (built.failed > 0) return withoutTests('e2e', 'The end-to-end tests need a build.');
	try {
		await host;
	} catch (error) {
		return withoutTests('e2e', `n8n is not installed: ${error.message}`);
	}
	return await timedSuite('e2e', suite);
}

/** Two at a time: each of them keeps one core busy. */
async function runChecks() {
	const waiting = Object.keys(checks);
	const results = new Map();
	const work = async () => {
		for (let name = waiting.shift(); name !== undefined; name = waiting.shift()) {
			const run = async () => resultOfStep(name, await checks[name]());
			results.set(name, await timed(name, run));
		}
	};
	await Promise.all([work(), work()]);
	return Object.keys(checks).map((name) => results.get(name));
}

/** Result of a step that has no tests of its own. */
function resultOfStep(name, code) {
	if (code !== 0) return withoutTests(name, `See above, below '== ${name}'.`);
	return { name, passed: 1, failed: 0, skipped: [], failures: [] };
}

const timedSuite = (name, suite = suites[name]) => timed(name, () => runJest(name, suite));

/** `npm run test:unit` and its like: a whole suite, or the files that a person names. */
export async function runSuite(name, words) {
	if (name === 'e2e') await ensureN8nHost();
	return reportWithSum([await runJest(name, suites[name], words)]);
}

async function timed(name, run) {
	const started = Date.now();
	console.log(`\n== ${name}`);
	const result = await run();
	const seconds = Math.round((Date.now() - started) / 1000);
	console.log(`== ${name}: ${seconds} s`);
	return typeof result === 'object' ? { ...result, seconds } : result;
}

/** Words for jest: the suite, or what a person names. */
export function wordsOf({ workers, paths, ignored = [] }, words = []) {
	const isNarrowed = words.some((word) => !word.startsWith('-'));
	return [
		...ignored.map((pattern) => `--testPathIgnorePatterns=${pattern}`),
		// The options above take all words behind them, the next ones do not.
		...[`--maxWorkers=${workers}`, servers, `--cacheDirectory=${scratchPath('jest')}`],
		...(isNarrowed ? words : [...paths, ...words]),
	];
}

async function runJest(name, suite, words = []) {
	const first = await play(name, wordsOf(suite, words));
	const died = first.files.filter(hasDied).map((file) => file.name);
	if (died.length === 0) return resultOf(name, first);
	console.log(`\nPlayed once more, because the process of jest died: ${died.join(', ')}`);
	const again = await play(`${name}-again`, wordsOf(suite, ['--runTestsByPath', ...died]));
	const others = first.files.filter((file) => !hasDied(file));
	const hasFailed = others.some((file) => failuresOf(file).length > 0);
	const code = hasFailed ? first.code : again.code;
	const isComplete = first.isComplete && again.isComplete;
	return resultOf(name, { code, isComplete, files: [...others, ...again.files] });
}

async function play(name, words) {
	const summaryFile = scratchPath('test-results', `${name}.json`);
	rmSync(summaryFile, { force: true });
	const reporters = ['--reporters=default', `--reporters=${fileResultsReporter}`];
	const code = await runInherited('jest', [...reporters, ...words], {
		cwd: projectRoot,
		env: { ...process.env, ...temporaryFolder(), ENMESHED_TEST_RESULTS: summaryFile },
	});
	return { code, ...readFileResults(summaryFile) };
}

/**
 * True if a signal ended the process that played the file, of which Node 24 has been seen to die (SIGABRT,
 * once in many runs). What the file tests is in processes of its own, or has no way to send a signal.
 */
const hasDied = ({ problem }) => /terminated by another process: signal=/.test(problem ?? '');

/**
 * `npm run test:backbone` with both generations concurrently, because the runs mostly wait. Other
 * suites run the tests that they skip.
 */
async function runAgainstAddresses() {
	const results = await Promise.all(['6', '7'].map((version) => runAgainstAddress(version)));
	const sum = (member) => results.reduce((total, result) => total + result[member], 0);
	const failures = results.flatMap((result) => result.failures);
	return { name: 'backbone', passed: sum('passed'), failed: sum('failed'), skipped: [], failures };
}

async function runAgainstAddress(version) {
	const file = scratchPath('test-results', `backbone-${version}.json`);
	mkdirSync(scratchPath('test-results'), { recursive: true });
	rmSync(file, { force: true });
	const words = ['--sandbox', version, '--only-ours', '--mails', '24', '--sums', file];
	const code = await runTypeScript('scripts/backbone-run/main.ts')(words);
	if (!existsSync(file)) return withoutTests('backbone', `Version ${version} gave no results.`);
	const { passed, failed, failures } = JSON.parse(readFileSync(file, 'utf8'));
	return { passed, failed: failed === 0 && code !== 0 ? 1 : failed, failures };
}

/** Result of a step that failed as a whole. */
function withoutTests(name, message) {
	return { name, passed: 0, failed: 1, skipped: [], failures: [{ name, message }] };
}

function resultOf(name, { code, files, isComplete }) {
	if (!isComplete)
		return withoutTests(name, `jest did not end: it stopped with ${code}, see above.`);
	const tests = files.flatMap((file) => file.tests);
	const failures = files.flatMap(failuresOf);
	const failed = failures.length;
	// A jest that fails without a failed test (open handles, bad setup) counts as a failure too.
	if (failed === 0 && code !== 0) {
		failures.push({
			name,
			message: `jest ended with ${code}, although no test failed: see above.`,
		});
	}
	return {
		name,
		passed: tests.filter((test) => test.status === 'passed').length,
		failed: failed === 0 && code !== 0 ? 1 : failed,
		skipped: tests
			.filter((test) => ['pending', 'todo', 'disabled', 'skipped'].includes(test.status))
			.map((test) => test.fullName),
		failures,
	};
}

/** Failed tests of a file, and the file itself when it could not run or end. */
function failuresOf({ name, problem, tests }) {
	const failed = tests
		.filter((test) => test.status === 'failed')
		.map((test) => ({ name: test.fullName, message: test.failureMessages[0] ?? '' }));
	return problem === undefined ? failed : [...failed, { name, message: problem }];
}

/** Prints failures, a line for each suite, and skipped tests. */
function report(results) {
	for (const { name: suite, failures } of results) {
		for (const { name, message } of failures) {
			console.log([`\nFAILED in ${suite}: ${name}`, ...failureExcerpt(message)].join('\n'));
		}
	}
	console.log('');
	for (const result of results) {
		const counts = `${result.passed} passed, ${result.failed} failed, ${result.skipped.length} skipped`;
		const time = result.seconds === undefined ? '' : ` (${result.seconds} s)`;
		console.log(`${result.name.padEnd(14)} ${counts}${time}`);
	}
	const skipped = results.flatMap((result) => result.skipped);
	if (skipped.length > 0) {
		console.log('\nSkipped (the reason is in the name):');
		for (const name of skipped) console.log(`  - ${name}`);
	}
	return results.some(({ failed }) => failed > 0) ? 1 : 0;
}

/** Machines read the last line: '<n> passed, <n> failed, <n> skipped'. */
function printSum(results) {
	const sum = (pick) => results.reduce((total, result) => total + pick(result), 0);
	const skipped = sum((result) => result.skipped.length);
	const passed = sum((result) => result.passed);
	const failed = sum((result) => result.failed);
	console.log(`\n${passed} passed, ${failed} failed, ${skipped} skipped`);
}

function reportWithSum(results) {
	const code = report(results);
	printSum(results);
	return code;
}
