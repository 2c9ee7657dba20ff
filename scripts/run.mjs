#!/usr/bin/env node
/**
 * Runs one task of this project: `node scripts/run.mjs <task> [arguments]`. Every entry of the
 * scripts in package.json goes through here, so each of them works on a fresh clone: what is missing is installed
 * first, then the task runs on the Node version the project is developed with.
 *
 * This file and what it imports run on any Node from version 20 and use nothing but Node itself.
 */
import { ensureInstalled } from './lib/install.mjs';
import { projectRoot } from './lib/paths.mjs';
import { runInherited } from './lib/process.mjs';
import { projectNode, taskEnvironment } from './lib/toolchain.mjs';

const oldestNode = 20;
const [task, ...taskArguments] = process.argv.slice(2);

const major = Number(process.versions.node.split('.')[0]);
if (major < oldestNode) {
	console.error(`Node ${oldestNode} or later is needed to begin, this is ${process.version}.`);
	process.exit(1);
}
if (task === undefined || !/^[a-z][a-z0-9:-]*$/.test(task)) {
	console.error('Usage: node scripts/run.mjs <task> [arguments]; the tasks stand in package.json.');
	process.exit(1);
}

await ensureInstalled();
process.exitCode = await runInherited(
	projectNode(),
	['scripts/lib/task.mjs', task, ...taskArguments],
	{ cwd: projectRoot, env: taskEnvironment() },
);
