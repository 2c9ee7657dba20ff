/** `npm run test:hosts`: story, trigger and wait on the oldest and on the newest n8n. */
import { chosenN8n, n8nKinds } from './host-folder.cjs';
import { projectRoot } from '../lib/paths.mjs';
import { runInherited } from '../lib/process.mjs';

const files = ['story', 'trigger-contract', 'waiting/waiting'].map(
	(name) => `test/e2e/${name}.test.ts`,
);

export async function testHosts(rest) {
	const ends = [];
	for (const kind of n8nKinds) {
		const { version } = chosenN8n(kind);
		console.log(`\n== n8n ${version}`);
		const words = ['scripts/lib/task.mjs', 'test:e2e', ...files, ...rest];
		const env = { ...process.env, ENMESHED_TEST_N8N: kind };
		const code = await runInherited(process.execPath, words, { cwd: projectRoot, env });
		ends.push({ version, code });
	}
	console.log('');
	for (const { version, code } of ends) {
		console.log(`n8n ${version.padEnd(10)} ${code === 0 ? 'passed' : 'failed: see above'}`);
	}
	return ends.some(({ code }) => code !== 0) ? 1 : 0;
}
