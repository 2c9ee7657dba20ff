import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { collectErrors, renderErrors } from './error-reference';
import { renderEvents } from './event-reference';
import { projectRoot } from './source-files';

const pages: Readonly<Record<string, () => string>> = {
	'docs/errors.md': () => renderErrors(collectErrors()),
	'docs/events.md': renderEvents,
};

let stale = 0;
for (const [page, render] of Object.entries(pages)) {
	const file = join(projectRoot, page);
	const wanted = render();
	if (existsSync(file) && readFileSync(file, 'utf8') === wanted) continue;
	if (process.argv.includes('--write')) writeFileSync(file, wanted);
	else {
		process.stderr.write(`${page} does not match the code; run 'npm run docs'.\n`);
		stale++;
	}
}
process.exitCode = stale === 0 ? 0 : 1;
