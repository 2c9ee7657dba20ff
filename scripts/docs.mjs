import { rmSync } from 'node:fs';

import { buildUntyped } from './lib/build.mjs';
import { projectPath, projectRoot } from './lib/paths.mjs';
import { runInherited } from './lib/process.mjs';

/**
 * Checks the generated documents and the comments from which the reference of the library is made;
 * with `--write` updates the documents and writes the reference to `docs/api`.
 */
export async function checkDocs(rest) {
	const codes = [await checkPages(rest), await checkReference(rest.includes('--write'))];
	return Math.max(...codes);
}

function checkPages(rest) {
	const hook = './scripts/lib/typescript.cjs';
	const programArguments = ['--require', hook, 'scripts/docs/main.ts', ...rest];
	return runInherited(process.execPath, programArguments, { cwd: projectRoot });
}

/** The reference shows the declarations of the build, because these are what programs get. */
async function checkReference(isWritten) {
	const built = await buildUntyped();
	if (built !== 0) return built;
	if (isWritten) rmSync(projectPath('docs', 'api'), { recursive: true, force: true });
	const output = isWritten ? [] : ['--emit', 'none'];
	const options = ['--tsconfig', 'scripts/docs/typedoc.json', ...output];
	return await runInherited('typedoc', options, { cwd: projectRoot });
}
