#!/usr/bin/env node
/**
 * Runs one task of this project: `node scripts/run.mjs <task> [arguments]`. Every script of
 * package.json starts here, so each works on a fresh clone: missing dependencies are installed
 * first, then the task runs on the project's Node version. `start` installs n8n at the same time.
 *
 * This file and its imports run on any Node from version 20 and use Node's own modules only.
 */
import { ensureInstalled } from './install/install.mjs';
import { projectRoot } from './lib/paths.mjs';
import { runInherited } from './lib/process.mjs';
import { start } from './start/start.mjs';
import { projectNode, taskEnvironment } from './lib/toolchain.mjs';

const oldestNode = 20;
const [task, ...taskArguments] = process.argv.slice(2);

const major = Number(process.versions.node.split('.')[0]);
if (major < oldestNode) {
	console.error(`Node ${oldestNode} or later is required, this is ${process.version}.`);
	process.exit(1);
}
if (task === undefined || !/^[a-z][a-z0-9:-]*$/.test(task)) {
	console.error('Usage: node scripts/run.mjs <task> [arguments]; package.json lists the tasks.');
	process.exit(1);
}

// `npm pack` and `npm publish` hand their options down to `prepack`. Its installation would then
// install nothing, or fail without a word.
for (const option of ['dry_run', 'loglevel']) delete process.env[`npm_config_${option}`];

try {
	process.exitCode = task === 'start' ? await start(taskArguments) : await run();
} catch (error) {
	console.error(error instanceof Error ? error.message : error);
	process.exitCode = 1;
}

async function run() {
	await ensureInstalled();
	const program = ['scripts/lib/task.mjs', task, ...taskArguments];
	return await runInherited(projectNode(), program, { cwd: projectRoot, env: taskEnvironment() });
}
