/** `docs:check` compares docs/errors.md and docs/events.md with the code; `docs` writes them. */
import { projectRoot } from './lib/paths.mjs';
import { runInherited } from './lib/process.mjs';

export function checkDocs(rest) {
	return runInherited(
		process.execPath,
		['--require=./scripts/lib/typescript.cjs', 'scripts/docs/main.ts', ...rest],
		{ cwd: projectRoot },
	);
}
