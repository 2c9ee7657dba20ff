import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { generatedDocs } from './generated-docs';
import { showSeenMatrices } from './interoperability';
import { projectRoot } from './source-files';

/**
 * Compares the generated documents with their files; `--write` updates the files, and with
 * `--matrix` also the matrices of docs/interoperability.md, which their own tests compare.
 */
const write = process.argv.includes('--write');
if (write && process.argv.includes('--matrix')) showSeenMatrices();
for (const { file, text } of generatedDocs()) {
	const path = join(projectRoot, file);
	const current = existsSync(path) ? readFileSync(path, 'utf8') : undefined;
	if (current === text) continue;
	if (write) {
		writeFileSync(path, text);
		console.log(`${file} written`);
	} else {
		console.error(`${file} is not up to date; run 'npm run docs'.`);
		process.exitCode = 1;
	}
}
