/** `npm run update`: takes newer versions of the dependencies, says which, and runs the tests. */
import { readFileSync, writeFileSync } from 'node:fs';

import { projectPath, projectRoot } from '../lib/paths.mjs';
import { runInherited } from '../lib/process.mjs';
import { chosenVersions, completeLock, minimumAgeDays } from './lock.mjs';
import { npmWithNewLists } from './npm.mjs';

/** Versions that are chosen for another reason than their age. */
const held = [
	// Belongs to eslint, whose version the linter of n8n demands.
	'@eslint/js',
	// Belong to the n8n of the tests.
	'n8n-core',
	'n8n-workflow',
	// Are what this package is compared with: docs/interoperability.md names their versions.
	'/^@nmshd\\/|^nmshd-/',
];

export async function update() {
	const manifest = projectPath('package.json');
	const before = versionsIn(manifest);
	const text = readFileSync(manifest, 'utf8');
	const newer = await newerVersions(manifest, { upgrade: true });
	try {
		await renewLock();
	} catch (error) {
		writeFileSync(manifest, text);
		throw error;
	}
	completeLock();
	for (const [name, version] of Object.entries(newer)) {
		console.log(`${name} ${before[name]} → ${version}`);
	}
	if (Object.keys(newer).length === 0) console.log('package.json names the newest versions.');
	// Installs what the lock names now.
	return await runInherited(process.execPath, ['scripts/run.mjs', 'test'], { cwd: projectRoot });
}

/**
 * Newest version of each dependency with the same first number, if it is old enough, no
 * preliminary one, and suits the other packages.
 */
export async function newerVersions(packageFile, options = {}) {
	// Every task loads this file.
	const { run } = await import('npm-check-updates');
	return await run({
		packageFile,
		target: 'minor',
		cooldown: minimumAgeDays,
		peer: true,
		reject: held,
		jsonUpgraded: true,
		silent: true,
		...options,
	});
}

/** Renews the dependencies of dependencies, too, unless the lock names a version that is too young. */
async function renewLock() {
	const npm = (word) =>
		npmWithNewLists([word, ...chosenVersions()], { cwd: projectRoot, label: `npm ${word}` });
	await npm('install');
	try {
		await npm('update');
	} catch (error) {
		const [, young] =
			/No matching version found for (\S+) with a date before/.exec(error.message) ?? [];
		if (young === undefined) throw error;
		console.log(
			`Dependencies of dependencies stay as they are: ${young} is younger than ${minimumAgeDays} days.`,
		);
	}
}

function versionsIn(file) {
	return JSON.parse(readFileSync(file, 'utf8')).devDependencies;
}
