import { execFileSync } from 'node:child_process';
import { join } from 'node:path';

import { hostFolder } from '../../scripts/n8n/host-folder.cjs';

jest.setTimeout(300_000);

/** Loads each node and credential of an installed n8n, and prints how many, and why some fail. */
const program = `
	const { createRequire } = require('node:module');
	const path = require('node:path');
	const fromHost = createRequire(path.join(process.argv[1], 'node_modules', 'n8n', 'package.json'));
	const failures = [];
	let count = 0;
	for (const name of ['n8n-nodes-base', '@n8n/n8n-nodes-langchain']) {
		const manifest = fromHost.resolve(name + '/package.json');
		const { nodes, credentials } = require(manifest).n8n;
		for (const file of [...nodes, ...credentials]) {
			count++;
			try {
				const loaded = require(path.join(path.dirname(manifest), file));
				new loaded[path.basename(file).split('.')[0]]();
			} catch (error) {
				failures.push(file + ': ' + error.message.split('\\n')[0]);
			}
		}
	}
	process.stdout.write(JSON.stringify({ count, failures }), () => process.exit(0));
`;

describe('the n8n that npm start installs', () => {
	it('has no node that fails to load', () => {
		const answer = execFileSync(process.execPath, ['--eval', program, '--', hostFolder()], {
			cwd: join(hostFolder(), 'node_modules', 'n8n'),
			encoding: 'utf8',
		});
		const { count, failures } = JSON.parse(answer) as { count: number; failures: string[] };
		expect(failures).toEqual([]);
		expect(count).toBeGreaterThan(800);
	});
});
