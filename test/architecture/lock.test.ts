import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { projectRoot } from '../../scripts/docs/source-files';
import { missingParts } from '../../scripts/lib/lock.mjs';

const { packages } = JSON.parse(readFileSync(join(projectRoot, 'package-lock.json'), 'utf8')) as {
	packages: Record<string, { optionalDependencies?: Record<string, string> }>;
};

describe('package-lock.json', () => {
	it('has the native parts for every platform: npm run lock adds what is missing', () => {
		expect(missingParts(packages)).toEqual([]);
	});

	it('is missed a part that only stands beside another package', () => {
		const lock = {
			'node_modules/a': { optionalDependencies: { 'part-linux-x64': '1.0.0' } },
			'node_modules/b/node_modules/part-linux-x64': {},
		};
		expect(missingParts(lock)).toMatchObject([
			{ name: 'part-linux-x64', parent: 'node_modules/a' },
		]);
	});
});
