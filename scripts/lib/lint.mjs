import { projectRoot } from './paths.mjs';
import { runInherited } from './process.mjs';

/**
 * Runs the rules of n8n, the project's own rules, the search for dead code and the formatter; all
 * report before it fails.
 */
export async function lint(rest = []) {
	const options = { cwd: projectRoot };
	const eslint = await runInherited('eslint', ['.', '--max-warnings=0', ...rest], options);
	const prettier = await runInherited('prettier', ['--check', '--log-level=warn', '.'], options);
	const unused = await runInherited('knip', ['--no-progress'], options);
	// Without the tests, because code that only tests import is dead too.
	const onlyTested = await runInherited('knip', ['--no-progress', '--production'], options);
	return eslint || prettier || unused || onlyTested;
}

export function format(rest = []) {
	const files = rest.length === 0 ? ['.'] : rest;
	return runInherited('prettier', ['--write', '--log-level=warn', ...files], { cwd: projectRoot });
}
