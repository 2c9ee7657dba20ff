/** Runs test suites, sums their results and prints skipped tests with their reasons. */
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';

import { build } from './build.mjs';
import { checkDocs } from '../docs.mjs';
import { failureExcerpt } from './failure-excerpt.mjs';
import { lint } from './lint.mjs';
import { ensureN8nHost } from './n8n-host.mjs';
import { projectRoot, scratchPath } from './paths.mjs';
import { runInherited, runTypeScript } from './process.mjs';
import { temporaryFolder } from './temporary-folder.mjs';

const ownFolders = ['contract', 'scenario', 'interop', 'backbone', 'e2e'];

const servers = '--globalSetup=<rootDir>/test/support/postgres/shared-postgres.ts';

/**
 * Arguments for jest by suite, meant for two cores. Each test file has servers, ports, folders and schemas of
 * its own. The unit tests compute all the time; the others also wait, for processes and for time to pass,
 * while a third file can run.
 */
const suites = {
	unit: [
		'test',
		'--maxWorkers=2',
		...ownFolders.map((folder) => `--testPathIgnorePatterns=/test/${folder}/`),
	],
	contract: ['test/contract', '--maxWorkers=3'],
	scenario: ['test/scenario', '--maxWorkers=3'],
	interop: ['test/interop', '--maxWorkers=2'],
	e2e: ['test/e2e', '--maxWorkers=2'],
};

const checks = {
	build: () => build(),
	lint: () => lint(),
	types: () => runInherited('tsc', ['--noEmit'], { cwd: projectRoot }),
	documentation: () => checkDocs([]),
};

export async function runAllTests() {
	const checked = await runChecks();
	const isBuilt = checked[0].failed === 0;
	const results = [];
	// The contracts wait for servers and processes while the unit tests compute.
	results.push(...(await Promise.all(['unit', 'contract'].map(timedSuite))));
	results.push(await timedSuite('scenario'));
	if (!isBuilt) {
		console.log('The end-to-end tests need a build: counted as one failure.');
		results.push(await timedSuite('interop'), withoutTests('e2e', 'There is no build.'));
		return report([...checked, ...results]);
	}
	// The runs against an address wait more than they work.
	const [interop, backbone] = await Promise.all([
		timedSuite('interop'),
		timed('backbone', runAgainstAddresses),
	]);
	results.push(interop, await timedSuite('e2e'), backbone);
	return report([...checked, ...results]);
}

/** Two at a time: each of them keeps one core busy. */
async function runChecks() {
	const waiting = Object.keys(checks);
	const results = new Map();
	const work = async () => {
		for (let name = waiting.shift(); name !== undefined; name = waiting.shift()) {
			const ok = (await timed(name, checks[name])) === 0;
			const passed = { name, passed: 1, failed: 0, skipped: [], failures: [] };
			results.set(name, ok ? passed : withoutTests(name, `See above, below '== ${name}'.`));
		}
	};
	await Promise.all([work(), work()]);
	return Object.keys(checks).map((name) => results.get(name));
}

const timedSuite = (name) => timed(name, () => runJest(name, []));

/** The same suites, with all that `npm test` leaves out for the sake of time: test/support/sizes.ts. */
export async function runFullTests() {
	process.env.ENMESHED_TEST_FULL = '1';
	return await runAllTests();
}

export async function runSuite(name, rest) {
	return report([await runJest(name, rest)]);
}

async function timed(name, run) {
	const started = Date.now();
	console.log(`\n== ${name}`);
	const result = await run();
	console.log(`== ${name}: ${Math.round((Date.now() - started) / 1000)} s`);
	return result;
}

async function runJest(name, rest) {
	if (name === 'e2e') await ensureN8nHost();
	const summaryFile = scratchPath('test-results', `${name}.json`);
	mkdirSync(scratchPath('test-results'), { recursive: true });
	rmSync(summaryFile, { force: true });
	const [folder, ...fixed] = suites[name];
	const isNarrowed = rest.some((argument) => !argument.startsWith('-'));
	const chosen = isNarrowed ? fixed : [folder, ...fixed];
	const cache = `--cacheDirectory=${scratchPath('jest')}`;
	const output = ['--json', `--outputFile=${summaryFile}`];
	const code = await runInherited('jest', [...chosen, servers, cache, ...output, ...rest], {
		cwd: projectRoot,
		env: { ...process.env, ...temporaryFolder() },
		// The JSON goes to the file as well; on the terminal jest's own report is enough.
		stdio: ['ignore', 'ignore', 'inherit'],
	});
	return resultOf(name, code, summaryFile);
}

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

function resultOf(name, code, summaryFile) {
	let summary;
	try {
		summary = JSON.parse(readFileSync(summaryFile, 'utf8'));
	} catch {
		return withoutTests(name, 'jest wrote no results.');
	}
	const tests = summary.testResults.flatMap((file) => file.assertionResults);
	const failed = summary.numFailedTests + summary.numRuntimeErrorTestSuites;
	const failures = summary.testResults.flatMap(failuresOf);
	// A jest that fails without a failed test (open handles, bad setup) counts as a failure too.
	if (failed === 0 && code !== 0) {
		failures.push({
			name,
			message: `jest ended with ${code}, although no test failed: see above.`,
		});
	}
	return {
		name,
		passed: summary.numPassedTests,
		failed: failed === 0 && code !== 0 ? 1 : failed,
		skipped: tests
			.filter((test) => ['pending', 'todo', 'disabled', 'skipped'].includes(test.status))
			.map((test) => test.fullName),
		failures,
	};
}

/** Failed tests of a file, or the file itself when it could not run. */
function failuresOf({ name, message, assertionResults }) {
	if (assertionResults.length === 0 && message !== '') return [{ name, message }];
	return assertionResults
		.filter((test) => test.status === 'failed')
		.map((test) => ({ name: test.fullName, message: test.failureMessages[0] ?? '' }));
}

/** Machines read the last line: '<n> passed, <n> failed, <n> skipped'. */
function report(results) {
	const sum = (pick) => results.reduce((total, result) => total + pick(result), 0);
	const skipped = results.flatMap((result) => result.skipped);
	for (const { name: suite, failures } of results) {
		for (const { name, message } of failures) {
			console.log([`\nFAILED in ${suite}: ${name}`, ...failureExcerpt(message)].join('\n'));
		}
	}
	console.log('');
	for (const result of results) {
		const counts = `${result.passed} passed, ${result.failed} failed, ${result.skipped.length} skipped`;
		console.log(`${result.name.padEnd(14)} ${counts}`);
	}
	if (skipped.length > 0) {
		console.log('\nSkipped (the reason is in the name):');
		for (const name of skipped) console.log(`  - ${name}`);
	}
	const failed = sum((result) => result.failed);
	console.log(
		`\n${sum((result) => result.passed)} passed, ${failed} failed, ${skipped.length} skipped`,
	);
	return failed === 0 ? 0 : 1;
}
