const { appendFileSync, mkdirSync, rmSync } = require('node:fs');
const { dirname } = require('node:path');

/**
 * Reporter of jest that writes what became of each test file as soon as it has ended, one JSON line
 * per file, to the file named by ENMESHED_TEST_RESULTS, and a last line when all have been played. jest's own `--json` writes everything at the
 * end, so nothing is left of a run that was cut off, and nothing at all when an error refers to itself.
 */
module.exports = class FileResults {
	constructor() {
		this.file = process.env.ENMESHED_TEST_RESULTS;
		mkdirSync(dirname(this.file), { recursive: true });
		rmSync(this.file, { force: true });
	}

	onTestFileResult(_test, { testFilePath, testResults, testExecError, failureMessage }) {
		const tests = testResults.map(({ fullName, status, failureMessages }) => ({
			fullName,
			status,
			failureMessages,
		}));
		// Set when the file could not be loaded, and when a hook failed after the last test.
		const problem = testExecError ? (failureMessage ?? '') : undefined;
		this.append({ name: testFilePath, problem, tests });
	}

	onRunComplete() {
		this.append({ isComplete: true });
	}

	append(line) {
		appendFileSync(this.file, `${JSON.stringify(line)}\n`);
	}
};
