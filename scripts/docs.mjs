import { projectRoot } from './lib/paths.mjs';
import { runInherited } from './lib/process.mjs';

/** Checks the generated documents; with `--write` updates them. */
export function checkDocs(rest) {
	const hook = './scripts/lib/typescript.cjs';
	const programArguments = ['--require', hook, 'scripts/docs/main.ts', ...rest];
	return runInherited(process.execPath, programArguments, { cwd: projectRoot });
}
