import { projectRoot } from './paths.mjs';
import { runInherited } from './process.mjs';

/**
 * Runs the rules of n8n, the project's own rules, the search for dead code and the formatter; all
 * report before it fails.
 */
export async function lint(rest = []) {
	const options = { cwd: projectRoot };
	const others = async () => {
		const prettier = await runInherited('prettier', ['--check', '--log-level=warn', '.'], options);
		const unused = await runInherited('knip', ['--no-progress'], options);
		// Without the tests, because code that only tests import is dead too.
		const onlyTested = await runInherited('knip', ['--no-progress', '--production'], options);
		return prettier || unused || onlyTested;
	};
	// Each says what it found at its end.
	const eslint = runInherited('eslint', ['.', '--max-warnings=0', ...rest], options);
	const statuses = await Promise.all([eslint, others()]);
	return statuses.find((status) => status !== 0) ?? 0;
}

export function format(rest = []) {
	const files = rest.length === 0 ? ['.'] : rest;
	return runInherited('prettier', ['--write', '--log-level=warn', ...files], { cwd: projectRoot });
}
