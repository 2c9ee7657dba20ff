import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { generatedDocs } from './generated-docs';
import { showSeenMatrices } from './interoperability';
import { projectRoot } from './source-files';

/**
 * Compares the generated documents with their files; `--write` brings the files up to date, with
 * `--matrix` the matrices of docs/interoperability.md as well, which their tests compare.
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
		console.error(`${file} is not what the sources say; run 'npm run docs'.`);
		process.exitCode = 1;
	}
}
