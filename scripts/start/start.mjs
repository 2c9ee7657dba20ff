/**
 * `npm start`: prepares everything for the demo, then runs it. Runs on any Node from version 20, because
 * it installs the project's Node.
 */
import { rmSync } from 'node:fs';
import { parseArgs } from 'node:util';

import { claimDemo, demoFolder, describeRunning, runningDemo } from '../lib/demo-state.mjs';
import { projectRoot, scratchPath } from '../lib/paths.mjs';
import { prepareDemo } from './prepare-demo.mjs';
import { runInherited } from '../lib/process.mjs';
import { projectNode, taskEnvironment } from '../lib/toolchain.mjs';

const usage = `Usage: npm start [-- --reset]

Starts a sandbox Backbone, a demo wallet and n8n with this package on this machine.

  --reset    begins anew: forgets the identities, workflows and mails of earlier starts`;

/** Folder that a start uses from its beginning, while the demo itself may still be installed. */
const startingFolder = scratchPath('starting');

const program = [
	'--enable-source-maps',
	'--require=./scripts/lib/typescript.cjs',
	'scripts/start/main.ts',
];

export async function start(rest) {
	const values = optionsOf(rest);
	if (values === undefined || values.help) {
		console.log(usage);
		return values === undefined ? 2 : 0;
	}
	// An installation or a build would replace the files that a running demo uses.
	const running = (await runningDemo(demoFolder)) ?? (await runningDemo(startingFolder));
	if (running !== undefined) {
		console.error(describeRunning(running));
		return 1;
	}
	const claim = await claimDemo(startingFolder);
	try {
		if (values.reset) rmSync(demoFolder, { recursive: true, force: true });
		await prepareDemo();
		return await runInherited(projectNode(), program, { cwd: projectRoot, env: taskEnvironment() });
	} finally {
		await claim.release();
	}
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
