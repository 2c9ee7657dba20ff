/** Runs test suites, adds their results up and says what was skipped and why. */
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';

import { build } from './build.mjs';
import { checkDocs } from '../docs.mjs';
import { lint } from './lint.mjs';
import { ensureN8nHost } from './n8n-host.mjs';
import { projectRoot, scratchPath } from './paths.mjs';
import { runInherited, runTypeScript } from './process.mjs';

const ownFolders = ['contract', 'scenario', 'interop', 'backbone', 'e2e'];

const servers = '--globalSetup=<rootDir>/test/support/shared-postgres.ts';

/** Arguments for jest by suite. What talks to real hosts and peers runs one file after another; the
 * others have servers, ports, folders and schemas of their own. */
const suites = {
	unit: [
		'test',
		'--maxWorkers=2',
		...ownFolders.map((folder) => `--testPathIgnorePatterns=/test/${folder}/`),
	],
	contract: ['test/contract', '--maxWorkers=2'],
	scenario: ['test/scenario', '--maxWorkers=2'],
	interop: ['test/interop', '--runInBand'],
	e2e: ['test/e2e', '--runInBand'],
};

export async function runAllTests() {
	const steps = [
		['build', () => build()],
		['lint', () => lint()],
		['types', () => runInherited('tsc', ['--noEmit'], { cwd: projectRoot })],
		['documentation', () => checkDocs([])],
	];
	const results = [];
	for (const [name, run] of steps) {
		const ok = (await timed(name, run)) === 0;
		results.push({ name, passed: ok ? 1 : 0, failed: ok ? 0 : 1, skipped: [] });
	}
	const built = results[0].failed === 0;
	for (const name of Object.keys(suites)) {
		if (name === 'e2e' && !built) {
			console.log('The end-to-end tests need a build: counted as one failure.');
			results.push({ name, passed: 0, failed: 1, skipped: [] });
			continue;
		}
		results.push(await timed(name, () => runJest(name, [])));
	}
	if (built) results.push(await timed('backbone', runAgainstAddresses));
	return report(results);
}

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
	const jestArguments = [...chosen, servers, '--json', `--outputFile=${summaryFile}`, ...rest];
	const code = await runInherited('jest', jestArguments, {
		cwd: projectRoot,
		// The JSON goes to the file as well; on the terminal jest's own report is enough.
		stdio: ['ignore', 'ignore', 'inherit'],
	});
	return resultOf(name, code, summaryFile);
}

/**
 * `npm run test:backbone` with both generations at once: the runs wait more than they work. What they
 * leave out, the other suites play.
 */
async function runAgainstAddresses() {
	const results = await Promise.all(['6', '7'].map((version) => runAgainstAddress(version)));
	const sum = (member) => results.reduce((total, result) => total + result[member], 0);
	return { name: 'backbone', passed: sum('passed'), failed: sum('failed'), skipped: [] };
}

async function runAgainstAddress(version) {
	const file = scratchPath('test-results', `backbone-${version}.json`);
	mkdirSync(scratchPath('test-results'), { recursive: true });
	rmSync(file, { force: true });
	const words = ['--sandbox', version, '--only-ours', '--mails', '24', '--sums', file];
	const code = await runTypeScript('scripts/backbone-run/main.ts')(words);
	if (!existsSync(file)) return { passed: 0, failed: 1 };
	const { passed, failed } = JSON.parse(readFileSync(file, 'utf8'));
	return { passed, failed: failed === 0 && code !== 0 ? 1 : failed };
}

function resultOf(name, code, summaryFile) {
	let summary;
	try {
		summary = JSON.parse(readFileSync(summaryFile, 'utf8'));
	} catch {
		return { name, passed: 0, failed: 1, skipped: [] };
	}
	const tests = summary.testResults.flatMap((file) => file.assertionResults);
	const failed = summary.numFailedTests + summary.numRuntimeErrorTestSuites;
	return {
		name,
		passed: summary.numPassedTests,
		// A jest that fails without a failed test (open handles, bad setup) is a failure too.
		failed: failed === 0 && code !== 0 ? 1 : failed,
		skipped: tests
			.filter((test) => ['pending', 'todo', 'disabled', 'skipped'].includes(test.status))
			.map((test) => test.fullName),
	};
}

/** The last line is read by machines: '<n> passed, <n> failed, <n> skipped'. */
function report(results) {
	const sum = (pick) => results.reduce((total, result) => total + pick(result), 0);
	const skipped = results.flatMap((result) => result.skipped);
	console.log('');
	for (const result of results) {
		const counts = `${result.passed} passed, ${result.failed} failed, ${result.skipped.length} skipped`;
		console.log(`${result.name.padEnd(14)} ${counts}`);
	}
	if (skipped.length > 0) {
		console.log('\nSkipped (the reason stands in the name):');
		for (const name of skipped) console.log(`  - ${name}`);
	}
	const failed = sum((result) => result.failed);
	console.log(
		`\n${sum((result) => result.passed)} passed, ${failed} failed, ${skipped.length} skipped`,
	);
	return failed === 0 ? 0 : 1;
}
