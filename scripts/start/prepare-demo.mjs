import { buildRunnable, isRunnable } from '../lib/build.mjs';
import { ensureRoom } from '../install/disk-room.mjs';
import { install, isInstalled, roomForDependencies } from '../install/install.mjs';
import {
	compileDriver,
	completeN8n,
	downloadN8n,
	isN8nInstalled,
	n8nVersion,
	roomForN8n,
} from '../install/n8n-host.mjs';
import { Progress } from './progress.mjs';

/** Steps with their usual seconds on two cores. */
const steps = {
	dependencies: ['the development dependencies', 60],
	download: [`n8n ${n8nVersion}`, 90],
	build: ['the nodes', 20],
	compile: ["n8n's SQLite driver", 90],
};

/**
 * Installs and builds what is missing for the demo. n8n and the development dependencies are
 * installed at the same time; the compiler needs the headers of the project's Node.
 */
export async function prepareDemo() {
	const needsDependencies = !isInstalled();
	const needsN8n = !isN8nInstalled();
	const needsBuild = needsDependencies || !isRunnable();
	const needed = [
		...(needsDependencies ? [steps.dependencies] : []),
		...(needsN8n ? [steps.download, steps.compile] : []),
		...(needsBuild ? [steps.build] : []),
	];
	if (needed.length === 0) return;
	if (needsDependencies || needsN8n) {
		console.log('Installing what is missing. The first start takes some minutes and 4 GB on disk.');
		// Both at once, because each alone may still fit.
		ensureRoom(
			[...(needsDependencies ? roomForDependencies() : []), ...(needsN8n ? roomForN8n() : [])],
			'The installation',
		);
	}
	const progress = new Progress(Object.fromEntries(needed));
	const step = ([name], work) => progress.run(name, work);
	try {
		const downloaded = needsN8n ? step(steps.download, downloadN8n) : undefined;
		// Has a handler at once: it may fail while the dependencies are still being installed.
		downloaded?.catch(() => undefined);
		if (needsDependencies) await step(steps.dependencies, install);
		await Promise.all([
			needsBuild ? step(steps.build, buildRunnable) : undefined,
			downloaded,
			needsN8n ? step(steps.compile, compileDriver) : undefined,
		]);
		if (needsN8n) completeN8n();
	} finally {
		progress.end();
	}
}
