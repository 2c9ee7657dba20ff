import { projectRoot } from './lib/paths.mjs';
import { runInherited } from './lib/process.mjs';

/** Checks the documents that are made from sources; with `--write` brings them up to date. */
export function checkDocs(rest) {
	const hook = './scripts/lib/typescript.cjs';
	const programArguments = ['--require', hook, 'scripts/docs/main.ts', ...rest];
	return runInherited(process.execPath, programArguments, { cwd: projectRoot });
}
