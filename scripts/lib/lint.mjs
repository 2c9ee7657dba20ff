import { projectRoot } from './paths.mjs';
import { runInherited } from './process.mjs';

/** Host rules, our rules and the formatter; all three report before it fails. */
export async function lint(rest = []) {
	const options = { cwd: projectRoot };
	const eslint = await runInherited('eslint', ['.', '--max-warnings=0', ...rest], options);
	const prettier = await runInherited('prettier', ['--check', '--log-level=warn', '.'], options);
	return eslint || prettier;
}

export function format(rest = []) {
	const files = rest.length === 0 ? ['.'] : rest;
	return runInherited('prettier', ['--write', '--log-level=warn', ...files], { cwd: projectRoot });
}
