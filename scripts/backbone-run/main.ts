import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdirSync, mkdtempSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { probeBackbone } from './probe';
import { readOptions, usage, WrongOptions, type RunOptions, type Target } from './options';
import { reportOf } from './report';
import { fileResultsReporter } from '../tests/file-results.mjs';
import { SandboxProgram } from '../served/sandbox-program';

const signals = ['SIGINT', 'SIGTERM'] as const;

const root = join(__dirname, '..', '..');

/**
 * `npm run test:backbone`: runs this project's tests against any Backbone, given its address and
 * credentials.
 */
async function main(): Promise<void> {
	const options = readOptions(process.argv.slice(2), process.env);
	if (options.target !== undefined) return await runAgainst(options.target, options);
	const { majorVersion, behaviour } = options.sandbox;
	const sandbox = await SandboxProgram.start(join(root, 'dist'), [
		...['--backbone', majorVersion],
		...['--behaviour', behaviour],
	]);
	try {
		await runAgainst({ url: sandbox.url, clientId: 'test', clientSecret: 'test' }, options);
	} finally {
		await sandbox.stop();
	}
}

async function runAgainst(target: Target, options: RunOptions): Promise<void> {
	const { majorVersion, servesV1 } = await probeBackbone(target);
	console.log(`A Backbone of version ${majorVersion} answers at ${target.url}.`);
	const scratch = join(root, '.tmp', 'backbone-run');
	mkdirSync(scratch, { recursive: true });
	const logFile = join(scratch, `jest-${majorVersion}.log`);
	console.log(`jest writes its own output to ${logFile}.`);
	const folder = mkdtempSync(join(scratch, 'run-'));
	try {
		const [resultsFile, notesFile] = [join(folder, 'results'), join(folder, 'notes')];
		await runJest(
			testPaths(options),
			{ resultsFile, logFile },
			{
				ENMESHED_TEST_BACKBONE_URL: target.url,
				ENMESHED_TEST_BACKBONE_CLIENT_ID: target.clientId,
				ENMESHED_TEST_BACKBONE_CLIENT_SECRET: target.clientSecret,
				ENMESHED_TEST_BACKBONE_PUSH_URL: target.pushUrl ?? '',
				ENMESHED_TEST_BACKBONE_MAJOR: String(majorVersion),
				ENMESHED_TEST_BACKBONE_SERVES_V1: servesV1 ? '1' : '',
				ENMESHED_TEST_BACKBONE_MAILS: String(options.mails),
				ENMESHED_TEST_BACKBONE_ONLY_OURS: options.onlyOurs ? '1' : '',
				ENMESHED_TEST_BACKBONE_NOTES: notesFile,
			},
		);
		const { text, ...sums } = reportOf(resultsFile, notesFile);
		console.log(text);
		if (options.sums !== undefined) writeFileSync(options.sums, JSON.stringify(sums));
		if (sums.failed > 0) process.exitCode = 1;
	} finally {
		rmSync(folder, { recursive: true, force: true });
	}
}

function testPaths({ rules, scenarios }: RunOptions): string[] {
	return [
		'test/backbone/',
		'test/interop/matrix.test.ts',
		'test/interop/request-matrix.test.ts',
		...(rules ? ['test/sandbox/'] : []),
		...(scenarios ? ['test/scenario/', 'test/interface/'] : []),
	];
}

/**
 * Failed tests are not a failure of the program: the report explains them. The log keeps jest's own
 * output, in which tests that cannot run against this Backbone look like failed ones.
 */
async function runJest(
	paths: readonly string[],
	{ resultsFile, logFile }: { readonly resultsFile: string; readonly logFile: string },
	environment: Record<string, string>,
): Promise<void> {
	const jest = join(root, 'node_modules', 'jest', 'bin', 'jest.js');
	const log = openSync(logFile, 'w');
	try {
		const child = spawn(
			process.execPath,
			[
				...[jest, '--reporters=default', `--reporters=${fileResultsReporter}`],
				...['--runInBand', '--forceExit', ...paths],
			],
			{
				cwd: root,
				stdio: ['ignore', log, log],
				env: { ...process.env, ...environment, ENMESHED_TEST_RESULTS: resultsFile },
			},
		);
		// The report is written although a person ends the run.
		for (const signal of signals) process.on(signal, () => child.kill(signal));
		await once(child, 'exit');
	} finally {
		for (const signal of signals) process.removeAllListeners(signal);
		closeSync(log);
	}
}

main().catch((error: unknown) => {
	const message = error instanceof Error ? error.message : String(error);
	console.error(error instanceof WrongOptions ? `${message}\n\n${usage}` : message);
	process.exitCode = error instanceof WrongOptions ? 2 : 1;
});
