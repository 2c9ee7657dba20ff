import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { projectRoot, sourceFiles } from '../../scripts/docs/source-files';

/** Files that say what callers see. */
const shown = ['core', 'nodes']
	.flatMap(sourceFiles)
	.filter((file) =>
		/^(core\/(index|facade\/|server\/|events\/(catalogue|event-names|event-types)\b)|nodes\/)/.test(
			file,
		),
	);
const fromRecords = /(?:import|export)\s+(?:type\s+)?\{([^}]*)\}\s+from\s+'[^']*\/record\/[\w-]+'/g;
const stored = /\w*Records?(?:Schema)?\b/g;

describe('what callers see', () => {
	it('names no stored shape: each has a public one beside it', () => {
		const named = shown.flatMap((file) =>
			[...readFileSync(join(projectRoot, file), 'utf8').matchAll(fromRecords)].flatMap(
				([, names = '']) => (names.match(stored) ?? []).map((name) => `${file}: ${name}`),
			),
		);
		expect(named).toEqual([]);
	});

	it('was read', () => {
		expect(shown).toEqual(expect.arrayContaining(['core/index.ts', 'core/events/catalogue.ts']));
	});
});
