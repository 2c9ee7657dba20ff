/** `npm start`: prepares everything for the demo, then runs it. */
import { rmSync } from 'node:fs';
import { parseArgs } from 'node:util';

import { buildUnlessCurrent } from './build.mjs';
import { demoFolder, describeRunning, runningDemo } from './demo-state.mjs';
import { ensureN8nHost } from './n8n-host.mjs';
import { runTypeScript } from './process.mjs';

const usage = `Usage: npm start [-- --reset]

Starts a sandbox Backbone, a demo wallet and n8n with this package on this machine.

  --reset    begins anew: forgets the identities, workflows and mails of earlier starts`;

export async function start(rest) {
	const values = optionsOf(rest);
	if (values === undefined || values.help) {
		console.log(usage);
		return values === undefined ? 2 : 0;
	}
	// A build would replace the files that a running demo uses.
	const running = await runningDemo(demoFolder);
	if (running !== undefined) {
		console.error(describeRunning(running));
		return 1;
	}
	if (values.reset) rmSync(demoFolder, { recursive: true, force: true });
	await Promise.all([buildUnlessCurrent(), ensureN8nHost()]);
	return await runTypeScript('scripts/start/main.ts')([]);
}

function optionsOf(rest) {
	try {
		const options = { reset: { type: 'boolean' }, help: { type: 'boolean' } };
		return parseArgs({ args: rest, options }).values;
	} catch (error) {
		console.error(`${error.message}\n`);
		return undefined;
	}
}
