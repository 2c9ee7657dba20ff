import { existsSync } from 'node:fs';
import { join } from 'node:path';

import { projectRoot } from '../../scripts/docs/source-files';
import { quickFiles } from '../../scripts/tests/quick-tests.mjs';

/* `npm run test:rest` leaves out what these patterns match, so each has to match what it names. */
describe.each(Object.entries(quickFiles))('what npm test plays of %s', (suite, paths) => {
	it.each(paths)('%s exists, and no other path begins like it', (path) => {
		expect(path.startsWith(`test/${suite}/`)).toBe(true);
		expect(existsSync(join(projectRoot, path))).toBe(true);
		expect(path).toMatch(/(\/|\.test\.ts)$/);
	});
});
